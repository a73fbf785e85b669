"""The affine map of a row, x W + b: a weight row for each feature in, a column for each feature out."""

from __future__ import annotations

from math import prod

from .op import Array, Misfit, Op, Shape
from .precision import matmul

Gradients = tuple[Array | None, Array | None, Array | None]
ALL = (True, True, True)


def rows(x: Array) -> Array:
    """View x [..., d] as one matrix [rows, d], so that a batch is still a single product."""
    return x if x.ndim == 2 else x.reshape(-1, x.shape[-1])


def forward(x: Array, w: Array, b: Array) -> Array:
    """Return x W + b for x [..., in], W [in, out], b [out]: shape [..., out]."""
    y = matmul(rows(x), w)
    y += b
    return y if x.ndim == 2 else y.reshape(*x.shape[:-1], w.shape[1])


def vjp(
    grad: Array, _answer: Array, x: Array, w: Array, b: Array, wanted: tuple[bool, ...] = ALL
) -> Gradients:
    """∂L/∂x = g Wᵀ,  ∂L/∂W = xᵀ g,  ∂L/∂b = Σ g over the rows."""
    g = rows(grad)
    return (
        matmul(g, w.T).reshape(x.shape) if wanted[0] else None,
        matmul(rows(x).T, g) if wanted[1] else None,
        g.sum(axis=0) if wanted[2] else None,
    )


def shape(x: Shape, w: Shape, _b: Shape) -> Shape:
    if x[-1] != w[0]:
        raise Misfit(f"rows of {x[-1]} features do not fit a weight for {w[0]}")
    return (*x[:-1], w[1])


def multiply_adds(answer: Shape, _x: Shape, w: Shape, _b: Shape) -> int:
    return prod(answer) * w[0]


LINEAR = Op("linear", forward, vjp, r"{0} {1} + {2}", shape, multiply_adds, product=True, selective=True)
