"""Two graphs side by side, aligned by step name: pre-norm and post-norm, with and without, causal and not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import BlockwalkError
from .cost import UNLIMITED, Budget
from .execute import Trace, TracedStep, run
from .ops import Array
from .plan import Plan, plan
from .reading import escape
from .request import TraceRequest


@dataclass(frozen=True, slots=True, eq=False)
class StepDifference:
    """One step that both sides have. `max_abs_difference` is None where the shapes differ; the two values are
    there where the request selects the step."""

    name: str
    max_abs_difference: float | None
    base: TracedStep | None
    variant: TracedStep | None


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """One variant against the base: the first step that differs, all common ones, and those of one side."""

    block: dict[str, Any]
    output: str
    first_difference: str | None
    steps: tuple[StepDifference, ...]
    only_in_base: tuple[str, ...]
    only_in_variant: tuple[str, ...]
    warnings: tuple[dict[str, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The base, and each variant against it."""

    base: Trace
    variants: Mapping[str, Variant]


def compare(
    base: TraceRequest, variants: Mapping[str, TraceRequest], *, budget: Budget = UNLIMITED
) -> Comparison:
    """Run the base and every variant, and align them by step name.

    Every step that an output rests on is compared, whatever is selected; `select` says whose values to show.
    Raises as `trace` does, with pointers below `/base` or `/variants/<name>`.
    """
    ours = whole(base, "/base")
    theirs = {name: whole(each, f"/variants/{escape(name)}") for name, each in variants.items()}
    budget.check(sum((each.estimate for each in theirs.values()), start=ours.estimate))
    first, shown = run(ours, budget), selected(base)
    return Comparison(
        first, {name: against(first, run(each, budget), shown) for name, each in theirs.items()}
    )


def whole(request: TraceRequest, pointer: str) -> Plan:
    """The plan that keeps everything the output and the selection rest on."""
    try:
        return plan(request, targets=["output", *selected(request)])
    except BlockwalkError as error:
        raise error.under(pointer) from None


def selected(request: TraceRequest) -> tuple[str, ...]:
    """The names a request selects, globs worked out; nothing where it selects nothing."""
    return plan(request).kept if request.select is not None else ()


def against(base: Trace, variant: Trace, shown: tuple[str, ...]) -> Variant:
    ours, theirs = names(base), names(variant)
    common = [name for name in ours if name in set(theirs)]
    steps = tuple(
        StepDifference(
            name,
            difference(base.values[name], variant.values[name]),
            base.step(name) if name in shown else None,
            variant.step(name) if name in shown else None,
        )
        for name in common
    )
    return Variant(
        block=variant.block,
        output=variant.output,
        first_difference=next((each.name for each in steps if each.max_abs_difference != 0), None),
        steps=steps,
        only_in_base=tuple(name for name in ours if name not in set(theirs)),
        only_in_variant=tuple(name for name in theirs if name not in set(ours)),
        warnings=tuple(variant.warnings),
    )


def names(traced: Trace) -> list[str]:
    """Inputs and steps of a trace, without parameters."""
    return [name for name in traced.plan.graph.names() if name in traced.values]


def difference(a: Array, b: Array) -> float | None:
    """The largest |a − b|; equal infinities differ by nothing, and shapes that differ have no difference."""
    if a.shape != b.shape:
        return None
    unequal = (a != b) & ~(np.isnan(a) & np.isnan(b))
    if not unequal.any():
        return 0.0
    with np.errstate(all="ignore"):
        return float(np.abs(a[unequal].astype(np.float64) - b[unequal].astype(np.float64)).max())
