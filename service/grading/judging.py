"""The verdict on an answer: every element judged, and where some are wrong, the reason."""

from __future__ import annotations

from dataclasses import dataclass

from ..engine import UNLIMITED, Budget
from ..engine.ops import Array
from ..errors import ShapeMismatch
from .check import Check
from .evidence import Diagnosis
from .question import Question, question


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """Which elements are right, and the explanations of the others. `expected` is the right answer."""

    check: Check
    expected: Array
    right: Array
    diagnoses: tuple[Diagnosis, ...]

    @property
    def correct(self) -> bool:
        return bool(self.right.all())

    @property
    def score(self) -> float:
        """The fraction of elements that are right."""
        return float(self.right.mean())


def check(asked: Check, budget: Budget = UNLIMITED) -> Verdict:
    """Judge an answer. Raises as `question` does, and `ShapeMismatch` for an answer that does not fit."""
    return judge(question(asked, budget), asked)


def judge(of: Question, asked: Check) -> Verdict:
    """Judge an answer to a question that has been worked out already."""
    if asked.answer.shape != of.expected.shape:
        raise ShapeMismatch(
            "answer",
            axis="shape",
            expected=list(of.expected.shape),
            got=list(asked.answer.shape),
            pointer="/answer",
            because=f"it is [{', '.join(of.axes)}]",
        )
    right = asked.tolerance.holds(asked.answer, of.expected)
    return Verdict(asked, of.expected, right, tuple(of.explain(asked.answer, asked.tolerance)))
