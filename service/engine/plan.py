"""The plan of a trace: which steps, in what order, of what shapes, at what cost, before any number exists.

Everything that can be wrong with a request is found here, so that nothing is half computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Self

import numpy as np

from .config import BlockConfig
from .cost import Estimate
from .graph import Graph, Leaf, Step
from .ops import Shape
from .request import TraceRequest
from .selection import check_values, selected
from .shapes import check_edits, check_masks, check_tokens, shapes_of
from .sizes import BLOCK_SIZES
from .structure import MAX_PLANS, Kept, structure
from .subject import Edits, Rewrite, Subject, axes_in_run, sorted_edits


@dataclass(frozen=True)
class Plan:
    """A request made definite. `leaves` are loaded, then the steps in `order` computed; `kept` are the names
    that the answer holds. `last_uses` says what nobody needs once a step has been computed; a step that is
    `overwriting` may stand where its first input stood."""

    request: TraceRequest
    block: BlockConfig
    graph: Graph
    batch: int | None
    leaves: tuple[Leaf, ...]
    order: tuple[Step, ...]
    kept: tuple[str, ...]
    keeps_all: bool
    shapes: Mapping[str, Shape]
    edits: Edits
    given: frozenset[str]
    last_uses: Mapping[str, tuple[str, ...]]
    overwriting: frozenset[str]
    estimate: Estimate
    warnings: tuple[dict[str, str], ...]

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.block.dtype)

    def axes(self, name: str) -> tuple[str, ...]:
        """The axes of a name in this run: a batch puts its own in front of everything but parameters."""
        return axes_in_run(self.graph, name, self.batch)

    def emptied(self) -> Self:
        """The same plan without a number of its request."""
        return replace(self, request=NOTHING, block=self.block.emptied(), edits={})

    def of(self, request: TraceRequest) -> Self:
        """The same plan for another request of the same structure."""
        block = self.block
        if request.block.has_arrays:
            block = replace(request.block, **{size: getattr(block, size) for size in BLOCK_SIZES})
        edits = sorted_edits(request.interventions, self.graph.output) if request.interventions else {}
        copy = object.__new__(type(self))  # `replace` would cost more than the small block's products
        copy.__dict__.update(self.__dict__, request=request, block=block, edits=edits)
        return copy


NOTHING = TraceRequest()
PLANS: Kept[Plan] = Kept(MAX_PLANS)


def plan(
    request: TraceRequest, *, targets: Iterable[str] | None = None, rewrite: Rewrite | None = None
) -> Plan:
    """Make a request definite, or refuse it with everything that is needed to mend it.

    `targets` asks for these steps and all they rest on, whatever the request selects; `rewrite` changes the
    wiring first. No array is allocated. Raises `InvalidRequest` and its kinds.
    """
    wanted = None if targets is None else tuple(targets)
    alike = structure(request) if rewrite is None else None
    if alike is None:
        return planned_anew(request, wanted, rewrite)
    return PLANS.get((alike, wanted), lambda: planned_anew(request, wanted).emptied()).of(request)


def planned_anew(
    request: TraceRequest, targets: tuple[str, ...] | None, rewrite: Rewrite | None = None
) -> Plan:
    """The plan of a request, worked out from the beginning."""
    subject = Subject(request, rewrite)
    names = None if targets is None else [subject.resolve(name, "/of") for name in targets]
    return plan_of(subject, names)


def plan_of(subject: Subject, targets: Iterable[str] | None = None) -> Plan:
    """The plan of a subject; `targets` are names of its graph."""
    request, graph = subject.request, subject.graph
    kept = selected(subject) if targets is None else graph.needed(targets, subject.given)
    needed = graph.needed(kept, subject.given)
    check_values(subject, needed)
    shapes = shapes_of(subject, needed)
    check_masks(subject, shapes)
    check_edits(subject, shapes)
    check_tokens(subject, kept, shapes)
    order = tuple(step for step in graph if step.name in needed and step.name not in subject.given)
    leaves = tuple(
        leaf for name, leaf in graph.leaves.items() if name in shapes and name not in subject.given
    )
    names = tuple(answered(subject, kept, needed))
    keeps_all = targets is not None or request.select is None
    return Plan(
        request=request,
        block=subject.block,
        graph=graph,
        batch=subject.batch,
        leaves=leaves,
        order=order,
        kept=names,
        keeps_all=keeps_all,
        shapes=shapes,
        edits=subject.edits,
        given=subject.given,
        last_uses={} if keeps_all else last_uses(order, names),
        overwriting=frozenset() if keeps_all else frozenset(overwriting(order, names)),
        estimate=estimate_of(subject, order, shapes),
        warnings=tuple(warnings_of(subject, needed)),
    )


def answered(subject: Subject, kept: set[str], needed: set[str]) -> Iterator[str]:
    """The names in the answer, in order: parameters where they are asked for, inputs, steps."""
    request = subject.request
    for name in subject.graph.parameters():
        asked = request.select is not None and name in kept
        if asked or (request.include_parameters and name in needed):
            yield name
    for name in subject.graph.names():
        if name in kept:
            yield name


def last_uses(order: Iterable[Step], kept: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Step -> the names that nobody needs once it has been computed."""
    last: dict[str, str] = {}
    for step in order:
        for name in (*step.inputs, step.name):
            last[name] = step.name
    ends: dict[str, tuple[str, ...]] = {}
    for name, step_name in last.items():
        if name not in kept:
            ends[step_name] = (*ends.get(step_name, ()), name)
    return ends


def overwriting(order: Iterable[Step], kept: Collection[str]) -> Iterator[str]:
    """The steps whose first input is computed for them alone and kept by nobody."""
    computed = {step.name for step in order}
    users = Counter(name for step in order for name in step.inputs)
    for step in order:
        first = step.inputs[0]
        if step.op.in_place and first in computed and first not in kept and users[first] == 1:
            yield step.name


def estimate_of(subject: Subject, order: Iterable[Step], shapes: Mapping[str, Shape]) -> Estimate:
    """What a run of these steps costs, from the shapes alone."""
    learned = set(subject.graph.parameters())
    return Estimate.of(
        elements=sum(prod(shape) for name, shape in shapes.items() if name not in learned),
        parameter_elements=sum(prod(shape) for name, shape in shapes.items() if name in learned),
        itemsize=np.dtype(subject.block.dtype).itemsize,
        multiply_adds=sum(
            step.op.multiply_adds(
                shapes[step.name], *(shapes[name] for name in step.inputs if name in shapes), **step.options
            )
            for step in order
        ),
    )


def warnings_of(subject: Subject, needed: set[str]) -> Iterator[dict[str, str]]:
    """What a reader must know about the plan itself."""
    block = subject.block
    scaled = [s.name for s in subject.graph if s.name.endswith(".scaled_scores") and s.name in needed]
    if scaled and block.d_head is None and block.scale is None:
        yield {
            "step": scaled[0],
            "code": "unknown_d_head",
            "detail": "nothing tells d_head, so the scores are scaled by 1",
        }
