"""The gate of a gated feed-forward network: one branch scales the other (Shazeer 2020, equation 5)."""

from __future__ import annotations

from .op import Array, Op


def forward(gate: Array, up: Array) -> Array:
    """Return gate ⊙ up; both have one shape."""
    return gate * up


def vjp(grad: Array, _answer: Array, gate: Array, up: Array) -> tuple[Array, Array]:
    """∂L/∂gate = g ⊙ up,  ∂L/∂up = g ⊙ gate."""
    return grad * up, grad * gate


MULTIPLY = Op("multiply", forward, vjp, r"{0} \odot {1}")
