"""The mean of one row's features (Ba et al. 2016, equation 3)."""

from __future__ import annotations

import numpy as np

from .op import Array, Op, shape_of_rows
from .precision import row_mean


def forward(x: Array) -> Array:
    """Return μ = Σ x / n over the last axis, [..., n] -> [...]."""
    return row_mean(x)


def vjp(grad: Array, _answer: Array, x: Array) -> tuple[Array]:
    """∂L/∂x = g / n, for every feature."""
    return (np.broadcast_to((grad / x.shape[-1])[..., None], x.shape).astype(x.dtype),)


MEAN = Op("mean", forward, vjp, r"\frac1n \sum_k {0}_{k}", shape_of_rows, statistic=True)
