"""Inverted dropout: some entries become zero, the rest grow to keep the mean (Srivastava et al. 2014)."""

from __future__ import annotations

from ..seeding import generator
from .op import Array, Op, Shape


def factors(shape: Shape, *, rate: float, seed: int, stream: str) -> Array:
    """Return 0 with probability `rate` and 1/(1 − rate) otherwise, the same numbers whenever asked again."""
    survives = generator(seed, stream).random(shape) >= rate
    return survives / (1 - rate)


def forward(values: Array, *, rate: float, seed: int, stream: str) -> Array:
    """Return d ⊙ a with d from `factors`, shape as `values`."""
    return values * factors(values.shape, rate=rate, seed=seed, stream=stream).astype(values.dtype)


def vjp(grad: Array, _answer: Array, _values: Array, *, rate: float, seed: int, stream: str) -> tuple[Array]:
    """∂L/∂a = d ⊙ g, with the same d."""
    return (grad * factors(grad.shape, rate=rate, seed=seed, stream=stream).astype(grad.dtype),)


DROPOUT = Op("dropout", forward, vjp, r"\operatorname{dropout}_{{rate}}\!\left({0}\right)")
