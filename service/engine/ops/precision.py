"""Where half and single precision need more room than they have."""

from __future__ import annotations

from typing import Any

import numpy as np

from .op import Array


def statistic_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which a statistic is kept: at least float32.

    A mean of squares overflows float16 from 256 on (256² > 65,504) although the normalised row is harmless,
    so float16 blocks keep their statistics in float32, as every framework does.
    """
    return np.promote_types(dtype, np.float32)


def row_mean(values: Array, like: np.dtype[Any]) -> Array:
    """Mean over the last axis, [..., n] -> [...], summed in float64 and kept in `statistic_dtype(like)`."""
    total = np.add.reduce(values, axis=-1, dtype=np.float64)
    return np.asarray(total / values.shape[-1], dtype=statistic_dtype(like))


def row_sum(values: Array) -> Array:
    """Sum over the last axis, kept as an axis of one; float16 is summed in float32."""
    wide = statistic_dtype(values.dtype)
    return np.add.reduce(values, axis=-1, keepdims=True, dtype=wide).astype(values.dtype, copy=False)


def matmul(left: Array, right: Array) -> Array:
    """Matrix product over the last two axes; float16 is multiplied in float32, where BLAS can help."""
    if left.dtype != np.float16:
        return left @ right
    return (left.astype(np.float32) @ right.astype(np.float32)).astype(np.float16)
