"""Scale the scores, so that their spread does not grow with d_head (Vaswani et al. 2017, section 3.2.1)."""

from __future__ import annotations

from .op import Array, Op


def forward(scores: Array, *, scale: float) -> Array:
    """Return c·s, shape as `scores`."""
    return scores * scores.dtype.type(scale)


def vjp(grad: Array, _answer: Array, scores: Array, *, scale: float) -> tuple[Array]:
    """∂L/∂s = c g."""
    return (grad * scores.dtype.type(scale),)


SCALE = Op("scale", forward, vjp, r"{scale} \cdot {0}")
