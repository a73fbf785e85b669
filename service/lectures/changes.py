"""What a merge patch changed: the numbers that were sent, and the wiring that they lead to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ..engine import Plan
from ..engine.graph import Graph, Leaf
from ..engine.reading import escape

MOST_ELEMENTS = 64


@dataclass(frozen=True, slots=True)
class Change:
    """A value of the trace request, before and after; None where there was or is none."""

    pointer: str
    before: Any
    after: Any

    def to_data(self) -> dict[str, Any]:
        return {"pointer": self.pointer, "before": told(self.before), "after": told(self.after)}


@dataclass(frozen=True, slots=True)
class Rewiring:
    """A part of the block that now reads something else than the page says."""

    scope: str
    page: tuple[str, ...]
    now: tuple[str, ...]


def changes(before: Any, after: Any, pointer: str = "") -> tuple[Change, ...]:
    """Every value in which two requests differ; an array is one value."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        names = [*before, *(name for name in after if name not in before)]
        return tuple(
            change
            for name in names
            for change in changes(before.get(name), after.get(name), f"{pointer}/{escape(name)}")
        )
    return () if same(before, after) else (Change(pointer, plain(before), plain(after)),)


def plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def same(before: Any, after: Any) -> bool:
    """Whether two values are equal; 1 and 1.0, a list and an array are, true and 1 are not."""
    before, after = plain(before), plain(after)
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(same, before, after))
    if isinstance(before, bool) != isinstance(after, bool):
        return False
    return bool(before == after)


def told(value: Any) -> Any:
    """A value as an answer repeats it: a large array by its shape alone."""
    if isinstance(value, list):
        try:
            shape = np.shape(value)
        except ValueError:
            return value
        if prod(shape) > MOST_ELEMENTS:
            return {"shape": list(shape)}
    return value


def rewirings(own: Plan, now: Plan) -> Mapping[str, Rewiring]:
    """The parts that read other steps than in the lecture's own wiring; what is given reads nothing."""
    page, here = reads(own.graph), reads(now.graph)
    return {
        scope: Rewiring(scope, page[scope], here[scope])
        for scope in here
        if scope in page and page[scope] != here[scope] and not gives_all(now, scope)
    }


def scope_of(name: str) -> str:
    return name.partition(".")[0]


def reads(graph: Graph) -> dict[str, tuple[str, ...]]:
    """Each part of the block (`norm_1`, `residual_1`, ...) and the steps outside it that it reads."""
    found: dict[str, dict[str, None]] = {}
    for step in graph:
        scope = found.setdefault(scope_of(step.name), {})
        for name in step.inputs:
            known = graph[name]
            learned = isinstance(known, Leaf) and known.kind != "given"
            if not learned and scope_of(name) != scope_of(step.name):
                scope[name] = None
    return {scope: tuple(names) for scope, names in found.items()}


def gives_all(plan: Plan, scope: str) -> bool:
    """Whether the part's own last step is given, so that what it would have read plays no part."""
    own = [step.name for step in plan.graph if scope_of(step.name) == scope]
    return own[-1] in plan.given
