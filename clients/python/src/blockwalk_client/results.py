"""What the other operations answer with: gradients, a Jacobian, a comparison, a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .html import picture_html, trace_html
from .tensor import Tensor
from .trace import Scope


class Figure(str):
    """An SVG text that a notebook shows as the picture it is."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return picture_html(self)


class Gradients(Scope):
    """∂of/∂w by the name of w, each shaped as w: `gradients["x"]`, `gradients["attention.w_o"]`."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__({each["name"]: Tensor.from_dict(each) for each in data["gradients"]})
        self.of: str = data["of"]

    def __repr__(self) -> str:
        return f"Gradients of {self.of} by\n{super().__repr__()}"

    def _repr_html_(self) -> str:
        return trace_html(self._tensors, f"gradients of {self.of}")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Jacobian:
    """∂of_i/∂wrt_j, and how far it is from central differences: `finite_difference["max_abs_error"]`."""

    of: str
    wrt: str
    matrix: Tensor
    finite_difference: dict[str, float]
    warnings: tuple[dict[str, str], ...] = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Jacobian:
        attested = {name: float(value) for name, value in data["finite_difference"].items()}
        matrix, warnings = Tensor.from_dict(data["matrix"]), tuple(data.get("warnings", ()))
        return cls(data["of"], data["wrt"], matrix, attested, warnings)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.matrix.__array__(dtype, copy)

    def __repr__(self) -> str:
        error = self.finite_difference["max_abs_error"]
        return f"{self.matrix!r}\nwithin {error:.1e} of central differences"

    def _repr_html_(self) -> str:
        error = self.finite_difference["max_abs_error"]
        return trace_html({self.matrix.name: self.matrix}, f"within {error:.1e} of central differences")


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """One step that base and variant have; None where their shapes differ. The two values are there where the
    base selects the step."""

    name: str
    max_abs_difference: float | None
    base: Tensor | None
    variant: Tensor | None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Difference:
        most = data["max_abs_difference"]
        base, variant = (
            Tensor.from_dict(data[side]) if side in data else None for side in ("base", "variant")
        )
        return cls(data["name"], None if most is None else float(most), base, variant)


class Variant(Mapping[str, Difference]):
    """One variant against the base: a mapping from the steps that both have to how they differ."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._steps = {each["name"]: Difference.from_dict(each) for each in data["steps"]}
        self.block: dict[str, Any] = data["block"]
        self.output: str = data["output"]
        self.first_difference: str | None = data["first_difference"]
        self.only_in_base: list[str] = data["only_in_base"]
        self.only_in_variant: list[str] = data["only_in_variant"]
        self.warnings: list[dict[str, str]] = data["warnings"]

    def __getitem__(self, name: str) -> Difference:
        return self._steps[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._steps)

    def __repr__(self) -> str:
        width = max(map(len, self._steps), default=0)
        lines = [f"  {name:{width}}  {told(each)}" for name, each in self._steps.items()]
        for side, names in (("base", self.only_in_base), ("variant", self.only_in_variant)):
            if names:
                lines.append(f"  only in the {side}: {', '.join(names)}")
        first = f"first differs at {self.first_difference}" if self.first_difference else "differs nowhere"
        return "\n".join([first, *lines])


class Comparison(Mapping[str, Variant]):
    """Each variant against the base, by the variant's name."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._variants = {name: Variant(each) for name, each in data["variants"].items()}
        self.base: dict[str, Any] = data["base"]
        self.engine: str = data["engine"]

    def __getitem__(self, name: str) -> Variant:
        return self._variants[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._variants)

    def __len__(self) -> int:
        return len(self._variants)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._variants)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {variant!r}" for name, variant in self._variants.items())


def told(of: Difference) -> str:
    if of.max_abs_difference is None:
        return "other shape"
    return f"{of.max_abs_difference:.4g}" if of.max_abs_difference else "same"
