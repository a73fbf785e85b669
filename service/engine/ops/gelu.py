"""GELU in its exact form, by the error function (Hendrycks & Gimpel 2016, section 2)."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
from scipy.special import erfc

from .op import Array, Op
from .rows import by_rows


def phi(x: Array) -> Array:
    """Return Φ(x), the standard normal distribution function, as erfc(−x/√2)/2.

    erfc keeps its relative accuracy where 1 + erf(x/√2) would cancel to nothing (x below −5).
    """
    return (0.5 * erfc(x * x.dtype.type(-1 / sqrt(2)))).astype(x.dtype, copy=False)


@by_rows
def forward(x: Array, out: Array | None = None) -> Array:
    """Return x Φ(x), shape as x."""
    return np.multiply(x, phi(x), out=out)


def vjp(grad: Array, _answer: Array, x: Array, out: Array | None = None) -> tuple[Array]:
    """∂L/∂x = g (Φ(x) + x φ(x)), φ the normal density."""
    return (pulled(grad, x, out=out),)


@by_rows
def pulled(grad: Array, x: Array, out: Array | None = None) -> Array:
    density = np.exp(-0.5 * x * x) * x.dtype.type(1 / sqrt(2 * pi))
    return np.multiply(grad, phi(x) + x * density, out=out)


GELU = Op("gelu", forward, vjp, r"{0} \odot \Phi\!\left({0}\right)", in_place=True)
