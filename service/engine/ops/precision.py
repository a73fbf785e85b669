"""Where half and single precision need more room than they have."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .op import Array

STATISTIC = np.float64
"""Means, variances and mean squares are kept in float64 whatever the block's dtype.

A mean of squares leaves float16 from 256 on and float32 from 1.9e19 on, although the normalised row is
harmless; frameworks widen here too.
"""


@cache
def wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which rows of this dtype are worked on: float32 for float16, otherwise its own."""
    return np.promote_types(dtype, np.float32)


@cache
def least(dtype: np.dtype[Any]) -> float:
    """The least finite number of a dtype."""
    return float(np.finfo(dtype).min)


def row_mean(values: Array) -> Array:
    """Mean over the last axis, [..., n] -> [...], summed and kept in float64."""
    return np.add.reduce(values, -1, STATISTIC) / values.shape[-1]


def row_mean_square(values: Array) -> Array:
    """Mean of squares over the last axis, [..., n] -> [...], squared, summed and kept in float64."""
    values = values.astype(STATISTIC, copy=False)
    return np.vecdot(values, values) / values.shape[-1]


def row_dot(left: Array, right: Array) -> Array:
    """Sum of products over the last axis, kept as an axis of one; float16 is multiplied in float32."""
    working = wide(left.dtype)
    dot = np.vecdot(left.astype(working, copy=False), right.astype(working, copy=False))
    return dot[..., None].astype(left.dtype, copy=False)


def row_sum(values: Array) -> Array:
    """Sum over the last axis, kept as an axis of one; float16 is summed in float32."""
    total = np.add.reduce(values, axis=-1, keepdims=True, dtype=wide(values.dtype))
    return total.astype(values.dtype, copy=False)


def matmul(left: Array, right: Array) -> Array:
    """Matrix product over the last two axes; float16 is multiplied in float32, where BLAS can help.

    Of two matrices, `dot` is the same product with half the ceremony, which small blocks notice.
    """
    if left.dtype.itemsize > 2:
        return np.dot(left, right) if left.ndim == 2 else np.matmul(left, right)
    return (left.astype(np.float32) @ right.astype(np.float32)).astype(np.float16)
