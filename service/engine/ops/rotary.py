"""Rotary positions: turn pairs of features by an angle that grows with the position (Su et al. 2021, eq. 34).

Pair i turns by position·θ^(−2i/d_head). The layouts differ in which features make a pair: `half` pairs i with
i + d_head/2 (GPT-NeoX, Llama in transformers), `interleaved` pairs 2i with 2i + 1 (the paper). They are
different functions; weights trained for one give nonsense under the other.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from .op import Array, Misfit, Op, Shape

Layout = Literal["half", "interleaved"]


def angles(n_tokens: int, d_head: int, theta: float) -> Array:
    """Return position·θ^(−2i/d_head) in radians, shape [token, d_head/2]."""
    return np.outer(np.arange(n_tokens), theta ** (-np.arange(0, d_head, 2) / d_head))


def turn(rows: Array, layout: Layout, theta: float, direction: int) -> Array:
    """Turn every pair of rows [..., token, d_head] by its angle, forwards (+1) or back (−1)."""
    n_tokens, d_head = rows.shape[-2:]
    angle = direction * angles(n_tokens, d_head, theta)
    cos, sin = np.cos(angle).astype(rows.dtype), np.sin(angle).astype(rows.dtype)
    half = d_head // 2
    first, second = (
        (slice(None, half), slice(half, None)) if layout == "half" else (slice(0, None, 2), slice(1, None, 2))
    )
    a, b = rows[..., first], rows[..., second]
    turned = np.empty_like(rows)
    turned[..., first] = a * cos - b * sin
    turned[..., second] = a * sin + b * cos
    return turned


def forward(rows: Array, *, layout: Layout, theta: float) -> Array:
    """Return the rotated rows, shape as `rows` [..., head, token, d_head]."""
    return turn(rows, layout, theta, +1)


def vjp(grad: Array, _answer: Array, _rows: Array, *, layout: Layout, theta: float) -> tuple[Array]:
    """∂L/∂q: turn the gradient back by the same angles."""
    return (turn(grad, layout, theta, -1),)


def shape(rows: Shape, *, layout: Layout, theta: float) -> Shape:
    if rows[-1] % 2:
        raise Misfit(
            f"rotary positions turn pairs of features, and d_head {rows[-1]} is odd",
            pointer="/block/position/rope",
        )
    return rows


ROTARY = Op("rotary", forward, vjp, r"R_{\theta}\, {0}", shape)
