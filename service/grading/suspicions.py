"""What may have been done: every known mistake worked out, one at a time or two together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..engine.ops import Array
from .derived import Derived
from .misconceptions import CATALOGUE, Misconception
from .problem import Changes, Problem, merged

ORDER = {each: i for i, each in enumerate(CATALOGUE.values())}
"""The place of each mistake in the catalogue."""


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


def derivative_mistakes(derived: Derived) -> Iterator[Suspicion]:
    """Every mistake about derivatives."""
    for each in CATALOGUE.values():
        matrix = each.derived(derived)
        if matrix is not None:
            yield Suspicion((each,), matrix)
