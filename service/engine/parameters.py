"""The learned arrays: their names, axes, and what they are when nobody sends them.

A bias or shift is zero and a gain one unless sent. A weight has no such default: it is sent, or drawn from
the request's seed, normal with mean 0 and standard deviation 1/√fan_in, from the stream named after it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .graph import Graph, Leaf
from .ops import Array, Shape
from .seeding import generator


def affine(g: Graph, scope: str, suffix: str, axes: tuple[str, str], symbol: str) -> tuple[str, str]:
    """Declare a weight [in, out] and its bias [out], and return their names."""
    below = symbol if len(symbol) == 1 else rf"\mathrm{{{symbol}}}"
    w = g.leaf(f"{scope}.w_{suffix}", *axes, kind="parameter", symbol=f"W_{{{below}}}", initial="draw")
    b = g.leaf(f"{scope}.b_{suffix}", axes[1], kind="parameter", symbol=f"b_{{{below}}}", initial=0.0)
    return w, b


def gain_only(g: Graph, scope: str) -> str:
    """Declare γ [d_model], all ones unless sent."""
    return g.leaf(f"{scope}.gamma", "d_model", kind="parameter", symbol=r"\gamma", initial=1.0)


def gain_with_shift(g: Graph, scope: str) -> tuple[str, str]:
    """Declare γ [d_model], all ones unless sent, and β [d_model], all zeros unless sent."""
    gamma = gain_only(g, scope)
    return gamma, g.leaf(f"{scope}.beta", "d_model", kind="parameter", symbol=r"\beta", initial=0.0)


def initial_value(leaf: Leaf, shape: Shape, dtype: np.dtype[Any], seed: int | None) -> Array:
    """What a parameter is when it is not sent; a weight is drawn in float64, then rounded.

    The plan has refused a missing weight without a seed.
    """
    if leaf.initial == 0:
        return np.zeros(shape, dtype)
    if leaf.initial != "draw" or seed is None:
        return np.full(shape, leaf.initial, dtype=dtype)
    fan_in = shape[0]
    return (generator(seed, leaf.name).standard_normal(shape) / np.sqrt(fan_in)).astype(dtype)
