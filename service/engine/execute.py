"""Running a plan: given values, steps in order, edits right after each, nothing kept that nobody wants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import prod
from time import perf_counter
from typing import Any

import numpy as np

from .conventions import CONVENTIONS
from .cost import UNLIMITED, Budget
from .graph import Leaf, Step
from .ops import Array, Shape
from .ops.precision import STATISTIC
from .parameters import initial_value
from .plan import Plan, plan
from .request import TraceRequest
from .shapes import ROW_AXES
from .subject import Rewrite


@dataclass(frozen=True, slots=True, eq=False)
class TracedStep:
    """A step with its value: everything the wire says about a tensor."""

    name: str
    symbol: str
    axes: tuple[str, ...]
    op: str
    inputs: tuple[str, ...]
    latex: str
    value: Array

    @property
    def shape(self) -> Shape:
        return tuple(self.value.shape)

    @property
    def dtype(self) -> str:
        return word(self.value.dtype)


@cache
def word(dtype: np.dtype[Any]) -> str:
    """What a dtype is called; NumPy takes its time to say so."""
    return str(dtype)


@dataclass(slots=True, eq=False)
class Trace:
    """The answer to a trace request: `values` maps names to whole arrays, `steps` are the parts asked for."""

    plan: Plan
    values: dict[str, Array]
    warnings: list[dict[str, str]] = field(default_factory=list)

    @property
    def output(self) -> str:
        return self.plan.graph.output

    @property
    def block(self) -> dict[str, Any]:
        """The block with every field resolved: sizes, and the scale in force."""
        resolved = self.plan.block.to_data()
        scaled = self.plan.graph.steps["attention.scaled_scores"]
        resolved["scale"] = scaled.options.get("scale")
        return resolved

    @property
    def provenance(self) -> str:
        return self.plan.request.provenance

    @property
    def conventions(self) -> Mapping[str, str]:
        return CONVENTIONS

    @property
    def interventions(self) -> list[dict[str, Any]]:
        """For each intervention the number of elements it changed; none where its step was not needed."""
        shapes, counts = self.plan.shapes, []
        for edit in self.plan.request.interventions:
            name = self.output if edit.step == "output" else edit.step
            n = prod(edit.touched(self.plan.axes(name), shapes[name])) if name in shapes else 0
            counts.append({"step": name, "elements": n})
        return counts

    @property
    def steps(self) -> list[TracedStep]:
        return [self.step(name) for name in self.plan.kept]

    def step(self, name: str) -> TracedStep:
        """One kept step, cut to the requested tokens."""
        return described(self.plan, name, self.rows(name, self.values[name]))

    def rows(self, name: str, value: Array) -> Array:
        tokens = self.plan.request.tokens
        for position, axis in enumerate(self.plan.axes(name)):
            if tokens is not None and axis in ROW_AXES:
                value = value.take(tokens, axis=position)
        return value


def described(plan: Plan, name: str, value: Array) -> TracedStep:
    """A value with what the graph says about its name; a mask is no parent that a reader could look up."""
    known = plan.graph[name]
    if isinstance(known, Leaf) or name in plan.given:
        kind = known.kind if isinstance(known, Leaf) else "given"
        return TracedStep(name, known.symbol, plan.axes(name), kind, (), known.symbol, value)
    parents = tuple(each for each in known.inputs if not each.startswith("mask."))
    return TracedStep(
        name, known.symbol, plan.axes(name), known.op.name, parents, plan.graph.latex(known), value
    )


def trace(request: TraceRequest, *, budget: Budget = UNLIMITED, rewrite: Rewrite | None = None) -> Trace:
    """Run one block and return every intermediate that was asked for.

    Raises `InvalidRequest` and its kinds before anything is computed, `TooCostly` likewise, and
    `DeadlineExceeded` between two steps.
    """
    return run(plan(request, rewrite=rewrite), budget)


def run(planned: Plan, budget: Budget = UNLIMITED, given: Mapping[str, Array] | None = None) -> Trace:
    """Run a plan. `given` puts further values in place of steps, edits included (see `differentiate.py`)."""
    budget.check(planned.estimate)
    result = Trace(planned, {}, list(planned.warnings))
    values, fixed = result.values, given or {}
    edits, last_uses = planned.edits, planned.last_uses
    watch, low_precision = Watch(planned), planned.dtype.itemsize < 8
    limited, timed = budget.deadline is not None, budget.times is not None
    with np.errstate(all="ignore", over="call", invalid="call", divide="call", call=watch.flag):
        load_leaves(planned, values)
        load_given(planned, values)
        values.update(fixed)
        if watch.flagged:  # a cast that overflows says so
            watch.outside(planned, values, result.warnings)
        for step in planned.order:
            if limited:
                budget.check_deadline()
            name = step.name
            if name not in fixed:
                began = perf_counter() if timed else 0.0
                inputs = [values[each] for each in step.inputs]
                if name in planned.overwriting and names_of(inputs[0], values) == 1:
                    value = step.op.forward(*inputs, **step.options, out=inputs[0])
                else:
                    value = step.op.forward(*inputs, **step.options)
                if timed:
                    budget.took(step.op.name, perf_counter() - began)
                if watch.flagged or low_precision or step.op.warn is not None:
                    watch.look(step, value, result.warnings)
                if name in edits:
                    value = edited(planned, name, value, 0)
                    watch.report(name, value, result.warnings, masked=step.op.name == "mask")
                values[name] = value
            for each in last_uses.get(name, ()):
                del values[each]
    return result


def names_of(array: Array, values: Mapping[str, Array]) -> int | None:
    """How many names stand for an array or (a view) a part of it; None where it is a view itself."""
    if not array.flags.owndata:
        return None
    return sum(each is array or each.base is array for each in values.values())


def load_leaves(planned: Plan, values: dict[str, Array]) -> None:
    """Inputs, parameters and masks, in the block's dtype; a weight that is not sent is drawn now."""
    r, dtype = planned.request, planned.dtype
    for leaf in planned.leaves:
        name, shape = leaf.name, planned.shapes[leaf.name]
        sent = getattr(r, name) if leaf.kind == "given" else r.parameters.get(name)
        if sent is None:
            values[name] = initial_value(leaf, shape, dtype, r.seed)
        else:
            value = sent.astype(dtype, copy=False)
            values[name] = value if value.shape == shape else np.broadcast_to(value, shape)
    if "attention.masked_scores" in planned.shapes:
        values["mask.additive"], values["mask.keep"] = masks(planned)


