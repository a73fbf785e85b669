"""One run of the engine for a lecture: its own trace, or the trace that a merge patch makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np

from .. import engine
from ..engine.block import wire
from ..engine.ops import Array
from ..errors import InvalidRequest, UnknownName
from .changes import Change, Rewiring, changes, rewirings
from .model import HeatMap, Lecture, Row
from .showing import looked_at, needs

OWN_BUDGET = engine.Budget(
    max_elements=1_000_000, max_bytes=64 * 1024 * 1024, max_multiply_adds=1_000_000_000
)
"""What a page may take to fill; it is filled while the service starts."""
MOST_SHOWN = 16_384
OWN_CHOICE = ("select", "tokens", "include_parameters")
"""Fields of a trace request that choose what is shown: a state has chosen already."""


class Vanished(InvalidRequest):
    """What a state shows no longer exists: no such step, no such token, or not one row of numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A trace with the lecture it belongs to. `changes` is empty for the lecture's own numbers."""

    lecture: Lecture
    """In the words of the variant that is made for this block, if there is one."""
    trace: engine.Trace
    request: Mapping[str, Any]
    """The body for POST /block/trace that gives these numbers."""
    provenance: str
    changes: tuple[Change, ...] = ()
    rewired: Mapping[str, Rewiring] = field(default_factory=dict)
    untold: frozenset[str] = frozenset()
    """The parts of those rewired that no variant of the lecture has words for."""

    # -- reading ----------------------------------------------------------------------------------

    def row(self, row: Row) -> Array:
        """The numbers of a row, [features]; of a statistic, a single number []."""
        return np.asarray(self.trace.values[row.step][place(row, self.trace.plan.axes(row.step))])

    def matrix(self, heat_map: HeatMap) -> Array:
        """The numbers of a heat map, [rows, columns]."""
        return np.asarray(
            self.trace.values[heat_map.step][place(heat_map, self.trace.plan.axes(heat_map.step))]
        )

    def named(self, name: str) -> Any:
        """What a name in prose stands for: a row, statistic, field of the block, step or parameter."""
        if known := self.lecture.rows.get(name) or self.lecture.statistics.get(name):
            return self.row(known)
        scope, _, choice = name.partition(".")
        if scope == "block" and choice in self.trace.block:
            return self.trace.block[choice]
        if name in self.trace.values:
            return self.trace.values[name]
        raise KeyError(name)

    @property
    def modified(self) -> bool:
        return bool(self.changes)


def own_run(lecture: Lecture, names: Iterable[str]) -> Run:
    """The lecture's own numbers, with every step and parameter of `names`. Raises `InvalidRequest`."""
    request = engine.TraceRequest.from_data(lecture.trace)
    traced = engine.trace(replace(request, select=tuple(names) or None), budget=OWN_BUDGET)
    return Run(lecture, traced, dict(lecture.trace), request.provenance, (), {})


