"""Step and Graph: a block is an ordered list of named steps, each an op on earlier names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

from .ops import Op

LeafKind = Literal["given", "parameter", "mask"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value that comes from outside: an input, a learned array, or a mask.

    `axes` name its dimensions; for a parameter, `initial` says what it is when nobody sends it: the number
    zero or one, or `"draw"` for a weight, which only a seed can make up.
    """

    name: str
    kind: LeafKind
    axes: tuple[str, ...]
    symbol: str
    initial: float | Literal["draw"] | None = None

    @property
    def inputs(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Step:
    """One named value: the op that makes it, the names it is made from, and the axes it has."""

    name: str
    op: Op
    inputs: tuple[str, ...]
    axes: tuple[str, ...]
    symbol: str
    options: Mapping[str, Any] = field(default_factory=dict)
    latex: str | None = None
    """This step's own way of writing its formula, where the op's is too general."""


class Graph:
    """Steps in the order in which they are computed, and the leaves they start from."""

    def __init__(self) -> None:
        self.leaves: dict[str, Leaf] = {}
        self.steps: dict[str, Step] = {}
        self.output = ""
        self._formulas: dict[str, str] = {}

    # -- building ---------------------------------------------------------------------------------

    def leaf(
        self,
        name: str,
        *axes: str,
        kind: LeafKind,
        symbol: str,
        initial: float | Literal["draw"] | None = None,
    ) -> str:
        """Declare a leaf and return its name."""
        self.leaves[name] = Leaf(name, kind, axes, symbol, initial)
        return name

    def step(
        self,
        name: str,
        op: Op,
        *inputs: str,
        symbol: str,
        axes: Iterable[str] | None = None,
        latex: str | None = None,
        **options: Any,
    ) -> str:
        """Append a step and return its name; without `axes` it has those of its first input."""
        for each in inputs:
            if each not in self:
                raise KeyError(f"{name} is made from {each}, which comes later or not at all")
        own = tuple(axes) if axes is not None else self[inputs[0]].axes
        self.steps[name] = Step(name, op, inputs, own, symbol, options, latex)
        return name

    # -- reading ----------------------------------------------------------------------------------

    def __contains__(self, name: object) -> bool:
        return name in self.steps or name in self.leaves

    def __getitem__(self, name: str) -> Step | Leaf:
        return self.steps[name] if name in self.steps else self.leaves[name]

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps.values())

    def __len__(self) -> int:
        return len(self.steps)

    def names(self) -> list[str]:
        """Inputs, then steps in order of computation: what a trace consists of."""
        return [leaf.name for leaf in self.leaves.values() if leaf.kind == "given"] + list(self.steps)

    def parameters(self) -> list[str]:
        """The learned arrays that this block can take, in order of use."""
        return [leaf.name for leaf in self.leaves.values() if leaf.kind == "parameter"]

    def needed(self, targets: Iterable[str], given: Collection[str] = ()) -> set[str]:
        """Every name that the targets rest on, themselves included; nothing behind a given step is."""
        found: set[str] = set()
        waiting = list(targets)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                if name not in given:
                    waiting.extend(self[name].inputs)
        return found

    def latex(self, step: Step) -> str:
        """The right-hand side of this step, with the symbols of its inputs put in; written once a graph."""
        known = self._formulas.get(step.name)
        if known is None:
            symbols = [self[name].symbol for name in step.inputs]
            known = self._formulas[step.name] = fill(step.latex or step.op.latex, symbols, step.options)
        return known

    # -- rewriting --------------------------------------------------------------------------------

    def with_steps(self, *changed: Step) -> Self:
        """Return a copy in which these steps stand in for those of the same names."""
        copy = type(self)()
        copy.leaves, copy.output = dict(self.leaves), self.output
        copy.steps = dict(self.steps)
        for step in changed:
            if step.name not in copy.steps:
                raise KeyError(step.name)
            copy.steps[step.name] = step
        return copy

    def rewired(self, name: str, **changes: Any) -> Self:
        """Return a copy in which one step has another op, other inputs or other options."""
        return self.with_steps(replace(self.steps[name], **changes))


def fill(template: str, symbols: list[str], options: Mapping[str, Any]) -> str:
    """Put symbols for {0}, {1}, … and option values for {name}; all other braces belong to LaTeX."""

    def value(match: re.Match[str]) -> str:
        key = match[1]
        if key.isdecimal():
            return symbols[int(key)] if int(key) < len(symbols) else match[0]
        found = options.get(key)
        return match[0] if found is None else f"{found:.6g}" if isinstance(found, float) else str(found)

    return re.sub(r"\{(\d|[a-z]+)\}", value, template)
