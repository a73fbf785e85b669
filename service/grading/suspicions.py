"""What may have been done: every known mistake worked out, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..engine.ops import Array
from .derived import Derived
from .misconceptions import CATALOGUE, Misconception
from .problem import Changes, Problem, merged


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


def everywhere(problem: Problem) -> Iterator[Detour]:
    """Every mistake, made wherever it can be: what someone who believes it does."""
    for each in CATALOGUE.values():
        problem.budget.check_deadline()
        if (other := each.instead(problem)) is not None:
            yield Detour((each,), other.right, {}, other)
        yield from taken(problem, each, merged(each.places(problem)))


def in_one_place(problem: Problem) -> Iterator[Detour]:
    """Every mistake that can be made in several places, made in one of them alone: a slip."""
    for each in CATALOGUE.values():
        problem.budget.check_deadline()
        places = list(each.places(problem))
        for changes in places if len(places) > 1 else ():
            yield from taken(problem, each, changes)


def taken(problem: Problem, made: Misconception, changes: Changes) -> Iterator[Detour]:
    """What comes out when these steps are taken; nothing where that makes no difference to the asked one."""
    values = problem.work(changes) if changes else None
    if values is not None:
        yield Detour((made,), values[problem.step], changes, problem.after(changes, values))


def derivative_mistakes(derived: Derived) -> Iterator[Suspicion]:
    """Every mistake about derivatives."""
    for each in CATALOGUE.values():
        matrix = each.derived(derived)
        if matrix is not None:
            yield Suspicion((each,), matrix)
