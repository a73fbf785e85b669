"""Put the heads of one token side by side again, head 0 first."""

from __future__ import annotations

from .op import Array, Op, Shape
from .project_heads import join, split


def forward(heads: Array) -> Array:
    """Return [..., head, query, d_head] as rows [..., token, concat]."""
    return join(heads)


def vjp(grad: Array, _answer: Array, heads: Array) -> tuple[Array]:
    """Cut the gradient of the row into heads."""
    return (split(grad, heads.shape[-3]),)


def shape(heads: Shape) -> Shape:
    *batch, head, query, d_head = heads
    return (*batch, query, head * d_head)


def multiply_adds(_answer: Shape, _heads: Shape) -> int:
    return 0


MERGE_HEADS = Op(
    "merge_heads", forward, vjp, r"\operatorname{concat}\!\left({0}\right)", shape, multiply_adds
)
