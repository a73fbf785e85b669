"""Standardise a row: mean zero, variance one, with ε inside the root (Ba et al. 2016, equation 4)."""

from __future__ import annotations

import numpy as np

from .op import Array, Op, shape_with_statistics
from .precision import wide


def inverse_root(variance: Array, epsilon: float) -> Array:
    """Return 1/√(σ² + ε) in float64 as a column, [...] -> [..., 1]."""
    return 1 / np.sqrt(variance[..., None] + epsilon)


def forward(x: Array, mean: Array, variance: Array, *, epsilon: float) -> Array:
    """Return (x − μ) / √(σ² + ε), shape as x [..., n]."""
    working = wide(x.dtype)
    normalized = x - mean.astype(working, copy=False)[..., None]
    normalized /= np.sqrt(variance + epsilon).astype(working, copy=False)[..., None]
    return normalized.astype(x.dtype, copy=False)


def vjp(
    grad: Array, answer: Array, x: Array, _mean: Array, variance: Array, *, epsilon: float
) -> tuple[Array, Array, Array]:
    """With s = 1/√(σ² + ε):  ∂L/∂x = g s,  ∂L/∂μ = −Σ g s,  ∂L/∂σ² = −½ Σ g x̂ s²."""
    s = inverse_root(variance, epsilon)
    by_x = grad * s
    by_variance = -0.5 * (by_x * answer).sum(axis=-1) * s[..., 0]
    return by_x.astype(x.dtype, copy=False), -by_x.sum(axis=-1), by_variance


STANDARDIZE = Op(
    "standardize", forward, vjp, r"\frac{{0} - {1}}{\sqrt{{2} + \varepsilon}}", shape_with_statistics
)
