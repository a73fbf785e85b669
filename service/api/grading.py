"""POST /checks and GET /misconceptions: is the number right, and if not, why."""

from __future__ import annotations

from typing import Any

from flask import g

from .. import grading
from .caching import CONTENT
from .doorway import Blueprint
from .limits import budget
from .schemas import grading as schemas
from .wire import misconception, verdict

blp = Blueprint("grading", __name__, description="Answers, mistakes and exercises")


@blp.post("/checks")
@blp.takes(schemas.CheckRequest, examples=schemas.CHECKS)
@blp.answers(schemas.Verdict, heavy=True, localized=True)
def check(asked: grading.Check) -> Any:
    """Judge an answer element by element, and say which known mistake explains what is wrong."""
    return verdict(grading.check(asked, budget()), g.lang)


@blp.get("/misconceptions")
@blp.answers(schemas.Misconceptions, cache=CONTENT, localized=True)
def misconceptions() -> Any:
    """List the known mistakes: what is done, what is right, and why."""
    return {"misconceptions": [misconception(each, g.lang) for each in grading.CATALOGUE.values()]}
