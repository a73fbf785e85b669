"""A trace request held against the block it describes: names checked, edits sorted by step, sizes settled."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ..errors import InvalidRequest, ShapeMismatch, UnknownName
from .block import wire
from .graph import Graph, Leaf
from .interventions import Intervention
from .ops import Array
from .reading import escape
from .request import TraceRequest
from .sizes import Given, Sizes

Rewrite = Callable[[Graph], Graph]
Edits = dict[str, tuple[Intervention, ...]]


class Subject:
    """What a plan is made for. Raises `UnknownName`, `ShapeMismatch`, `InvalidRequest` for what does not fit.

    `edits` are the interventions by step, in order, `given` the steps that they set outright, `batch` the
    length of the batch axis where there is one; `block` and `graph` have their sizes filled in.
    """

    def __init__(self, request: TraceRequest, rewrite: Rewrite | None = None) -> None:
        self.request = request
        self._outline = wire(request.block, request.seed)
        """The graph before its sizes are known: right in names and axes."""
        self._check_inputs()
        for edit in request.interventions:
            self.resolve(edit.step, f"{edit.pointer}/step")
        self.edits = sorted_edits(request.interventions, self._outline.output)
        self.given = frozenset(name for name, edits in self.edits.items() if edits[0].gives)
        self.arrays = [*self._sent_arrays(), *self._set_arrays()]
        self.batch = batch_of(self.arrays)
        self.sizes = Sizes(request.block, self.arrays)
        self.block = self.sizes.resolve(request.block)
        graph = wire(self.block, request.seed)
        self.graph = graph if rewrite is None else rewrite(graph)

    def resolve(self, name: str, pointer: str) -> str:
        """The graph's own name for what a user calls it; `output` is the block's last step."""
        if name == "output":
            return self._outline.output
        if name not in self._outline or name.startswith("mask."):
            raise UnknownName("step", name, self._outline.names(), pointer=pointer)
        return name

    def axes(self, name: str) -> tuple[str, ...]:
        """The axes of a name in this run: a batch puts its own in front of everything but parameters."""
        return axes_in_run(self.graph, name, self.batch)

    def amount(self, name: str) -> Array | None:
        """The array that a given step is set to; None where it is a number, or the step is not given."""
        amount = self.edits[name][0].amount if name in self.given else None
        return amount if isinstance(amount, np.ndarray) else None

    # -- inside -----------------------------------------------------------------------------------

    def _check_inputs(self) -> None:
        """Refuse parameters and inputs that this block does not have."""
        r, graph = self.request, self._outline
        for name, array in r.parameters.items():
            pointer = f"/parameters/{escape(name)}"
            if name not in graph.parameters():
                raise UnknownName("parameter of this block", name, graph.parameters(), pointer=pointer)
            axes = graph[name].axes
            if array.ndim != len(axes):
                raise ShapeMismatch(
                    name, axis="shape", expected=named(axes), got=list(array.shape), pointer=pointer
                )
        if r.memory is not None and r.block.kind != "decoder":
            raise InvalidRequest(
                "only a decoder reads memory",
                pointer="/memory",
                expected="block.kind decoder",
                got=r.block.kind,
            )

    def _sent_arrays(self) -> Iterable[Given]:
        r, graph = self.request, self._outline
        for name, array in (("x", r.x), ("memory", r.memory)):
            if array is not None:
                yield Given(name, array, graph[name].axes, f"/{name}")
        for name, array in r.parameters.items():
            yield Given(name, array, graph[name].axes, f"/parameters/{escape(name)}")

    def _set_arrays(self) -> Iterable[Given]:
        for name in self.edits:
            array = self.amount(name)
            if array is None:
                continue
            known, pointer = self._outline[name], f"{self.edits[name][0].pointer}/set"
            learned = isinstance(known, Leaf) and known.kind == "parameter"
            if array.ndim - len(known.axes) not in ((0,) if learned else (0, 1)):
                raise ShapeMismatch(
                    name, axis="shape", expected=named(known.axes), got=list(array.shape), pointer=pointer
                )
            yield Given(name, array, known.axes, pointer)


def sorted_edits(interventions: Iterable[Intervention], output: str) -> Edits:
    """Interventions by step; what stands before a step is set outright has no effect left."""
    edits: Edits = {}
    for edit in interventions:
        name = output if edit.step == "output" else edit.step
        edits[name] = (edit,) if edit.gives else (*edits.get(name, ()), edit)
    return edits


def named(axes: tuple[str, ...]) -> str:
    """A shape by its axes, as errors write it."""
    return f"[{', '.join(axes)}]"


def axes_in_run(graph: Graph, name: str, batch: int | None) -> tuple[str, ...]:
    """The axes of a name where every step, but no parameter, gains a batch axis."""
    known = graph[name]
    learned = isinstance(known, Leaf) and known.kind != "given"
    return known.axes if batch is None or learned else ("batch", *known.axes)


def batch_of(arrays: Iterable[Given]) -> int | None:
    """The length of the batch axis, where any array has one; two that differ are an error naming both."""
    first: Given | None = None
    for each in arrays:
        if each.array.ndim > len(each.axes):
            first = first or each
            if each.array.shape[0] != first.array.shape[0]:
                raise ShapeMismatch(
                    each.name,
                    axis="batch",
                    expected=first.array.shape[0],
                    got=each.array.shape[0],
                    pointer=each.pointer,
                    because=f"{first.name} says so",
                )
    return None if first is None else int(first.array.shape[0])
