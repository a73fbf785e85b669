"""Scores: how well each query matches each key (Vaswani et al. 2017, equation 1, before scaling)."""

from __future__ import annotations

from math import prod

from .grouping import check_groups, gather, share
from .op import Array, Misfit, Op, Shape
from .precision import matmul


def forward(query: Array, key: Array) -> Array:
    """Return Q Kᵀ for Q [..., head, query, d_head] and K [..., kv_head, key, d_head]."""
    return matmul(query, share(key, query.shape[-3]).swapaxes(-1, -2))


def vjp(grad: Array, _answer: Array, query: Array, key: Array) -> tuple[Array, Array]:
    """∂L/∂Q = g K,  ∂L/∂K = gᵀ Q."""
    by_query = matmul(grad, share(key, query.shape[-3]))
    by_key = matmul(grad.swapaxes(-1, -2), query)
    return by_query, gather(by_key, key.shape[-3])


def shape(query: Shape, key: Shape) -> Shape:
    check_groups(query, key)
    if query[-1] != key[-1]:
        raise Misfit(f"queries of d_head {query[-1]} do not fit keys of d_head {key[-1]}")
    return (*query[:-1], key[-2])


def multiply_adds(answer: Shape, query: Shape, _key: Shape) -> int:
    return prod(answer) * query[-1]


DOT_PRODUCT = Op("dot_product", forward, vjp, r"{0} {1}^{\top}", shape, multiply_adds, product=True)