def changed_run(
    lecture: Lecture,
    own: Run,
    state_id: str,
    patch: Any,
    *,
    budget: engine.Budget,
) -> Run:
    """The numbers of a state that a merge patch (RFC 7396) of the lecture's trace request gives.

    Raises `Vanished` naming the row that no longer exists, and whatever the engine refuses.
    """
    if not isinstance(patch, Mapping):
        raise InvalidRequest(
            "the body is a merge patch of the lecture's trace request",
            expected="object",
            got=type(patch).__name__,
        )
    for choice in OWN_CHOICE:
        if choice in patch:
            raise InvalidRequest(
                f"a state chooses its own steps and rows: leave {choice} out",
                pointer=f"/{choice}",
                expected="no such field",
                got=choice,
            )
    live = patched(lecture, patch)
    asked = engine.TraceRequest.from_data(live.after)
    worded = lecture.worded(asked.block.to_data())
    state = worded.states[state_id]
    shown = needs(worded, state)
    request = replace(asked, select=tuple(shown) or None, provenance=live.provenance)
    planned = planned_or_vanished(request, shown)
    for picture in looked_at(worded, state):
        check_place(picture, planned.axes(picture.step), planned.shapes[picture.step])
    traced = engine.trace(request, budget=budget)
    told = own.trace.plan if worded is lecture else engine.plan(engine.TraceRequest.from_data(worded.trace))
    return Run(
        worded,
        traced,
        live.request,
        live.provenance,
        live.changes,
        rewirings(own.trace.plan, planned),
        frozenset(rewirings(told, planned)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Patched:
    """A patched trace request: written out, as short as it can be sent, and what is different in it."""

    after: Mapping[str, Any]
    request: Mapping[str, Any]
    provenance: str
    changes: tuple[Change, ...]


def patched(lecture: Lecture, patch: Mapping[str, Any]) -> Patched:
    """The lecture's request after a merge patch (RFC 7396); `example` puts another example below both."""
    own = {**lecture.trace, **({"example": patch["example"]} if "example" in patch else {})}
    rest = {name: value for name, value in patch.items() if name != "example"}
    before, provenance = engine.examples.expand(own)
    rest = without_leftovers(before, rest)
    after = engine.merge_patch(before, rest)
    differences = changes(lecture.trace.get("example"), own.get("example"), "/example")
    differences += changes(before, after)
    if not changes(before, after):  # sent, but nothing that was not so already
        return Patched(before, own, provenance, differences)
    request = {**own, **rest} if set(own) == {"example"} else after
    return Patched(after, request, "modified", differences)


def without_leftovers(before: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """The patch, removing also those parameters of the lecture that another kind of block has no use for.

    They are the lecture's, so the caller cannot be asked to take them back.
    """
    block = engine.merge_patch(before.get("block", {}), patch.get("block") or {})
    sent = patch.get("parameters") or {}
    known = wire(engine.BlockConfig.from_data(block), None).parameters()
    nulls = {name: None for name in before.get("parameters", {}) if name not in known and name not in sent}
    return {**patch, "parameters": {**sent, **nulls}} if nulls else dict(patch)


def planned_or_vanished(request: engine.TraceRequest, shown: Mapping[str, str]) -> engine.Plan:
    """The plan; a step that is selected for a row but does not exist is that row's loss."""
    try:
        return engine.plan(request)
    except UnknownName as unknown:
        pointer = unknown.faults[0].pointer
        if not pointer.startswith("/select/"):
            raise
        step = list(shown)[int(pointer.rpartition("/")[2])]
        raise Vanished(
            f"{shown[step]} is gone: this block has no step {step}",
            expected=unknown.faults[0].expected,
            got=step,
        ) from None


# -- which numbers of a step ----------------------------------------------------------------------


def place(picture: Row | HeatMap, axes: tuple[str, ...]) -> tuple[Any, ...]:
    """The index that picks a row's, or a heat map's, numbers out of a step with these axes."""
    token = picture.token if isinstance(picture, Row) else None
    at = {"token": token, "query": token, "head": picture.head, "kv_head": picture.head}
    if not isinstance(picture, Row):
        at = {axis: index for axis, index in at.items() if axis not in ("token", "query")}
    return tuple(slice(None) if at.get(axis) is None else at[axis] for axis in axes)


def check_place(picture: Row | HeatMap, axes: tuple[str, ...], shape: tuple[int, ...]) -> None:
    """Raise `Vanished` unless the step has this token and head, and what is left is of the right rank."""
    name = f"{'heat map' if isinstance(picture, HeatMap) else 'row'} {picture.id!r}"
    index = place(picture, axes)
    for axis, each, length in zip(axes, index, shape, strict=True):
        if isinstance(each, int) and each >= length:
            raise Vanished(
                f"{name} does not exist: {picture.step} has no {axis} {each}, it has {length}",
                expected=f"{axis} 0 to {length - 1}",
                got=each,
            )
    left = [axis for axis, each in zip(axes, index, strict=True) if not isinstance(each, int)]
    if "batch" in left:
        raise Vanished(
            f"{name} follows one sequence, but {picture.step} has a batch axis", expected="no batch axis"
        )
    shown = prod(length for each, length in zip(index, shape, strict=True) if not isinstance(each, int))
    if shown > MOST_SHOWN:
        raise Vanished(
            f"{name} would show {shown:,} numbers; a page shows at most {MOST_SHOWN:,} in one place",
            expected=f"at most {MOST_SHOWN}",
            got=shown,
        )
    if isinstance(picture, HeatMap) and len(left) != 2:
        raise Vanished(f"{name} is no matrix: {picture.step} leaves {left}", expected="two axes", got=left)
    if isinstance(picture, Row) and len(left) > 1:
        raise Vanished(
            f"{name} is no row: {picture.step} leaves {left}; name the head", expected="one axis", got=left
        )
