"""Softmax over the last axis: a row of scores becomes a row of weights that sums to one."""

from __future__ import annotations

from math import prod

import numpy as np

from .op import Array, Op, Shape
from .precision import row_sum


def forward(scores: Array) -> Array:
    """Return exp(s − max s) / Σ exp(s − max s), shape as `scores`; an all-masked row gives zeros.

    The shift keeps exp from overflowing and cancels in the quotient.
    """
    top = scores.max(axis=-1, keepdims=True)
    top[np.isneginf(top)] = 0
    weights = scores - top
    np.exp(weights, out=weights)
    total = row_sum(weights)
    total[total == 0] = 1
    weights /= total
    return weights


def vjp(grad: Array, weights: Array, _scores: Array) -> tuple[Array]:
    """∂L/∂s = a ⊙ (g − Σ g ⊙ a)."""
    return (weights * (grad - row_sum(grad * weights)),)


def fully_masked(weights: Array) -> str | None:
    """Say how many rows are all zero: those queries have no key to attend to.

    Only rows whose first weight is zero can be; looking there first costs next to nothing.
    """
    suspects = weights[weights[..., 0] == 0]
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
    warn=fully_masked,
    warning_code="fully_masked_row",
)
