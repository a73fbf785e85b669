"""Soft capping: squash scores smoothly into (−cap, cap) (Gemma 2 report 2024, section 2)."""

from __future__ import annotations

import numpy as np

from .op import Array, Op
from .precision import wide


def forward(scores: Array, *, softcap: float) -> Array:
    """Return cap·tanh(s / cap), shape as `scores`."""
    cap = wide(scores.dtype).type(softcap)
    return (cap * np.tanh(scores / cap)).astype(scores.dtype, copy=False)


def vjp(grad: Array, answer: Array, _scores: Array, *, softcap: float) -> tuple[Array]:
    """∂L/∂s = g (1 − tanh²(s / cap)), and the answer over cap is that tanh."""
    tanh = answer / wide(answer.dtype).type(softcap)
    return ((grad * (1 - tanh**2)).astype(grad.dtype, copy=False),)


SOFTCAP = Op("softcap", forward, vjp, r"{softcap} \tanh\!\left({0} / {softcap}\right)")
