"""Numbers a person can work with, drawn from a seed: whole numbers and halves, as plain lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...engine.ops import Array
from ...engine.seeding import generator

ROWS_OF_WEIGHTS = (
    (2, 1, 1),
    (1, 2, 1),
    (1, 1, 2),
    (2, 2, 0),
    (2, 0, 2),
    (0, 2, 2),
    (3, 1, 0),
    (0, 1, 3),
    (1, 0, 3),
)
"""Attention weights over three keys, in quarters."""


class Draw:
    """One stream of numbers, the same on every machine; `stream` keeps the topics apart."""

    def __init__(self, seed: int, stream: str) -> None:
        self.rng = generator(seed, stream)

    def whole(self, *shape: int, low: int = -2, high: int = 2) -> Any:
        """Whole numbers from `low` to `high`, both included."""
        return tidy(self.rng.integers(low, high, shape, endpoint=True))

    def halves(self, *shape: int, low: int = -2, high: int = 2) -> Any:
        """Whole numbers and halves from `low` to `high`, both included."""
        return tidy(self.rng.integers(2 * low, 2 * high, shape, endpoint=True) / 2)

    def sparse(self, rows: int, columns: int, unit: float = 1) -> Any:
        """A weight: about half of it zero, the rest plus or minus `unit`; no row and no column all zero."""
        return self.weight((-unit, 0, 0, unit), rows, columns)

    def weight(self, options: Sequence[float], rows: int, columns: int) -> Any:
        """A weight with entries taken from `options`, no row and no column all zero."""
        while True:
            w = self.rng.choice(options, (rows, columns))
            if w.any(axis=0).all() and w.any(axis=1).all():
                return tidy(w)

    def weights(self, *shape: int) -> Any:
        """Rows of attention weights over three keys, [*shape, 3], in quarters."""
        return tidy(np.array(ROWS_OF_WEIGHTS)[self.rng.integers(len(ROWS_OF_WEIGHTS), size=shape)] / 4)

    def one_of(self, options: Sequence[Any], *shape: int) -> Any:
        """Entries taken from `options`; one alone without a shape."""
        return tidy(np.asarray(options)[self.rng.integers(len(options), size=shape)])


def tidy(numbers: Array) -> Any:
    """Nested lists in which a whole number is an integer."""
    if numbers.ndim:
        return [tidy(each) for each in numbers]
    number = float(numbers)
    return int(number) if number.is_integer() else number
