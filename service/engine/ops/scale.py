"""Scale the scores, so that their spread does not grow with d_head (Vaswani et al. 2017, section 3.2.1)."""

from __future__ import annotations

import numpy as np

from .op import Array, Op
from .rows import by_rows


@by_rows
def forward(scores: Array, *, scale: float, out: Array | None = None) -> Array:
    """Return c·s, shape as `scores`."""
    if scores.dtype == np.float16:  # which the scale itself may not fit
        return (scores.astype(np.float32) * np.float32(scale)).astype(np.float16)
    return np.multiply(scores, scores.dtype.type(scale), out=out)


def vjp(
    grad: Array, _answer: Array, _scores: Array, *, scale: float, out: Array | None = None
) -> tuple[Array]:
    """∂L/∂s = c g."""
    return (forward(grad, scale=scale, out=out),)


SCALE = Op("scale", forward, vjp, r"{scale} \cdot {0}", in_place=True)
