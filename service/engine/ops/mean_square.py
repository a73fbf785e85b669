"""The mean square of one row's features (Zhang & Sennrich 2019, equation 4)."""

from __future__ import annotations

from .op import Array, Op, shape_of_rows
from .precision import row_mean_square
from .rows import by_rows


@by_rows
def forward(x: Array) -> Array:
    """Return Σ x² / n over the last axis, [..., n] -> [...]; squared in float64, where it cannot overflow."""
    return row_mean_square(x)


def vjp(grad: Array, _answer: Array, x: Array) -> tuple[Array]:
    """∂L/∂x = 2 g x / n."""
    return (((2 / x.shape[-1]) * grad[..., None] * x).astype(x.dtype, copy=False),)


MEAN_SQUARE = Op("mean_square", forward, vjp, r"\frac1n \sum_k {0}_{k}^2", shape_of_rows, statistic=True)
