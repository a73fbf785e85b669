"""GELU in its tanh approximation, as GPT-2 has it (Hendrycks & Gimpel 2016, section 2).

½(1 + tanh u) is the logistic function of 2u, and that form keeps its relative accuracy in the negative tail.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
from scipy.special import expit

from .op import Array, Op
from .rows import by_rows

SLOPE = 2 * sqrt(2 / pi)
CUBIC = 0.044715


def gate(x: Array) -> Array:
    """Return ½(1 + tanh(√(2/π)(x + 0.044715 x³)))."""
    argument = x.dtype.type(SLOPE) * (x + x.dtype.type(CUBIC) * x * x * x)
    return np.asarray(expit(argument), dtype=x.dtype)


@by_rows
def forward(x: Array, out: Array | None = None) -> Array:
    """Return x·½(1 + tanh(√(2/π)(x + 0.044715 x³))), shape as x."""
    return np.multiply(x, gate(x), out=out)


def vjp(grad: Array, _answer: Array, x: Array, out: Array | None = None) -> tuple[Array]:
    """With p the gate:  ∂L/∂x = g (p + x p (1 − p) 2√(2/π)(1 + 3·0.044715 x²))."""
    return (pulled(grad, x, out=out),)


@by_rows
def pulled(grad: Array, x: Array, out: Array | None = None) -> Array:
    p = gate(x)
    inner = x.dtype.type(SLOPE) * (1 + x.dtype.type(3 * CUBIC) * x * x)
    return np.multiply(grad, p + x * p * (1 - p) * inner, out=out)


GELU_TANH = Op(
    "gelu_tanh",
    forward,
    vjp,
    r"\tfrac12 {0} \odot \left(1 + \tanh\!\left(\sqrt{2/\pi}\,({0} + 0.044715\,{0}^3)\right)\right)",
    in_place=True,
)
