"""The residual: what was there, plus what was read (He et al. 2016, equation 1)."""

from __future__ import annotations

from .op import Array, Op


def forward(x: Array, update: Array) -> Array:
    """Return x + Δ; both have one shape, and nothing is stretched."""
    return x + update


def vjp(grad: Array, _answer: Array, _x: Array, _update: Array) -> tuple[Array, Array]:
    """∂L/∂x = g,  ∂L/∂Δ = g: the sum hands its gradient to both."""
    return grad, grad


ADD = Op("add", forward, vjp, r"{0} + {1}")
