"""The learned gain of RMSNorm, one factor a feature (Zhang & Sennrich 2019, equation 4)."""

from __future__ import annotations

from .linear import ALL, rows
from .op import Array, Op, shape_of_first


def forward(normalized: Array, gamma: Array) -> Array:
    """Return γ ⊙ x̂ for x̂ [..., n], γ [n]."""
    return gamma * normalized


def vjp(
    grad: Array, _answer: Array, normalized: Array, gamma: Array, wanted: tuple[bool, ...] = ALL
) -> tuple[Array, Array | None]:
    """∂L/∂x̂ = γ ⊙ g,  ∂L/∂γ = Σ g ⊙ x̂ over the rows."""
    return gamma * grad, rows(grad * normalized).sum(axis=0) if wanted[1] else None


GAIN = Op("gain", forward, vjp, r"{1} \odot {0}", shape_of_first, selective=True)
