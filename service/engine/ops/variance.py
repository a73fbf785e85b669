"""The population variance of one row's features: divided by n, in two passes (Ba et al. 2016, equation 3).

The one-pass form E[x²] − E[x]² cancels for rows with a large mean, down to negative variances.
"""

from __future__ import annotations

from math import prod

from .op import Array, Op, Shape, shape_of_rows
from .precision import row_mean_square
from .rows import by_rows


@by_rows
def forward(x: Array, mean: Array) -> Array:
    """Return σ² = Σ (x − μ)² / n over the last axis, [..., n] -> [...]."""
    return row_mean_square(x - mean[..., None])


def vjp(grad: Array, _answer: Array, x: Array, mean: Array) -> tuple[Array, Array]:
    """∂L/∂x = 2 g (x − μ) / n,  ∂L/∂μ = −Σ 2 g (x − μ) / n, which is zero where μ is the mean itself."""
    by_x = (2 / x.shape[-1]) * grad[..., None] * (x - mean[..., None])
    return by_x.astype(x.dtype, copy=False), -by_x.sum(axis=-1)


def multiply_adds(_answer: Shape, x: Shape, _mean: Shape) -> int:
    return 2 * prod(x)


VARIANCE = Op(
    "variance",
    forward,
    vjp,
    r"\frac1n \sum_k \left({0}_{k} - {1}\right)^2",
    shape_of_rows,
    multiply_adds,
    statistic=True,
)
