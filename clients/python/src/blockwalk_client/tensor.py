"""One named value: what it is, how it came about, and its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from . import arrays
from .html import tensor_html


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tensor:
    """A step of a trace.

    `value` is a NumPy array where NumPy is installed, nested lists otherwise, with one dimension for each of
    `axes`. `symbol` and `formula` are LaTeX; `inputs` are the steps that `op` made it of.
    """

    name: str
    symbol: str
    axes: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: str
    op: str
    inputs: tuple[str, ...]
    formula: str
    value: Any

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], value: Any = None) -> Self:
        """A tensor as it stands in an answer; `value` where its numbers travelled apart."""
        return cls(
            name=data["name"],
            symbol=data["symbol"],
            axes=tuple(data["axes"]),
            shape=tuple(data["shape"]),
            dtype=data["dtype"],
            op=data["op"],
            inputs=tuple(data["inputs"]),
            formula=data["latex"],
            value=arrays.from_json(data["value"], data["dtype"]) if value is None else value,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as in a JSON answer: non-finite numbers are strings."""
        return {
            "name": self.name,
            "symbol": self.symbol,
            "axes": list(self.axes),
            "shape": list(self.shape),
            "dtype": self.dtype,
            "op": self.op,
            "inputs": list(self.inputs),
            "latex": self.formula,
            "value": arrays.to_json(self.value),
        }

    @property
    def latex(self) -> str:
        """The formula, by the name that it has in an answer."""
        return self.formula

    def at(self, **indices: int) -> Any:
        """The numbers at these places of named axes: `weights.at(head=0, query=2)`."""
        for axis in indices:
            if axis not in self.axes:
                raise KeyError(f"{self.name} has no axis {axis!r}; its axes are {', '.join(self.axes)}")
        return pick(self.value, [indices.get(axis) for axis in self.axes])

    def tolist(self) -> Any:
        """The numbers as nested lists."""
        return arrays.to_list(self.value)

    def __getitem__(self, index: Any) -> Any:
        return self.value[index]

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """What `numpy.asarray(tensor)` takes."""
        made = arrays.np.asarray(self.value, dtype=dtype or self.dtype)
        return made.copy() if copy else made

    def __repr__(self) -> str:
        sizes = " × ".join(f"{axis} {size}" for axis, size in zip(self.axes, self.shape, strict=True))
        return f"{self.name} ({sizes or 'a number'}, {self.dtype})\n{self.value}"

    def _repr_html_(self) -> str:
        return tensor_html(self)


def pick(value: Any, places: list[int | None]) -> Any:
    """`value[places]`, None for all of an axis, of an array or of nested lists."""
    if not places:
        return value
    if arrays.np is not None and isinstance(value, arrays.np.ndarray):
        return value[tuple(slice(None) if place is None else place for place in places)]
    first, *rest = places
    return [pick(each, rest) for each in value] if first is None else pick(value[first], rest)
