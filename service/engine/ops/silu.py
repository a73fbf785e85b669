"""SiLU, also called Swish: x times its own logistic gate (Hendrycks & Gimpel 2016; Ramachandran 2017)."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from .op import Array, Op
from .rows import by_rows


@by_rows
def forward(x: Array, out: Array | None = None) -> Array:
    """Return x / (1 + e^(−x)), shape as x."""
    return np.multiply(x, np.asarray(expit(x), dtype=x.dtype), out=out)


def vjp(grad: Array, _answer: Array, x: Array, out: Array | None = None) -> tuple[Array]:
    """With p = 1/(1 + e^(−x)):  ∂L/∂x = g p (1 + x (1 − p))."""
    return (pulled(grad, x, out=out),)


@by_rows
def pulled(grad: Array, x: Array, out: Array | None = None) -> Array:
    p = np.asarray(expit(x), dtype=x.dtype)
    return np.multiply(grad, p * (1 + x * (1 - p)), out=out)


SILU = Op("silu", forward, vjp, r"{0} \odot \operatorname{sigmoid}\!\left({0}\right)", in_place=True)
