"""The plan of a trace: which steps, in what order, of what shapes, at what cost, before any number exists.

Everything that can be wrong with a request is found here, so that nothing is half computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from ..errors import Fault, InvalidRequest, MissingValue, ShapeMismatch, UnknownName
from .block import wire
from .config import BlockConfig
from .cost import Estimate
from .graph import Graph, Leaf, Step
from .interventions import Intervention
from .ops import Misfit, Shape
from .reading import escape
from .request import TraceRequest
from .sizes import Given, Sizes

Rewrite = Callable[[Graph], Graph]


@dataclass(frozen=True, slots=True)
class Plan:
    """A request made definite. `order` are the steps to compute, `kept` the names that the answer holds."""

    request: TraceRequest
    block: BlockConfig
    graph: Graph
    batch: int | None
    order: tuple[Step, ...]
    kept: tuple[str, ...]
    keeps_all: bool
    shapes: Mapping[str, Shape]
    edits: Mapping[str, tuple[Intervention, ...]]
    estimate: Estimate
    warnings: tuple[dict[str, str], ...]

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.block.dtype)

    def axes(self, name: str) -> tuple[str, ...]:
        """The axes of a name in this run: a batch puts its own in front of everything but parameters."""
        known = self.graph[name]
        batched = self.batch is not None and not (isinstance(known, Leaf) and known.kind != "given")
        return ("batch", *known.axes) if batched else known.axes

    def is_given(self, name: str) -> bool:
        """Whether a step's value comes from the request rather than from its op."""
        return name in self.edits and self.edits[name][0].gives


def plan(
    request: TraceRequest, *, targets: Iterable[str] | None = None, rewrite: Rewrite | None = None
) -> Plan:
    """Make a request definite, or refuse it with everything that is needed to mend it.

    `targets` asks for these steps and all they rest on, whatever the request selects; `rewrite` changes the
    wiring first. No array is allocated. Raises `InvalidRequest` and its kinds.
    """
    return Planner(request, rewrite).plan(None if targets is None else list(targets))


