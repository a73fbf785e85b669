"""Health, limits, and what the kinds of problem mean."""

from __future__ import annotations

from typing import Any

from .. import engine
from .caching import CONTENT, NEVER
from .described import named
from .doorway import Blueprint
from .limits import published
from .problems import explained
from .schemas import operations as answers

blp = Blueprint("operations", __name__, description="The service itself")


@blp.get("/health/live")
@blp.answers(answers.Health, cache=NEVER)
def health_live() -> Any:
    """Say that the process is up."""
    return {"status": "ok", "engine": engine.VERSION}


@blp.get("/health/ready")
@blp.answers(answers.Health, cache=NEVER)
def health_ready() -> Any:
    """Say that the service can compute, by computing a small example."""
    engine.trace(engine.TraceRequest.from_data({"example": engine.examples.names()[0]}))
    return {"status": "ok", "engine": engine.VERSION}


@blp.get("/limits")
@blp.answers(answers.Limits, cache=CONTENT)
def limits() -> Any:
    """Publish the limits in force."""
    return published()


@blp.get("/problems/<kind>", parameters=[named("kind", "the last part of a problem's type", "cost-limit")])
@blp.answers(answers.ProblemKind, cache=CONTENT, refuses=[404])
def problem(kind: str) -> Any:
    """Explain one kind of problem."""
    return explained(kind)
