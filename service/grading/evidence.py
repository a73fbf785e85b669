"""Whether a mistake explains the wrong elements of an answer.

An explanation is claimed only where there is evidence for it. It must give every wrong element within
tolerance, and something else than the right value there. So that no coincidence passes for an explanation,
one mistake needs two different wrong numbers to its credit, and two mistakes three. A lone wrong number is
evidence only if the rest of the answer agrees with the mistake too, and the number agrees to the last digit
written and is no plain one such as 0 or 1/2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ..engine.ops import Array
from .answers import Tolerance, half_digit, significant_digits
from .misconceptions import Lang, Misconception
from .suspicions import Suspicion


@dataclass(frozen=True, slots=True, eq=False)
class Diagnosis:
    """An explanation of the wrong elements. `distance` is the largest difference between the student's wrong
    numbers and those that the mistake gives; `steps` are where it was made."""

    made: tuple[Misconception, ...]
    steps: tuple[str, ...]
    distance: float

    @property
    def name(self) -> str:
        """The misconception's name; two are joined by ` + `."""
        return " + ".join(each.name for each in self.made)

    def explanation(self, lang: Lang) -> str:
        """What was done, what is right and why; a paragraph for each mistake."""
        return "\n".join(each.explanation(lang).text(lang) for each in self.made)


class Evidence:
    """What the wrong elements of one answer can prove."""

    def __init__(self, answer: Array, right: Array, tolerance: Tolerance) -> None:
        self.answer, self.tolerance = answer, tolerance
        self.wrong = ~tolerance.holds(answer, right)
        self.answered, self.expected = answer[self.wrong], right[self.wrong]
        self.first = tuple(np.argwhere(self.wrong)[0]) if self.wrong.any() else ()
        self.different = len(np.unique(self.answered))
        """How many different numbers there are among the wrong ones: ten equal ones say no more than one."""

    def sift(
        self, suspicions: Iterable[Suspicion], rows: Callable[[Array], Array] = lambda value: value
    ) -> list[Diagnosis]:
        """The diagnoses that hold: once for each mistake, and where some agree with the right elements too,
        those alone."""
        found: dict[tuple[Misconception, ...], tuple[bool, Diagnosis]] = {}
        for each in suspicions:
            value = rows(each.value)
            if value.shape != self.answer.shape or not self.explained_by(value):
                continue
            whole = bool(self.tolerance.holds(self.answer, value).all())
            if self.different <= len(each.made) and not (whole and self.beyond_chance(each, value)):
                continue
            distance = float(abs(self.answered - value[self.wrong]).max())
            known = found.get(each.made)
            if known is None or (whole, -distance) > (known[0], -known[1].distance):
                found[each.made] = whole, Diagnosis(each.made, each.steps, distance)
        best = any(whole for whole, _ in found.values())
        return [diagnosis for whole, diagnosis in found.values() if whole == best]

    def explained_by(self, value: Array) -> bool:
        """Whether the mistake gives all the wrong elements, and nothing that would be right there."""
        if not self.near(float(value[self.first]), float(self.answered[0])):
            return False  # most mistakes end here, before any array is made
        given = value[self.wrong]
        holds = self.tolerance.holds
        return bool(holds(self.answered, given).all() and not holds(given, self.expected).any())

    def near(self, given: float, answered: float) -> bool:
        return given == answered or abs(
            given - answered
        ) <= self.tolerance.absolute + self.tolerance.relative * abs(given)

    def beyond_chance(self, suspicion: Suspicion, value: Array) -> bool:
        """Whether one number, given by one mistake, is too particular for a coincidence."""
        given, answered = float(value[self.wrong][0]), float(self.answered[0])
        return (
            len(suspicion.made) == 1
            and self.different == 1
            and abs(given - answered) <= half_digit(answered) * (1 + 1e-9)
            and significant_digits(given) >= 3
        )
