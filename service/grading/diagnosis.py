"""Why a number is wrong: which known mistake, or which two together, give the student's numbers.

An explanation is claimed only where there is evidence for it. It must give every wrong element within
tolerance, and something else than the right value there. So that no coincidence passes for an explanation,
one mistake needs two different wrong numbers to its credit, and two mistakes three. A lone wrong number is
evidence only if the rest of the answer agrees with the mistake too, and the number agrees to the last digit
written and is no plain one such as 0 or 1/2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..engine.ops import Array
from .answers import Tolerance, half_digit, significant_digits
from .derived import Derived
from .misconceptions import CATALOGUE, Lang, Misconception
from .problem import Changes, Problem, merged, quiet

PAIRS_UP_TO = 20_000
"""Pairs of mistakes are tried on blocks of at most so many elements; larger ones nobody works by hand."""


@dataclass(frozen=True, slots=True, eq=False)
class Suspicion:
    """One mistake, or two together, and the whole value that comes out."""

    made: tuple[Misconception, ...]
    value: Array

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps taken otherwise, in order of computation; none where it is not a matter of steps."""
        return ()


@dataclass(frozen=True, slots=True, eq=False)
class Detour(Suspicion):
    """A suspicion that is a matter of steps: those taken otherwise, and the problem as it then stands."""

    changes: Changes
    world: Problem

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(name for name in self.world.steps if name in self.changes)

    @property
    def first(self) -> int:
        """Where the earliest of them stands."""
        return next((i for i, name in enumerate(self.world.steps) if name in self.changes), -1)


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


def diagnose(
    problem: Problem,
    answer: Array,
    right: Array,
    tolerance: Tolerance,
    rows: Callable[[Array], Array] = lambda value: value,
) -> list[Diagnosis]:
    """Every explanation as good as the best one, simplest kind only; none where nothing fits.

    `answer` and `right` have one shape; `rows` cuts a whole value of the asked step down to it. Raises
    `DeadlineExceeded` where the problem's budget has a deadline.
    """
    evidence = Evidence(answer, right, tolerance)
    if evidence.different == 0:
        return []
    with quiet():
        singles = list(detours(problem))
        found = evidence.sift(singles, rows)
        small = problem.plan.estimate.elements <= PAIRS_UP_TO
        if not found and small and evidence.different > 2:
            found = evidence.sift(pairs(problem, singles), rows)
    return found


def diagnose_derivative(derived: Derived, answer: Array, tolerance: Tolerance) -> list[Diagnosis]:
    """The same for a Jacobian: which mistake about paths and statistics gives the student's matrix."""
    evidence = Evidence(answer, derived.right, tolerance)
    if evidence.different == 0:
        return []
    mistaken = ((each, each.derived(derived)) for each in CATALOGUE.values())
    return evidence.sift(Suspicion((each,), value) for each, value in mistaken if value is not None)


# -- what may have been done ----------------------------------------------------------------------


def detours(problem: Problem) -> Iterator[Detour]:
    """Every single mistake: everywhere it can be made, then in each of its places alone."""
    for each in CATALOGUE.values():
        problem.budget.check_deadline()
        if (other := each.instead(problem)) is not None:
            yield Detour((each,), other.right, {}, other)
        places = list(each.places(problem))
        for changes in ([merged(places)] if len(places) > 1 else []) + places:
            values = problem.work(changes)
            if values is not None:
                yield Detour((each,), values[problem.step], changes, problem.after(changes, values))


def pairs(problem: Problem, singles: list[Detour]) -> Iterator[Detour]:
    """Two different mistakes at once, each everywhere, as far as each alone makes a difference.

    The one made earlier is taken as made; only what the later one changes is computed for the pair.
    """
    widest: dict[str, Detour] = {}
    for each in singles:
        widest.setdefault(each.made[0].name, each)
    effective = [each for each in widest.values() if not same(each.value, problem.right)]
    effective.sort(key=lambda each: each.first)
    for earlier, later in combinations(effective, 2):
        problem.budget.check_deadline()
        changes, world = later.changes, earlier.world
        if not earlier.changes or not earlier.changes.keys().isdisjoint(changes):
            changes = merged(later.made[0].places(world))
        values = world.work(changes)
        if values is not None:
            made = tuple(sorted((*earlier.made, *later.made), key=ORDER.__getitem__))
            yield Detour(made, values[world.step], {**earlier.changes, **changes}, world)


def same(value: Array, other: Array) -> bool:
    return value.shape == other.shape and np.array_equal(value, other, equal_nan=True)


ORDER = {each: i for i, each in enumerate(CATALOGUE.values())}


# -- whether it explains the answer ---------------------------------------------------------------


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
