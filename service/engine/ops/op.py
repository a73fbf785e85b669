"""What an op is: an equation, its backward in the same words, its formula, and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int, ...]


class Misfit(ValueError):
    """Two operands of one op do not fit; the planner adds the names and turns it into a `ShapeMismatch`.

    `pointer` is where the request says so, if it is a choice rather than an array that does not fit.
    """

    def __init__(self, reason: str, *, pointer: str = "") -> None:
        self.pointer = pointer
        super().__init__(reason)


def same_shape(*shapes: Shape, **_options: Any) -> Shape:
    """Shape of an element-wise op: all operands have one shape, which is the answer's.

    Nothing is stretched: a residual of one token and three tokens is a mistake, not a broadcast.
    """
    if any(shape != shapes[0] for shape in shapes):
        raise Misfit(" and ".join(map(str, map(list, shapes))) + " are not one shape")
    return shapes[0]


def shape_of_first(first: Shape, *_parameters: Shape, **_options: Any) -> Shape:
    """Shape of an op whose answer is as its first operand, the others being parameters of it."""
    return first


def shape_of_rows(first: Shape, *statistics: Shape, **_options: Any) -> Shape:
    """Shape of a statistic, one number a row of the first operand; so are the statistics it rests on."""
    if any(shape != first[:-1] for shape in statistics):
        raise Misfit(f"rows {list(first[:-1])} need one statistic each")
    return first[:-1]


def shape_with_statistics(first: Shape, *statistics: Shape, **_options: Any) -> Shape:
    """Shape of an op whose answer is as its first operand, the others being one statistic a row."""
    shape_of_rows(first, *statistics)
    return first


def one_each(answer: Shape, *_shapes: Shape, **_options: Any) -> int:
    """Multiply-adds of an element-wise op: one an element."""
    return prod(answer)


@dataclass(frozen=True, slots=True)
class Op:
    """One equation of the block.

    `forward(*inputs, **options)` returns the value. `vjp(grad, answer, *inputs, **options)` returns one
    gradient an input (None where the input is no number to differentiate by); an op with parameters also
    takes `wanted`, one flag an input, and may return None for what is not wanted. `latex` is the right-hand
    side with `{0}`, `{1}` for the symbols of the inputs and `{name}` for options. `shape` gives the shape of
    the answer from the shapes of the inputs, or raises `Misfit`; `multiply_adds` the work, from the answer's
    shape and the inputs' shapes. All of them accept any number of leading batch axes.
    """

    name: str
    forward: Callable[..., Array]
    vjp: Callable[..., tuple[Array | None, ...]]
    latex: str
    shape: Callable[..., Shape] = same_shape
    multiply_adds: Callable[..., int] = one_each
    product: bool = False
    """A matrix product, which raises no floating-point flags of its own."""
    statistic: bool = False
    """One number a row, kept in `precision.STATISTIC` whatever the block's dtype."""
    selective: bool = False
    """`vjp` takes `wanted`, so that a gradient by x alone never multiplies out the weights' gradients."""
    in_place: bool = False
    """`forward` and `vjp` take `out`, as NumPy's functions do, and may be given their first array for it."""
    warn: Callable[[Array], str | None] | None = None
    """Look at the answer for something a reader must be told; returns the detail of the warning."""
    warning_code: str = ""
