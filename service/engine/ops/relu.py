"""ReLU: what is negative becomes zero (Vaswani et al. 2017, equation 2)."""

from __future__ import annotations

import numpy as np

from .op import Array, Op
from .rows import by_rows


@by_rows
def forward(x: Array, out: Array | None = None) -> Array:
    """Return max(x, 0), shape as x."""
    return np.maximum(x, 0, out=out)


def vjp(grad: Array, _answer: Array, x: Array, out: Array | None = None) -> tuple[Array]:
    """∂L/∂x = g where x > 0, and 0 elsewhere, at the kink too."""
    return (pulled(grad, x, out=out),)


@by_rows
def pulled(grad: Array, x: Array, out: Array | None = None) -> Array:
    return np.multiply(grad, x > 0, out=out)


RELU = Op("relu", forward, vjp, r"\operatorname{ReLU}\!\left({0}\right)", in_place=True)
