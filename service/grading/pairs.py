"""Two mistakes at once. There are hundreds of pairs, so only those are tried that can say something new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from .answers import Tolerance
from .misconceptions import CATALOGUE
from .problem import Problem, merged
from .suspicions import Detour

ORDER = {each: i for i, each in enumerate(CATALOGUE.values())}
"""The place of each mistake in the catalogue."""


def pairs(problem: Problem, singles: Sequence[Detour], tolerance: Tolerance) -> Iterator[Detour]:
    """Two different ones of these mistakes together.

    A mistake that alone changes nothing beyond the tolerance adds nothing to another, and is left out.
    """
    effective = [each for each in singles if not tolerance.holds(each.value, problem.right).all()]
    for one, other in combinations(effective, 2):
        problem.budget.check_deadline()
        pair = disjoint(problem, one, other) or overlapping(one, other)
        if pair is not None:
            yield pair


def disjoint(problem: Problem, one: Detour, other: Detour) -> Detour | None:
    """Two mistakes that change different steps, else None.

    The one made earlier in the block is taken as made, so that only what the later one changes is computed.
    """
    if not one.changes or not other.changes or not one.changes.keys().isdisjoint(other.changes):
        return None
    earlier, later = sorted((one, other), key=lambda each: problem.first(each.changes))
    values = earlier.world.work(later.changes)
    if values is None:
        return None
    changes = {**one.changes, **other.changes}
    return Detour((*one.made, *other.made), values[problem.step], changes, earlier.world)


def overlapping(one: Detour, other: Detour) -> Detour | None:
    """Two mistakes of which one builds another block, or that change some step both.

    The second, by its place in the catalogue, is made in the world that the first has left, if it has a place
    there.
    """
    first, second = (other, one) if one.changes and not other.changes else (one, other)
    changes = merged(second.made[0].places(first.world))
    values = first.world.work(changes)
    if values is None:
        return None
    made = tuple(sorted((*one.made, *other.made), key=ORDER.__getitem__))
    return Detour(made, values[first.world.step], {**first.changes, **changes}, first.world)
