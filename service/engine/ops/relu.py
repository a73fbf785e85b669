"""ReLU: what is negative becomes zero (Vaswani et al. 2017, equation 2)."""

from __future__ import annotations

import numpy as np

from .op import Array, Op


def forward(x: Array) -> Array:
    """Return max(x, 0), shape as x."""
    return np.maximum(x, 0)


def vjp(grad: Array, _answer: Array, x: Array) -> tuple[Array]:
    """∂L/∂x = g where x > 0, and 0 elsewhere, at the kink too."""
    return (grad * (x > 0),)


RELU = Op("relu", forward, vjp, r"\operatorname{ReLU}\!\left({0}\right)")
