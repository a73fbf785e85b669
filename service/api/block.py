"""POST /block/...: one block, run, planned, compared, differentiated."""

from __future__ import annotations

from typing import Any

from .. import engine
from . import wire
from .doorway import Blueprint
from .limits import budget
from .media import JSON, SAFETENSORS
from .schemas import answers, requests, samples

blp = Blueprint("block", __name__, url_prefix="/block", description="One Transformer block")


@blp.post("/trace")
@blp.takes(requests.TraceRequest, examples=samples.TRACE)
@blp.answers(answers.Trace, media=(JSON, SAFETENSORS), heavy=True)
def trace(request: engine.TraceRequest) -> Any:
    """Run one block and return every intermediate."""
    return wire.trace(engine.trace(request, budget=budget()))


@blp.post("/plan")
@blp.takes(requests.TraceRequest, examples=samples.TRACE)
@blp.answers(answers.Plan)
def plan(request: engine.TraceRequest) -> Any:
    """Say which steps a trace would compute, with which shapes and at what cost, and compute nothing."""
    return wire.plan(engine.plan(request))


@blp.post("/compare")
@blp.takes(requests.CompareRequest, examples=samples.COMPARE)
@blp.answers(answers.Comparison, heavy=True)
def compare(asked: dict[str, Any]) -> Any:
    """Run a block and variants of it, and say where they part."""
    return wire.comparison(engine.compare(**asked, budget=budget()))


@blp.post("/gradient")
@blp.takes(requests.GradientRequest, examples=samples.GRADIENT)
@blp.answers(answers.Gradients, heavy=True)
def gradient(asked: dict[str, Any]) -> Any:
    """Differentiate a step by any earlier steps, inputs and parameters."""
    return wire.gradients(asked["of"], engine.gradient(**asked, budget=budget()))


@blp.post("/jacobian")
@blp.takes(requests.JacobianRequest, examples=samples.JACOBIAN)
@blp.answers(answers.Jacobian, heavy=True)
def jacobian(asked: dict[str, Any]) -> Any:
    """Give the matrix of a step's derivatives by an earlier one, attested by central differences."""
    return wire.jacobian(engine.jacobian(**asked, budget=budget()))
