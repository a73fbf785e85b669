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


def derivative_mistakes(derived: Derived) -> Iterator[Suspicion]:
    """Every mistake about derivatives."""
    for each in CATALOGUE.values():
        matrix = each.derived(derived)
        if matrix is not None:
            yield Suspicion((each,), matrix)
