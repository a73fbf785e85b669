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
    """Run one block and return every intermediate.

    `example` names a starting point, which the other fields patch (RFC 7396). Without `select` every step
    that the output rests on is answered. A `set` without `where` gives its step outright: what the step was
    made from is neither computed nor needed. A weight that is left out is drawn from `seed`, or refused.
    """
    return wire.trace(engine.trace(request, budget=budget()))


@blp.post("/plan")
@blp.takes(requests.TraceRequest, examples=samples.TRACE)
@blp.answers(answers.Plan)
def plan(request: engine.TraceRequest) -> Any:
    """Say which steps a trace would compute, with which shapes and at what cost, and compute nothing.

    Takes what a trace takes, and refuses what a trace refuses, but for the cost.
    """
    return wire.plan(engine.plan(request))


@blp.post("/compare")
@blp.takes(requests.CompareRequest, examples=samples.COMPARE)
@blp.answers(answers.Comparison, heavy=True)
def compare(asked: dict[str, Any]) -> Any:
    """Run a block and variants of it, and say where they part.

    A variant is a merge patch (RFC 7396) of the base. Steps are aligned by name: for each common one the
    largest difference, and both values where the base selects it.
    """
    return wire.comparison(engine.compare(**asked, budget=budget()))


@blp.post("/gradient")
@blp.takes(requests.GradientRequest, examples=samples.GRADIENT)
@blp.answers(answers.Gradients, heavy=True)
def gradient(asked: dict[str, Any]) -> Any:
    """Differentiate a step by any earlier steps, inputs and parameters.

    Gives ∂(Σ cotangent ⊙ of)/∂w for each w in `wrt`, the cotangent all ones unless sent. No gradient passes
    through a step in `stop`, so that stopping `attention.output` leaves the residual path alone.
    """
    return wire.gradients(asked["of"], engine.gradient(**asked, budget=budget()))


@blp.post("/jacobian")
@blp.takes(requests.JacobianRequest, examples=samples.JACOBIAN)
@blp.answers(answers.Jacobian, heavy=True)
def jacobian(asked: dict[str, Any]) -> Any:
    """Give the matrix of a step's derivatives by an earlier one, attested by central differences.

    `of_token` and `wrt_token` pick one row of each; without them the whole step counts, flattened row by row.
    """
    return wire.jacobian(engine.jacobian(**asked, budget=budget()))
