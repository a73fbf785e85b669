"""The plan of a trace: which steps, in what order, of what shapes, at what cost, before any number exists.

Everything that can be wrong with a request is found here, so that nothing is half computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from .config import BlockConfig
from .cost import Estimate
from .graph import Graph, Step
from .interventions import Intervention
from .ops import Shape
from .request import TraceRequest
from .selection import check_values, selected
from .shapes import check_edits, check_masks, check_tokens, shapes_of
from .subject import Rewrite, Subject, axes_in_run


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
    given: frozenset[str]
    estimate: Estimate
    warnings: tuple[dict[str, str], ...]

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.block.dtype)

    def axes(self, name: str) -> tuple[str, ...]:
        """The axes of a name in this run: a batch puts its own in front of everything but parameters."""
        return axes_in_run(self.graph, name, self.batch)


def plan(
    request: TraceRequest, *, targets: Iterable[str] | None = None, rewrite: Rewrite | None = None
) -> Plan:
    """Make a request definite, or refuse it with everything that is needed to mend it.

    `targets` asks for these steps and all they rest on, whatever the request selects; `rewrite` changes the
    wiring first. No array is allocated. Raises `InvalidRequest` and its kinds.
    """
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
    return Plan(
        request=request,
        block=subject.block,
        graph=graph,
        batch=subject.batch,
        order=order,
        kept=tuple(answered(subject, kept, needed)),
        keeps_all=targets is not None or request.select is None,
        shapes=shapes,
        edits=subject.edits,
        given=subject.given,
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
