"""A trace: every step of a block by name, in order of computation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from .html import trace_html
from .tensor import Tensor


class Scope(Mapping[str, Tensor]):
    """Named tensors, by key and, to explore, by attribute: `trace["norm_1.output"]`, `trace.norm_1.output`.

    What names begin with is a scope of its own: `trace.attention` holds `weights` and so on.
    """

    def __init__(self, tensors: Mapping[str, Tensor]) -> None:
        self._tensors = dict(tensors)

    def __getitem__(self, name: str) -> Tensor:
        try:
            return self._tensors[name]
        except KeyError:
            near = get_close_matches(str(name), self._tensors, 3, 0.5) or list(self._tensors)
            raise KeyError(f"{name!r} is not here; there is {', '.join(near)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            if name in self._tensors:
                return self._tensors[name]
            inner = {
                full.removeprefix(f"{name}."): tensor
                for full, tensor in self._tensors.items()
                if full.startswith(f"{name}.")
            }
            if inner:
                return Scope(inner)
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name.partition(".")[0] for name in self._tensors)})

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._tensors)

    def __repr__(self) -> str:
        return "\n".join(table(self._tensors))

    def _repr_html_(self) -> str:
        return trace_html(self._tensors)


class Trace(Scope):
    """What `Client.trace` answers with: a mapping from step name to `Tensor`, in order of computation.

    `block` has every field of the block filled in; `conventions` states the choices on which implementations
    differ; `warnings` is what a reader of the numbers must know; `provenance` says where they come from.
    """

    def __init__(self, data: Mapping[str, Any], values: Mapping[str, Any] | None = None) -> None:
        """`data` is the answer; `values` has the numbers by step where they travelled apart from it."""
        apart = values or {}
        steps = [Tensor.from_dict(step, apart.get(step["name"])) for step in data["steps"]]
        super().__init__({step.name: step for step in steps})
        self.block: dict[str, Any] = data["block"]
        self.provenance: str = data["provenance"]
        self.interventions: list[dict[str, Any]] = data["interventions"]
        self.warnings: list[dict[str, str]] = data["warnings"]
        self.conventions: dict[str, str] = data["conventions"]
        self.engine: str = data["engine"]
        self._output: str = data["output"]

    @property
    def steps(self) -> tuple[Tensor, ...]:
        """The tensors in order of computation."""
        return tuple(self._tensors.values())

    @property
    def output(self) -> Tensor:
        """The block's last step. Raises `KeyError` where the request did not select it."""
        return self[self._output]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as in a JSON answer; `Trace(trace.to_dict())` is the same trace."""
        return {
            "block": self.block,
            "output": self._output,
            "provenance": self.provenance,
            "steps": [step.to_dict() for step in self.steps],
            "interventions": self.interventions,
            "warnings": self.warnings,
            "conventions": self.conventions,
            "engine": self.engine,
        }

    @property
    def title(self) -> str:
        """The block in a line."""
        block, heads = self.block, self.block["n_heads"]
        parts = [
            f"{block['norm_placement']}-norm {block['kind']}",
            f"{heads} head{'s' * (heads > 1)}" if heads else "",
            f"d_model {block['d_model']}" if block["d_model"] else "",
            block["dtype"],
            f"{self.provenance} numbers",
        ]
        return " · ".join(part for part in parts if part)

    def __repr__(self) -> str:
        warned = [f"! {each['step']}: {each['detail']}" for each in self.warnings]
        return "\n".join([f"Trace: {self.title}", *table(self._tensors, indent="  "), *warned])

    def _repr_html_(self) -> str:
        return trace_html(self._tensors, self.title, self.warnings)


def table(tensors: Mapping[str, Tensor], indent: str = "") -> list[str]:
    """Names, axes with their sizes and operations, in columns."""
    rows = [
        (name, " × ".join(f"{axis} {size}" for axis, size in zip(of.axes, of.shape, strict=True)), of.op)
        for name, of in tensors.items()
    ]
    first, second = (max((len(row[i]) for row in rows), default=0) for i in (0, 1))
    return [f"{indent}{name:{first}}  {axes:{second}}  {op}".rstrip() for name, axes, op in rows]
