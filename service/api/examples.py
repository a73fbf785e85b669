"""GET /examples: complete bodies for POST /block/trace."""

from __future__ import annotations

from typing import Any

from .. import engine
from . import wire
from .caching import CONTENT
from .described import named
from .doorway import Blueprint
from .schemas import answers, requests

blp = Blueprint("examples", __name__, url_prefix="/examples", description="Named examples")


@blp.get("")
@blp.answers(answers.Examples, cache=CONTENT)
def examples() -> Any:
    """List the named examples."""
    return {"examples": [wire.example(engine.examples.get(name)) for name in engine.examples.names()]}


@blp.get("/<name>", parameters=[named("name", "an example", "lecture-05")])
@blp.answers(requests.TraceRequest, cache=CONTENT, refuses=[404])
def example(name: str) -> Any:
    """Give one example: a complete body for POST /block/trace."""
    return engine.examples.get(name).request
