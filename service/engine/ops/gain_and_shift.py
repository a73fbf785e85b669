"""The learned gain and shift of LayerNorm, one pair a feature (Ba et al. 2016, equation 4)."""

from __future__ import annotations

from . import gain
from .linear import rows
from .op import Array, Op, shape_of_first


def forward(normalized: Array, gamma: Array, beta: Array) -> Array:
    """Return γ ⊙ x̂ + β for x̂ [..., n], γ and β [n]."""
    y = gain.forward(normalized, gamma)
    y += beta
    return y


def vjp(
    grad: Array, answer: Array, normalized: Array, gamma: Array, _beta: Array
) -> tuple[Array, Array, Array]:
    """∂L/∂x̂ = γ ⊙ g,  ∂L/∂γ = Σ g ⊙ x̂,  ∂L/∂β = Σ g over the rows."""
    return *gain.vjp(grad, answer, normalized, gamma), rows(grad).sum(axis=0)


GAIN_AND_SHIFT = Op("gain_and_shift", forward, vjp, r"{1} \odot {0} + {2}", shape_of_first)
