"""Softmax over the last axis: a row of scores becomes a row of weights that sums to one."""

from __future__ import annotations

from math import prod

import numpy as np

from .op import Array, Op, Shape
from .precision import least, row_dot, row_sum
from .rows import by_rows


@by_rows
def forward(scores: Array, out: Array | None = None) -> Array:
    """Return exp(s − max s) / Σ exp(s − max s), shape as `scores`; an all-masked row gives zeros.

    The shift keeps exp from overflowing and cancels in the quotient. The largest score counts as finite, so
    that −∞ less the largest is −∞; the sum counts as 1 at least, which it is unless all is masked.
    """
    top = np.maximum.reduce(scores, axis=-1, keepdims=True, initial=least(scores.dtype))
    weights = np.subtract(scores, top, out=out)
    np.exp(weights, out=weights)
    weights /= np.maximum(row_sum(weights), 1)
    return weights


def vjp(grad: Array, weights: Array, _scores: Array, out: Array | None = None) -> tuple[Array]:
    """∂L/∂s = a ⊙ (g − Σ g ⊙ a)."""
    return (pulled(grad, weights, out=out),)


@by_rows
def pulled(grad: Array, weights: Array, out: Array | None = None) -> Array:
    pulled = np.subtract(grad, row_dot(grad, weights), out=out)
    pulled *= weights
    return pulled


def fully_masked(weights: Array) -> str | None:
    """Say how many rows are all zero: those queries have no key to attend to.

    Only rows whose first weight is zero can be; looking there first costs next to nothing.
    """
    first = weights[..., 0]
    if np.count_nonzero(first) == first.size:
        return None
    suspects = weights[first == 0]
    n_rows = int((~suspects.any(axis=-1)).sum())
    if not n_rows:
        return None
    return f"{n_rows} of {prod(weights.shape[:-1])} query rows may attend to no key; their weights are zero"


def multiply_adds(answer: Shape, _scores: Shape) -> int:
    return 4 * prod(answer)


SOFTMAX = Op(
    "softmax",
    forward,
    vjp,
    r"\operatorname{softmax}\!\left({0}\right)",
    multiply_adds=multiply_adds,
    in_place=True,
    warn=fully_masked,
    warning_code="fully_masked_row",
)
