"""Bring a row to mean square one, keeping its mean (Zhang & Sennrich 2019, equation 4, ε inside the root)."""

from __future__ import annotations

from .op import Array, Op, shape_with_statistics
from .precision import wide
from .standardize import inverse_root


def forward(x: Array, mean_square: Array, *, epsilon: float) -> Array:
    """Return x / √(mean square + ε), shape as x [..., n]."""
    return (x * inverse_root(mean_square, epsilon).astype(wide(x.dtype))).astype(x.dtype, copy=False)


def vjp(grad: Array, answer: Array, x: Array, mean_square: Array, *, epsilon: float) -> tuple[Array, Array]:
    """With s = 1/√(mean square + ε):  ∂L/∂x = g s,  ∂L/∂(mean square) = −½ Σ g x̂ s²."""
    s = inverse_root(mean_square, epsilon)
    by_x = grad * s
    return by_x.astype(x.dtype, copy=False), -0.5 * (by_x * answer).sum(axis=-1) * s[..., 0]


RMS_STANDARDIZE = Op(
    "rms_standardize", forward, vjp, r"\frac{{0}}{\sqrt{{1} + \varepsilon}}", shape_with_statistics
)
