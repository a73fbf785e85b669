"""What grading takes and answers with."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, post_load

from ... import grading
from ...engine.request import MAX_SEED
from ..fields import as_given, choice, count, flag, number, ref, text, texts
from .base import Answer, Body, Worded
from .requests import TraceField, TraceRequest
from .samples import sample

SIZE = {"type": "integer", "minimum": 0}
CHECK = "a body for POST /checks, complete but for `answer`"
DEFAULT = grading.Tolerance()
TOKENS = {
    "type": "array",
    "items": {"type": "integer", "minimum": 0},
    "minItems": 1,
    "uniqueItems": True,
}


class Tolerance(Body):
    """How near is right: |answer − expected| ≤ absolute + relative · |expected|, element by element."""

    absolute = number(least=0, allow_none=True, says=f"{DEFAULT.absolute:g} unless given")
    relative = number(least=0, allow_none=True, says=f"{DEFAULT.relative:g} unless given")


class Derivative(Body):
    """By what a step is differentiated; as in POST /block/jacobian."""

    wrt = text(required=True)
    of_token = count(least=0, allow_none=True)
    wrt_token = count(least=0, allow_none=True)
    stop = texts(allow_none=True, says="steps through which no derivative passes")


class CheckRequest(Body):
    """A student's answer for one step of one trace."""

    trace = TraceField(TraceRequest, required=True)
    step = text(required=True, says="the step asked for; `output` is the block's last one")
    tokens = as_given(
        TOKENS, allow_none=True, says="the rows that the answer holds; else those of the trace, else all"
    )
    jacobian = fields.Nested(
        Derivative, allow_none=True,
        metadata={"description": "ask for the matrix of the step's derivatives instead of its value"},
    )  # fmt: skip
    answer = as_given(
        ref("Answered"), required=True, says="shaped like the step, cut to the rows of `tokens`"
    )
    tolerance = fields.Nested(Tolerance, allow_none=True)
    carried = as_given(
        {"type": "object", "additionalProperties": ref("Answered")}, allow_none=True,
        says="the student's own values of earlier steps, cut like the answer; the step is judged on them",
    )  # fmt: skip
    reveal = flag(allow_none=True, says="answer with the right values too")

    @post_load
    def checked(self, data: dict[str, Any], **_: Any) -> grading.Check:
        return grading.Check.from_data(data)


class DiagnosisEntry(Answer):
    """A known mistake, or two together, that give the student's wrong numbers."""

    misconception = text(required=True, says="its name in GET /misconceptions; two are joined by ` + `")
    misconceptions = texts(required=True, says="the names, one or two")
    explanation = text(required=True, says="what was done, what is right, and why")
    steps = texts(required=True, says="where it was made; none if another block was built altogether")
    distance = number(
        least=0, required=True, says="largest difference between the wrong numbers and the mistake's"
    )


class Verdict(Worded):
    """Which elements are right, and why the others are not."""

    correct = flag(required=True)
    score = number(least=0, required=True, says="the fraction of elements that are right")
    elements = as_given(ref("Flags"), required=True, says="shaped like the answer; true = right")
    expected = as_given(ref("Values"), required=True, allow_none=True, says="null unless `reveal`")
    diagnoses = fields.List(
        fields.Nested(DiagnosisEntry), required=True,
        metadata={"description": "all that explain the wrong elements equally well; none if nothing does"},
    )  # fmt: skip


class Equivalent(Answer):
    """Another mistake that can give the same numbers."""

    name = text(required=True)
    reason = text(required=True, says="why, and where")


class MisconceptionEntry(Answer):
    """A known mistake."""

    name = text(required=True)
    done = text(required=True, says="what was done")
    right = text(required=True, says="what is right")
    why = text(required=True)
    explanation = text(required=True, says="the three in one")
    equivalents = fields.List(fields.Nested(Equivalent), required=True)


class Misconceptions(Worded):
    """The known mistakes, in the order in which they are told when several explain equally."""

    misconceptions = fields.List(fields.Nested(MisconceptionEntry), required=True)


class ExerciseRequest(Body):
    """Which exercise: the same topic, seed and difficulty give the same one on every machine."""

    topic = choice(tuple(grading.TOPICS), required=True)
    seed = count(least=0, most=MAX_SEED, required=True, says="say, the student's number")
    difficulty = count(most=grading.DIFFICULTIES[-1], allow_none=True, says="1 unless given")
    lang = choice(grading.LANGUAGES, allow_none=True, says="else as in `lang` or Accept-Language, else zh")

    @post_load
    def checked(self, data: dict[str, Any], **_: Any) -> grading.ExerciseRequest:
        return grading.ExerciseRequest.from_data(data)


class GivenNumbers(Answer):
    """Numbers that the student is given."""

    name = text(required=True, says="x, a step given outright, or a parameter")
    symbol = text(required=True, says="LaTeX")
    axes = texts(required=True)
    shape = as_given({"type": "array", "items": SIZE}, required=True)
    value = as_given(ref("Values"), required=True)


class AskedFor(Answer):
    """One thing asked for."""

    step = text(required=True)
    label = text(required=True, says="what it is called, with the part of the exercise it belongs to")
    symbol = text(required=True, says="LaTeX")
    axes = texts(required=True, says="of the answer; a Jacobian has `of` and `wrt`")
    shape = as_given({"type": "array", "items": SIZE}, required=True, says="of the answer")
    tokens = as_given(TOKENS, required=True, allow_none=True, says="the rows asked for; null for a Jacobian")
    check = as_given({"type": "object"}, required=True, says=CHECK)


class Exercise(Worded):
    """An exercise: what is stated, given and asked."""

    topic = choice(tuple(grading.TOPICS), required=True)
    seed = count(least=0, required=True)
    difficulty = count(required=True)
    lang = choice(grading.LANGUAGES, required=True)
    title = text(required=True)
    statement = text(required=True)
    given = fields.List(fields.Nested(GivenNumbers), required=True)
    asked = fields.List(
        fields.Nested(AskedFor), required=True,
        metadata={"description": "in the order in which they are worked; the last is the result"},
    )  # fmt: skip
    check = as_given({"type": "object"}, required=True, says="the last question's")
    working = fields.List(
        fields.Nested(TraceRequest), required=True,
        metadata={"description": "bodies for POST /block/trace that show every step; one for each part"},
    )  # fmt: skip


EXERCISES = {
    "add_and_norm": sample(
        "Residual and normalisation of one token", {"topic": "add_and_norm", "seed": 3, "lang": "zh"}
    ),
    "jacobian": sample(
        "What passes straight through",
        {"topic": "jacobian_direct_path", "seed": 3, "difficulty": 2, "lang": "en"},
    ),
}
CHECKS = {
    "sample_variance": sample(
        "The first normalised row with a variance divided by n − 1, typed by a student",
        {
            "trace": {"example": "lecture-05"},
            "step": "norm_1.output",
            "tokens": [0],
            "answer": [["1.014", "0.563", "−0.334", "−1.243"]],
        },
    ),
    "carried_on": sample(
        "A later step, judged on the student's own earlier numbers",
        {
            "trace": {"example": "lecture-05"},
            "step": "residual_2",
            "answer": [[1.8, 1, -0.25, -1.4]],
            "carried": {"norm_1.output": [[1.2, 0.7, -0.38, -1.4]], "ffn.output": [[0.6, 0.3, 0.13, 0]]},
            "reveal": True,
        },
    ),
}
