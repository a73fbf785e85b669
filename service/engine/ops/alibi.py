"""Attention with linear biases: a far key costs each head a slope a step (Press et al. 2022, section 3)."""

from __future__ import annotations

from functools import lru_cache
from math import floor, log2

import numpy as np

from .mask import Alignment, positions
from .op import Array, Op, Shape


@lru_cache(maxsize=64)
def slopes(n_heads: int) -> tuple[float, ...]:
    """One slope a head: the geometric series 2^(−8/n), 2^(−16/n), …; for n no power of two, the series of
    the next smaller power, continued with every other slope of the next larger one (the authors' code)."""
    power = 2 ** floor(log2(n_heads))
    series = [2 ** (-8 * (i + 1) / power) for i in range(power)]
    between = [2 ** (-4 * (i + 1) / power) for i in range(0, 2 * (n_heads - power), 2)]
    return (*series, *between)


def bias(scores: Shape, alignment: Alignment) -> Array:
    """Return −slope·|query − key|, [head, query, key], for scores of that shape; a distance, so that it also
    serves where every token is visible."""
    n_heads, n_queries, n_keys = scores[-3:]
    query, key = positions(n_queries, n_keys, alignment)
    return -np.asarray(slopes(n_heads))[:, None, None] * abs(query - key)


def forward(scores: Array, *, alignment: Alignment) -> Array:
    """Return s − slope·distance for s [..., head, query, key]."""
    return scores + bias(scores.shape, alignment).astype(scores.dtype)


def vjp(grad: Array, _answer: Array, _scores: Array, *, alignment: Alignment) -> tuple[Array]:
    """∂L/∂s = g: the bias is a constant."""
    return (grad,)


ALIBI = Op("alibi", forward, vjp, r"{0} - m_h \left|i - j\right|")
