"""What-ifs: edit a step's value right after it is computed, and say how many elements changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..errors import InvalidRequest, Misread, ShapeMismatch, UnknownName
from .ops import Array, Shape
from .reading import as_count, as_list, as_number, as_object, as_string, as_tensor, escape, kind_of

ACTIONS = ("set", "scale", "add")


@dataclass(frozen=True, slots=True, eq=False)
class Intervention:
    """One edit of one step: `set` to a number or array, `scale` by a number, or `add` a number or array.

    `where` maps axes of the step to the indices touched; without it the whole step is. An array broadcasts
    from the right to the touched region, as in NumPy.
    """

    step: str
    action: str
    amount: float | Array
    where: Mapping[str, tuple[int, ...]] | None = None
    pointer: str = ""

    @classmethod
    def from_data(cls, data: Any, pointer: str) -> Self:
        known = as_object(data, pointer, ("step", *ACTIONS, "where"))
        if "step" not in known:
            raise InvalidRequest(
                "an intervention names its step", pointer=f"{pointer}/step", expected="a step"
            )
        actions = [name for name in ACTIONS if name in known]
        if len(actions) != 1:
            raise InvalidRequest(
                "an intervention does exactly one of set, scale and add",
                pointer=pointer,
                expected=list(ACTIONS),
                got=actions,
            )
        action = actions[0]
        return cls(
            as_string(known["step"], f"{pointer}/step"),
            action,
            amount_from_data(known[action], f"{pointer}/{action}", array=action != "scale"),
            where_from_data(known["where"], f"{pointer}/where") if known.get("where") is not None else None,
            pointer,
        )

    @property
    def gives(self) -> bool:
        """Whether the step is given outright, so that nothing behind it need be computed."""
        return self.action == "set" and self.where is None

    def region(self, axes: tuple[str, ...], shape: Shape) -> tuple[Array, ...] | None:
        """The touched region as an index for `array[...]`, None for all of it.

        Raises `UnknownName` for an axis the step lacks and `InvalidRequest` for an index out of range.
        """
        if self.where is None:
            return None
        self.check_axes(axes)
        for axis, indices in self.where.items():
            pointer = f"{self.pointer}/where/{escape(axis)}"
            length = shape[axes.index(axis)]
            for i, index in enumerate(indices):
                if index >= length:
                    raise InvalidRequest(
                        f"{self.step} has {length} along {axis}",
                        pointer=f"{pointer}/{i}",
                        expected=f"0 to {length - 1}",
                        got=index,
                    )
        return np.ix_(
            *(self.where.get(axis, range(length)) for axis, length in zip(axes, shape, strict=True))
        )

    def check_axes(self, axes: tuple[str, ...]) -> None:
        """Refuse an axis that a step of these axes lacks."""
        for axis in self.where or ():
            if axis not in axes:
                pointer = f"{self.pointer}/where/{escape(axis)}"
                raise UnknownName(f"axis of {self.step}", axis, axes, pointer=pointer)

    def touched(self, axes: tuple[str, ...], shape: Shape) -> Shape:
        """The shape of the touched region."""
        where = self.where or {}
        return tuple(
            len(where[axis]) if axis in where else length for axis, length in zip(axes, shape, strict=True)
        )

    def check(self, axes: tuple[str, ...], shape: Shape) -> None:
        """Refuse an axis, an index or an amount that does not fit a step of these axes and this shape."""
        self.region(axes, shape)
        if isinstance(self.amount, np.ndarray):
            region = self.touched(axes, shape)
            try:
                fits = np.broadcast_shapes(self.amount.shape, region) == region
            except ValueError:
                fits = False
            if not fits:
                raise ShapeMismatch(
                    f"{self.action} of {self.step}",
                    axis="shape",
                    expected=list(region),
                    got=list(self.amount.shape),
                    pointer=f"{self.pointer}/{self.action}",
                )

    def apply(self, value: Array, axes: tuple[str, ...]) -> Array:
        """Return the edited value; the original stays as it is, since another step may look at it."""
        region = self.region(axes, value.shape) or ...
        amount = np.asarray(self.amount, dtype=value.dtype)
        edited = value.copy()
        if self.action == "set":
            edited[region] = amount
        elif self.action == "scale":
            edited[region] *= amount
        else:
            edited[region] += amount
        return edited

    def vjp(self, grad: Array, axes: tuple[str, ...]) -> Array:
        """The gradient before the edit from that after it: set blocks it, scale scales it, add passes it."""
        if self.action == "add":
            return grad
        region = self.region(axes, grad.shape) or ...
        passed = grad.copy()
        passed[region] *= 0 if self.action == "set" else np.asarray(self.amount, dtype=grad.dtype)
        return passed


def amount_from_data(value: Any, pointer: str, *, array: bool) -> float | Array:
    """A number, or where allowed an array."""
    if array and isinstance(value, list | tuple | np.ndarray):
        return as_tensor(value, pointer)
    return as_number(value, pointer)


def where_from_data(value: Any, pointer: str) -> dict[str, tuple[int, ...]]:
    """A map from axis to distinct indices, at least one each."""
    if not isinstance(value, Mapping):
        raise Misread("should map axes to indices", pointer=pointer, expected="object", got=kind_of(value))
    return {axis: indices_from_data(indices, f"{pointer}/{escape(axis)}") for axis, indices in value.items()}


def indices_from_data(value: Any, pointer: str) -> tuple[int, ...]:
    """Distinct indices from 0, at least one."""
    indices = tuple(
        as_count(each, f"{pointer}/{i}", least=0) for i, each in enumerate(as_list(value, pointer))
    )
    if not indices or len(set(indices)) < len(indices):
        raise Misread(
            "should list distinct indices, at least one",
            pointer=pointer,
            expected="distinct indices",
            got=list(indices),
        )
    return indices
