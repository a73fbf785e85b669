"""Grading: is the number right, and if not, why; and exercises to be right or wrong about."""

from __future__ import annotations

from typing import Any

from flask import g

from .. import grading
from . import wire
from .caching import CONTENT
from .doorway import Blueprint
from .limits import budget
from .schemas import grading as schemas

blp = Blueprint("grading", __name__, description="Answers, mistakes and exercises")


@blp.post("/checks")
@blp.takes(schemas.CheckRequest, examples=schemas.CHECKS)
@blp.answers(schemas.Verdict, heavy=True, localized=True)
def check(asked: grading.Check) -> Any:
    """Judge an answer element by element, and say which known mistake explains what is wrong."""
    return wire.verdict(grading.check(asked, budget()), g.lang)


@blp.get("/misconceptions")
@blp.answers(schemas.Misconceptions, cache=CONTENT, localized=True)
def misconceptions() -> Any:
    """List the known mistakes: what is done, what is right, and why."""
    return {"misconceptions": [wire.misconception(each, g.lang) for each in grading.CATALOGUE.values()]}


@blp.post("/exercises")
@blp.takes(schemas.ExerciseRequest, examples=schemas.EXERCISES)
@blp.answers(schemas.Exercise, heavy=True, localized=True)
def exercise(asked: grading.ExerciseRequest) -> Any:
    """Make an exercise from a seed: statement, given numbers, what is asked, and bodies for POST /checks."""
    g.lang = asked.lang or g.lang  # the body's word counts, and Content-Language says so
    return wire.exercise(grading.exercise(asked), g.lang)