class Planner:
    """The questions that a plan answers, each once, in the order in which they lean on each other."""

    def __init__(self, request: TraceRequest, rewrite: Rewrite | None) -> None:
        self.request, self.rewrite = request, rewrite
        self.outline = wire(request.block, request.seed)
        """The graph before its sizes are known: right in names and axes."""
        self.check_names()
        self.edits = self.collect_edits()
        self.sizes = Sizes(request.block, self.arrays)
        self.block = self.sizes.resolve(request.block)
        graph = wire(self.block, request.seed)
        self.graph = graph if rewrite is None else rewrite(graph)

    def plan(self, targets: list[str] | None) -> Plan:
        given = {name for name in self.edits if self.is_given(name)}
        if targets is not None:
            kept = needed = self.graph.needed(self.graph_names(targets, "/of"), given)
        elif self.request.select is None:
            kept = needed = self.graph.needed([self.graph.output], given)
        else:
            kept = self.selected(self.request.select, given)
            needed = self.graph.needed(kept, given)
        self.check_values(needed, given)
        shapes = self.find_shapes(needed)
        self.check_masks(shapes)
        for name, edits in self.edits.items():
            for edit in edits if name in shapes else ():
                edit.check(self.axes(name), shapes[name])
        self.check_tokens(kept, shapes)
        order = tuple(step for step in self.graph if step.name in needed and step.name not in given)
        names = [name for name in self.graph.names() if name in kept]
        parameters = [name for name in self.graph.parameters() if name in needed]
        explicit = [
            name for name in self.graph.parameters() if name in kept and self.request.select is not None
        ]
        return Plan(
            request=self.request,
            block=self.block,
            graph=self.graph,
            batch=self.batch,
            order=order,
            kept=tuple((parameters if self.request.include_parameters else explicit) + names),
            keeps_all=targets is not None or self.request.select is None,
            shapes=shapes,
            edits=self.edits,
            estimate=self.estimate(order, shapes),
            warnings=tuple(self.find_warnings(needed)),
        )

    # -- names ------------------------------------------------------------------------------------

    def check_names(self) -> None:
        """Parameters, steps and inputs that this block does not have."""
        r, graph = self.request, self.outline
        for name, array in r.parameters.items():
            pointer = f"/parameters/{escape(name)}"
            if name not in graph.parameters():
                raise UnknownName("parameter of this block", name, graph.parameters(), pointer=pointer)
            axes = graph[name].axes
            if array.ndim != len(axes):
                raise ShapeMismatch(
                    name, axis="shape", expected=list(axes), got=list(array.shape), pointer=pointer
                )
        if r.memory is not None and r.block.kind != "decoder":
            raise InvalidRequest(
                "only a decoder reads memory",
                pointer="/memory",
                expected="block.kind decoder",
                got=r.block.kind,
            )
        for edit in r.interventions:
            self.resolve(edit.step, f"{edit.pointer}/step")

    def resolve(self, name: str, pointer: str) -> str:
        """The graph's own name for what a user calls it; `output` is the block's last step."""
        if name == "output":
            return self.outline.output
        if name not in self.outline or name.startswith("mask."):
            raise UnknownName("step", name, self.outline.names(), pointer=pointer)
        return name

    def graph_names(self, names: Iterable[str], pointer: str) -> list[str]:
        return [self.resolve(name, pointer) for name in names]

    def selected(self, select: tuple[str, ...], given: set[str]) -> set[str]:
        """The names that a selection keeps. A glob takes what the output rests on, and where nothing of that
        matches, whatever can be computed; a name by itself is taken at its word."""
        everything = self.graph.names()
        usual = self.graph.needed([self.graph.output], given)
        chosen: set[str] = set()
        for i, pattern in enumerate(select):
            pointer = f"/select/{i}"
            if not any(sign in pattern for sign in "*?["):
                chosen.add(self.resolve(pattern, pointer))
                continue
            matching = [name for name in everything if fnmatchcase(name, pattern)]
            if not matching:
                raise UnknownName("step matching", pattern, everything, pointer=pointer)
            possible = [n for n in matching if n in usual or not self.missing(self.graph.needed([n], given))]
            chosen.update(possible or matching)
        if not chosen:
            raise InvalidRequest("selects nothing", pointer="/select", expected="at least one step", got=[])
        return chosen

    # -- values -----------------------------------------------------------------------------------

    def collect_edits(self) -> dict[str, tuple[Intervention, ...]]:
        """Interventions by step, in order; what stands before a step is given outright has no effect left."""
        edits: dict[str, list[Intervention]] = {}
        for edit in self.request.interventions:
            name = self.resolve(edit.step, f"{edit.pointer}/step")
            if edit.gives:
                edits[name] = [edit]
            else:
                edits.setdefault(name, []).append(edit)
        return {name: tuple(listed) for name, listed in edits.items()}

    @cached_property
    def arrays(self) -> list[Given]:
        """Every array of the request that states sizes, with the axes of what it stands for."""
        r = self.request
        found = [
            Given(name, array, self.outline[name].axes, f"/{name}")
            for name, array in (("x", r.x), ("memory", r.memory))
            if array is not None
        ]
        found += [
            Given(name, array, self.outline[name].axes, f"/parameters/{escape(name)}")
            for name, array in r.parameters.items()
        ]
        for name, edits in self.edits.items():
            if edits[0].gives and isinstance(edits[0].amount, np.ndarray):
                axes, amount = self.outline[name].axes, edits[0].amount
                if amount.ndim not in (len(axes), len(axes) + 1):
                    raise ShapeMismatch(
                        name,
                        axis="shape",
                        expected=list(axes),
                        got=list(amount.shape),
                        pointer=f"{edits[0].pointer}/set",
                    )
                found.append(Given(name, amount, axes, f"{edits[0].pointer}/set"))
        return found

    @cached_property
    def batch(self) -> int | None:
        """The batch's length, where any input has a batch axis; two that differ are an error naming both."""
        first: Given | None = None
        for given in self.arrays:
            if given.array.ndim > len(given.axes):
                first = first or given
                if given.array.shape[0] != first.array.shape[0]:
                    raise ShapeMismatch(
                        given.name,
                        axis="batch",
                        expected=first.array.shape[0],
                        got=given.array.shape[0],
                        pointer=given.pointer,
                        because=f"{first.name} says so",
                    )
        return None if first is None else first.array.shape[0]

    def axes(self, name: str) -> tuple[str, ...]:
        known = self.graph[name]
        learned = isinstance(known, Leaf) and known.kind != "given"
        return known.axes if self.batch is None or learned else ("batch", *known.axes)

    def is_given(self, name: str) -> bool:
        return name in self.edits and self.edits[name][0].gives

    def missing(self, needed: set[str]) -> list[Leaf]:
        """The leaves among these that nobody sends and nothing makes up."""
        r, absent = self.request, []
        for name, leaf in self.graph.leaves.items():
            if name not in needed or name in r.parameters or self.is_given(name):
                continue
            unsent = leaf.kind == "given" and getattr(r, name) is None
            if unsent or (leaf.initial == "draw" and r.seed is None):
                absent.append(leaf)
        return absent

    def check_values(self, needed: set[str], given: set[str]) -> None:
        """Refuse missing values, all of them at once, and a seed that nothing draws from."""
        r = self.request
        if absent := self.missing(needed):
            users = {
                leaf.name: next(s.name for s in self.graph if leaf.name in s.inputs and s.name in needed)
                for leaf in absent
                if any(leaf.name in s.inputs and s.name in needed for s in self.graph)
            }
            faults = [
                Fault(
                    f"{leaf.name} is missing; {users.get(leaf.name, 'the selection')} needs it",
                    pointer=f"/{leaf.name}" if leaf.kind == "given" else f"/parameters/{escape(leaf.name)}",
                    expected=f"an array [{', '.join(leaf.axes)}]"
                    + (", or a seed" if leaf.kind == "parameter" else ""),
                )
                for leaf in absent
            ]
            raise MissingValue(faults[0].detail, faults=faults)
        draws = self.block.dropout > 0 or any(
            leaf.initial == "draw" and leaf.name in needed and leaf.name not in r.parameters
            for leaf in self.graph.leaves.values()
            if leaf.name not in given
        )
        if r.seed is not None and not draws:
            raise InvalidRequest(
                "there is nothing to draw: every needed weight is sent and dropout is off",
                pointer="/seed",
                expected="no seed, or a weight left out, or dropout",
                got=r.seed,
            )
        if self.block.dropout and r.seed is None:
            raise MissingValue("dropout draws from a seed", pointer="/seed", expected="a whole number")

    # -- shapes -----------------------------------------------------------------------------------

    def find_shapes(self, needed: set[str]) -> dict[str, Shape]:
        """The shape of everything needed: of leaves from the arrays or sizes, of steps from their ops."""
        r, shapes = self.request, dict[str, Shape]()
        lead = () if self.batch is None else (self.batch,)
        for name, leaf in self.graph.leaves.items():
            if name not in needed or leaf.kind == "mask":
                continue
            edits = self.edits.get(name, ())
            array = getattr(r, name) if leaf.kind == "given" else r.parameters.get(name)
            if edits and edits[0].gives and isinstance(edits[0].amount, np.ndarray):
                array = edits[0].amount
            own = array.shape[-len(leaf.axes) :] if array is not None else None
            pointer = f"/{name}" if leaf.kind == "given" else f"/parameters/{escape(name)}"
            shape = own or self.sizes.shape(name, leaf.axes, pointer)
            shapes[name] = (*lead, *shape) if leaf.kind == "given" else shape
        for step in self.graph:
            if step.name not in needed:
                continue
            edits = self.edits.get(step.name, ())
            if edits and edits[0].gives:
                amount = edits[0].amount
                own = amount.shape[-len(step.axes) :] if isinstance(amount, np.ndarray) else None
                pointer = f"{edits[0].pointer}/set"
                shapes[step.name] = (*lead, *(own or self.sizes.shape(step.name, step.axes, pointer)))
            else:
                operands = [shapes[name] for name in step.inputs if name in shapes]
                shapes[step.name] = self.shape_of(step, operands)
        return shapes

    def shape_of(self, step: Step, operands: list[Shape]) -> Shape:
        try:
            return step.op.shape(*operands, **step.options)
        except Misfit as misfit:
            parts = [f"{name} {list(shape)}" for name, shape in zip(step.inputs, operands, strict=False)]
            sent = {given.name: given.pointer for given in self.arrays}
            pointers = [sent[name] for name in step.inputs if name in sent]
            raise ShapeMismatch(
                step.name,
                axis="operands",
                expected="operands that fit",
                got=" and ".join(parts),
                pointer=pointers[-1] if pointers else "",
                because=str(misfit),
            ) from None

    def check_masks(self, shapes: Mapping[str, Shape]) -> None:
        """Each mask must spread over the scores exactly: [(batch,) head, query, key]."""
        scores = shapes.get("attention.masked_scores")
        if scores is None:
            return
        mask, padding = self.block.mask, self.block.key_padding_keep
        for name in ("keep", "additive"):
            array = getattr(mask, name, None)
            if array is not None and not spreads(array.shape, scores):
                raise ShapeMismatch(
                    f"mask.{name}",
                    axis="shape",
                    expected=list(scores[-array.ndim :] if array.ndim <= len(scores) else scores),
                    got=list(array.shape),
                    pointer=f"/block/mask/{name}",
                    because="the scores have it",
                )
        if padding is not None:
            expected = scores[-1:] if padding.ndim == 1 or self.batch is None else (scores[0], scores[-1])
            if padding.shape != expected:
                raise ShapeMismatch(
                    "key_padding_keep",
                    axis="key" if padding.ndim == 1 else "batch, key",
                    expected=list(expected),
                    got=list(padding.shape),
                    pointer="/block/key_padding_keep",
                    because="the scores have it",
                )

    def check_tokens(self, kept: Iterable[str], shapes: Mapping[str, Shape]) -> None:
        """Rows asked for must exist in every step that has such rows."""
        for i, token in enumerate(self.request.tokens or ()):
            for name in self.graph.names():
                if name not in kept or name not in shapes:
                    continue
                for axis, length in zip(self.axes(name), shapes[name], strict=True):
                    if axis in ROW_AXES and token >= length:
                        raise InvalidRequest(
                            f"{name} has {length} tokens",
                            pointer=f"/tokens/{i}",
                            expected=f"0 to {length - 1}",
                            got=token,
                        )

    # -- cost and warnings ------------------------------------------------------------------------

    def estimate(self, order: Iterable[Step], shapes: Mapping[str, Shape]) -> Estimate:
        leaves = self.graph.leaves
        learned = {name for name in shapes if name in leaves and leaves[name].kind == "parameter"}
        return Estimate.of(
            elements=sum(prod(shape) for name, shape in shapes.items() if name not in learned),
            parameter_elements=sum(prod(shapes[name]) for name in learned),
            itemsize=np.dtype(self.block.dtype).itemsize,
            multiply_adds=sum(
                step.op.multiply_adds(
                    shapes[step.name], *(shapes[n] for n in step.inputs if n in shapes), **step.options
                )
                for step in order
            ),
        )

    def find_warnings(self, needed: set[str]) -> Iterable[dict[str, str]]:
        scaled = [s for s in self.graph if s.name.endswith(".scaled_scores") and s.name in needed]
        if scaled and self.block.d_head is None and self.block.scale is None:
            yield {
                "step": scaled[0].name,
                "code": "unknown_d_head",
                "detail": "nothing tells d_head, so the scores are scaled by 1",
            }


ROW_AXES = ("token", "query")
"""The axes that `tokens` picks rows of."""


def spreads(shape: Shape, scores: Shape) -> bool:
    """Whether a mask fits scores: queries and keys exactly, heads and batch exactly or one for all."""
    exact = shape[-2:] == scores[-2:] and len(shape) <= len(scores)
    return exact and all(a in (1, b) for a, b in zip(shape[::-1], scores[::-1], strict=False))