def load_given(planned: Plan, values: dict[str, Array]) -> None:
    """Steps that are set outright, and inputs and parameters after their edits."""
    for name in planned.edits:
        if name in planned.given and name in planned.shapes:
            values[name] = edited(planned, name, given_value(planned, name), 1)
        elif name in values:
            values[name] = edited(planned, name, values[name], 0)


def masks(planned: Plan) -> tuple[Array, Array]:
    """The additive mask in the block's dtype, and everything that says keep combined by AND."""
    mask, padding = planned.block.mask, planned.block.key_padding_keep
    additive = np.zeros((), planned.dtype)
    keep = np.asarray(True)
    if mask is not None and mask.additive is not None:
        additive = held(mask.additive, planned.dtype)
    if mask is not None and mask.keep is not None:
        keep = mask.keep
    if padding is not None:
        keep = keep & (padding[:, None, None, :] if padding.ndim == 2 else padding)
    return additive, keep


def held(additive: Array, dtype: np.dtype[Any]) -> Array:
    """An additive mask in the block's dtype. What is finite stays so: −1e9 means "hardly", not "never", and
    becomes half of the lowest number that the dtype has, so that adding a score does not lead out of it."""
    bound = np.finfo(dtype).max / 2
    return np.where(np.isfinite(additive), np.clip(additive, -bound, bound), additive).astype(dtype)


def given_value(planned: Plan, name: str) -> Array:
    """The value of a step that is set outright, in the dtype that it would have been computed in."""
    amount, shape = planned.edits[name][0].amount, planned.shapes[name]
    statistic = name in planned.graph.steps and planned.graph.steps[name].op.statistic
    return np.broadcast_to(np.asarray(amount, dtype=STATISTIC if statistic else planned.dtype), shape)


def edited(planned: Plan, name: str, value: Array, first: int) -> Array:
    """The value after the edits of its step, from the given position on."""
    for edit in planned.edits[name][first:]:
        value = edit.apply(value, planned.axes(name))
    return value


class Watch:
    """Looks out for what a reader must be told: rows without weights, and the first step that is not finite.

    The floating-point flags of element-wise work cost nothing to heed. A matrix product may raise none, since
    it runs in other threads, so in low precision a number that all of its values enter is looked at: one NaN
    or infinity makes it so too.
    """

    def __init__(self, planned: Plan) -> None:
        self.low_precision = planned.dtype.itemsize < 8
        self.flagged = self.reported = False

    def flag(self, _kind: str, _flag: int) -> None:
        self.flagged = True

    def look(self, step: Step, value: Array, warnings: list[dict[str, str]]) -> None:
        if step.op.warn is not None and (detail := step.op.warn(value)):
            warnings.append({"step": step.name, "code": step.op.warning_code, "detail": detail})
        if self.reported:
            return
        suspect = self.flagged or (self.low_precision and step.op.product and not np.isfinite(essence(value)))
        self.flagged = False
        if suspect:
            self.report(step.name, value, warnings, masked=step.op.name == "mask")

    def outside(self, planned: Plan, values: Mapping[str, Array], warnings: list[dict[str, str]]) -> None:
        """Look at what was sent, in order: a number that fits float64 may not fit the block's dtype."""
        for name in (*planned.graph.leaves, *planned.graph.steps):
            if name in values and not name.startswith("mask."):
                self.report(name, values[name], warnings)
        self.flagged = False

    def report(
        self, name: str, value: Array, warnings: list[dict[str, str]], *, masked: bool = False
    ) -> None:
        """Warn once of values that are not finite; the −∞ of masked scores is meant."""
        fine = np.isfinite(value)
        if self.reported or (fine | np.isneginf(value) if masked else fine).all():
            return
        self.reported = True
        detail = f"{name} is the first step with values that are not finite in {value.dtype}"
        warnings.append({"step": name, "code": "non_finite", "detail": detail})


def essence(value: Array) -> Any:
    """A number that is finite only if all values are: of float32 their product with themselves, the quickest
    there is; a sum of such squares that overflows makes for a second look and no more."""
    flat = value.ravel(order="K")
    return flat.sum() if value.dtype == np.float16 else np.dot(flat, flat)
