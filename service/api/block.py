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
