"""Soft capping: squash scores smoothly into (−cap, cap) (Gemma 2 report 2024, section 2)."""

from __future__ import annotations

import numpy as np

from .op import Array, Op


def forward(scores: Array, *, softcap: float) -> Array:
    """Return cap·tanh(s / cap), shape as `scores`."""
    cap = scores.dtype.type(softcap)
    return cap * np.tanh(scores / cap)


def vjp(grad: Array, answer: Array, _scores: Array, *, softcap: float) -> tuple[Array]:
    """∂L/∂s = g (1 − tanh²(s / cap)), and the answer over cap is that tanh."""
    return (grad * (1 - (answer / answer.dtype.type(softcap)) ** 2),)


SOFTCAP = Op("softcap", forward, vjp, r"{softcap} \tanh\!\left({0} / {softcap}\right)")
