"""What each head reads: the values, averaged by the weights (Vaswani et al. 2017, equation 1)."""

from __future__ import annotations

from math import prod

from .grouping import check_groups, gather, share
from .op import Array, Misfit, Op, Shape
from .precision import matmul


def forward(weights: Array, value: Array) -> Array:
    """Return A V for A [..., head, query, key], V [..., kv_head, key, d_head]: [..., head, query, d_head]."""
    return matmul(weights, share(value, weights.shape[-3]))


def vjp(grad: Array, _answer: Array, weights: Array, value: Array) -> tuple[Array, Array]:
    """∂L/∂A = g Vᵀ,  ∂L/∂V = Aᵀ g."""
    by_weights = matmul(grad, share(value, weights.shape[-3]).swapaxes(-1, -2))
    by_value = matmul(weights.swapaxes(-1, -2), grad)
    return by_weights, gather(by_value, value.shape[-3])


def shape(weights: Shape, value: Shape) -> Shape:
    check_groups(weights, value)
    if weights[-1] != value[-2]:
        raise Misfit(f"weights over {weights[-1]} keys do not fit {value[-2]} values")
    return (*weights[:-1], value[-1])


def multiply_adds(answer: Shape, weights: Shape, _value: Shape) -> int:
    return prod(answer) * weights[-1]


WEIGHTED_SUM = Op("weighted_sum", forward, vjp, r"{0} {1}", shape, multiply_adds, product=True)
