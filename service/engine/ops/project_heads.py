"""Queries, keys and values: one affine map of the row, its answer cut into heads.

Head h owns columns h·d_head … (h+1)·d_head of the weight (Vaswani et al. 2017, section 3.2.2, the
per-head matrices W_i side by side).
"""

from __future__ import annotations

from . import linear
from .op import Array, Op, Shape


def split(rows: Array, n: int) -> Array:
    """[..., token, n·d_head] -> [..., n, token, d_head], a view."""
    return rows.reshape(*rows.shape[:-1], n, -1).swapaxes(-2, -3)


def join(heads: Array) -> Array:
    """[..., n, token, d_head] -> [..., token, n·d_head], the inverse of `split`."""
    rows = heads.swapaxes(-2, -3)
    return rows.reshape(*rows.shape[:-2], -1)


def forward(x: Array, w: Array, b: Array, *, n: int) -> Array:
    """Return x W + b cut into n heads, for x [..., token, d_model]: shape [..., n, token, d_head]."""
    return split(linear.forward(x, w, b), n)


def vjp(
    grad: Array,
    answer: Array,
    x: Array,
    w: Array,
    b: Array,
    *,
    n: int,
    wanted: tuple[bool, ...] = linear.ALL,
) -> linear.Gradients:
    """Join the heads' gradients, then as for the affine map."""
    return linear.vjp(join(grad), answer, x, w, b, wanted)


def shape(x: Shape, w: Shape, b: Shape, *, n: int) -> Shape:
    *batch, token, columns = linear.shape(x, w, b)
    return (*batch, n, token, columns // n)


def multiply_adds(answer: Shape, _x: Shape, w: Shape, _b: Shape, *, n: int) -> int:
    return linear.multiply_adds(answer, _x, w, _b)


PROJECT_HEADS = Op(
    "project_heads",
    forward,
    vjp,
    r"\operatorname{heads}\!\left({0} {1} + {2}\right)",
    shape,
    multiply_adds,
    product=True,
    selective=True,
)
