"""A request without its numbers. Its plan depends on nothing else, so equal structures share one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

import numpy as np

from .interventions import Intervention
from .ops import Array, Shape
from .request import TraceRequest

MAX_PLANS = 256
MAX_INDICES = 256
"""A request that lists more rows, names or indices than this is planned anew each time: no plan that is kept
may hold much of what a stranger sent."""

T = TypeVar("T")


def structure(request: TraceRequest) -> Hashable | None:
    """Everything of a request but the numbers in its arrays; None where that is too long to keep.

    Of the seed a plan needs to know only whether there is one, unless dropout draws from it.
    """
    r, block = request, request.block
    listed = len(r.select or ()) + len(r.tokens or ()) + len(r.interventions)
    listed += sum(len(indices) for edit in r.interventions for indices in (edit.where or {}).values())
    if listed > MAX_INDICES:
        return None
    return (
        block.key(),
        shape(block.key_padding_keep),
        (shape(block.mask.keep), shape(block.mask.additive)) if block.mask is not None else None,
        r.seed if block.dropout else r.seed is None,
        shape(r.x),
        shape(r.memory),
        tuple([(name, array.shape) for name, array in r.parameters.items()]),
        tuple([(edit.step, edit.action, shape(edit.amount), where(edit)) for edit in r.interventions]),
        r.select,
        r.tokens,
        r.include_parameters,
    )


def where(edit: Intervention) -> Hashable:
    """The region an edit touches; an empty one is no region named, yet is hashable too."""
    return None if edit.where is None else tuple(edit.where.items())


def shape(array: Array | float | None) -> Shape | None:
    """The shape of an array, None for a number or nothing."""
    return array.shape if isinstance(array, np.ndarray) else None


class Kept(Generic[T]):
    """What was made for a key, for the keys asked for last."""

    def __init__(self, most: int) -> None:
        self._most, self._made, self._lock = most, dict[Hashable, T](), Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for this key, made now if it is not there."""
        made = self._made.get(key)
        if made is None:
            made = make()
            with self._lock:
                self._made[key] = made
                if len(self._made) > self._most:
                    del self._made[next(iter(self._made))]
        return made

    def known(self, key: Hashable) -> T | None:
        """What was made for this key, if it was."""
        return self._made.get(key)

    def values(self) -> list[T]:
        """All that is kept, oldest first."""
        return list(self._made.values())
