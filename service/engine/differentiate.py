"""Walking the same steps backwards: gradients, Jacobians, and stops.

Reverse-mode differentiation of the graph (Griewank & Walther 2008, chapter 3): every op knows its
vector-Jacobian product, and a value used twice adds up the gradients of both uses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import prod
from time import perf_counter
from typing import Any

import numpy as np

from ..errors import BlockwalkError, InvalidRequest, Misread, ShapeMismatch
from .cost import UNLIMITED, Budget
from .execute import Trace, TracedStep, described, names_of, run
from .graph import Step
from .ops import Array, Shape
from .plan import Plan, plan_of
from .request import TraceRequest
from .shapes import ROW_AXES
from .subject import Subject

FINITE_STEP = 1e-6


def gradient(
    request: TraceRequest,
    of: str,
    wrt: Iterable[str],
    cotangent: Array | None = None,
    stop: Iterable[str] = (),
    *,
    budget: Budget = UNLIMITED,
) -> list[TracedStep]:
    """Return ∂(Σ cotangent ⊙ of)/∂w for each w in `wrt`, each shaped as w.

    `of`, `wrt` and `stop` name steps, inputs or parameters; without a cotangent it is all ones. No gradient
    passes through a stopped step to what it was made from. What `of` does not rest on has gradient zero.
    Raises as `trace` does, with pointers below `/trace`, and `ShapeMismatch` for an ill-shaped cotangent.
    """
    ask = Question(request, of, list(wrt), stop)
    planned = ask.plan
    shape = planned.shapes[ask.of]
    if cotangent is None:
        cotangent = np.ones(shape)
    elif cotangent.shape != shape:
        raise ShapeMismatch(
            "cotangent",
            axis="shape",
            expected=list(shape),
            got=list(cotangent.shape),
            pointer="/cotangent",
            because=f"{ask.of} has it",
        )
    budget.check(planned.estimate.times(3))
    traced = run(planned, budget)
    found = backward(traced, ask.of, cotangent.astype(planned.dtype), ask.wrt, ask.stop, budget)
    return [ask.answer(name, found[name]) for name in ask.wrt]


@dataclass(frozen=True, slots=True, eq=False)
class Jacobian:
    """∂of_i/∂wrt_j, [of, wrt], with the largest difference from central differences of the given step."""

    of: str
    wrt: str
    matrix: TracedStep
    step: float
    max_abs_error: float
    warnings: tuple[dict[str, str], ...]
    """Those of the trace, and the ReLU steps with an input at 0, where there is no derivative to attest."""


def jacobian(
    request: TraceRequest,
    of: str,
    wrt: str,
    of_token: int | None = None,
    wrt_token: int | None = None,
    stop: Iterable[str] = (),
    *,
    budget: Budget = UNLIMITED,
) -> Jacobian:
    """Return the matrix of ∂of_i/∂wrt_j and its attestation by central differences.

    A token picks one row of a step; without it the whole step counts, flattened row by row. The differences
    are taken in float64 with stopped steps held fixed, so they check the backward walk, not themselves.
    Raises as `gradient` does.
    """
    ask = Question(request, of, wrt, stop)
    planned = ask.plan
    rows = elements(planned, ask.of, of_token, "/of_token")
    columns = elements(planned, ask.wrt[0], wrt_token, "/wrt_token")
    budget.check(planned.estimate.times(1 + 2 * rows.size + 2 * columns.size))
    traced = run(planned, budget)
    matrix = np.empty((rows.size, columns.size), planned.dtype)
    for i, row in enumerate(rows):
        cotangent = np.zeros(prod(planned.shapes[ask.of]), planned.dtype)
        cotangent[row] = 1
        seed = cotangent.reshape(planned.shapes[ask.of])
        matrix[i] = backward(traced, ask.of, seed, ask.wrt, ask.stop, budget)[ask.wrt[0]].reshape(-1)[columns]
    error = np.abs(matrix - central_differences(ask, rows, columns, budget)).max(initial=0.0)
    step = TracedStep(
        name=f"d({ask.of})/d({ask.wrt[0]})",
        symbol="J",
        axes=("of", "wrt"),
        op="jacobian",
        inputs=(ask.of, ask.wrt[0]),
        latex=ask.latex(ask.wrt[0]),
        value=matrix,
    )
    return Jacobian(
        ask.of, ask.wrt[0], step, FINITE_STEP, float(error), (*traced.warnings, *kinks_of(traced))
    )


@contextmanager
def below(pointer: str) -> Iterator[None]:
    """Re-root the pointers of any refusal."""
    try:
        yield
    except BlockwalkError as wrong:
        raise wrong.under(pointer) from None


def kinks_of(traced: Trace) -> Iterator[dict[str, str]]:
    """Warn of the ReLU steps with an input so close to 0 that differences of two sides are no derivative."""
    for step in traced.plan.order:
        if step.op.name == "relu" and (np.abs(traced.values[step.inputs[0]]) < 10 * FINITE_STEP).any():
            detail = (
                "an input is 0 or next to it, where ReLU has no derivative; the walk takes that from below"
            )
            yield {"step": step.name, "code": "kink", "detail": detail}


class Question:
    """What is differentiated by what: names resolved, and the plan that keeps every value the walk needs."""

    def __init__(self, request: TraceRequest, of: str, wrt: str | list[str], stop: Iterable[str]) -> None:
        self.request = request
        with below("/trace"):
            subject = Subject(request)
        self.of = subject.resolve(of, "/of")
        self.wrt = (
            [subject.resolve(wrt, "/wrt")]
            if isinstance(wrt, str)
            else [subject.resolve(name, f"/wrt/{i}") for i, name in enumerate(wrt)]
        )
        self.stop = {subject.resolve(name, f"/stop/{i}") for i, name in enumerate(stop)}
        if not self.wrt:
            raise Misread("names nothing to differentiate by", pointer="/wrt", expected="a step")
        with below("/trace"):
            self.plan = plan_of(subject, [self.of, *self.wrt])

    def answer(self, wrt: str, value: Array) -> TracedStep:
        """A gradient with the axes of what it differentiates by."""
        like = described(self.plan, wrt, value)
        return replace(like, op="gradient", inputs=(self.of, wrt), latex=self.latex(wrt))

    def latex(self, wrt: str) -> str:
        """The derivative as a fraction of the two symbols."""
        graph = self.plan.graph
        return rf"\frac{{\partial {graph[self.of].symbol}}}{{\partial {graph[wrt].symbol}}}"


def backward(
    traced: Trace,
    of: str,
    cotangent: Array,
    wrt: Collection[str],
    stop: Collection[str] = (),
    budget: Budget = UNLIMITED,
) -> dict[str, Array]:
    """Walk a whole trace backwards from `of`: the gradient of each in `wrt`, zeros where there is none."""
    planned, values = traced.plan, traced.values
    wanted = leading_to(planned, set(wrt), stop)
    grads: dict[str, Array] = {of: cotangent}
    with np.errstate(all="ignore"):
        for step in reversed(planned.order):
            budget.check_deadline()
            grad = grads.get(step.name) if step.name in wrt else grads.pop(step.name, None)
            if grad is None or step.name in stop or not any(name in wanted for name in step.inputs):
                continue
            answer = values[step.name]
            if step.name in planned.edits:
                for edit in reversed(planned.edits[step.name]):
                    grad = edit.vjp(grad, planned.axes(step.name))
                # An op's backward may look at its own answer, which is the one from before the edits.
                answer = step.op.forward(*(values[name] for name in step.inputs), **step.options)
            spare = step.op.in_place and grad is not cotangent and names_of(grad, grads) == 0
            began = perf_counter()
            parts = pull_back(step, grad, answer, values, wanted, spare=spare)
            budget.took(step.op.name, perf_counter() - began)
            for name, part in zip(step.inputs, parts, strict=True):
                if part is not None and name in wanted:
                    grads[name] = grads[name] + part if name in grads else part
    return {
        name: np.asarray(grads.get(name, np.zeros_like(values[name])), values[name].dtype) for name in wrt
    }


def pull_back(
    step: Step,
    grad: Array,
    answer: Array,
    values: Mapping[str, Array],
    wanted: Collection[str],
    *,
    spare: bool = False,
) -> tuple[Array | None, ...]:
    """One step's vector-Jacobian product, leaving out what nobody wants where that saves a product; it may
    stand in the place of a gradient that is to spare."""
    options: dict[str, Any] = dict(step.options)
    if step.op.selective:
        options["wanted"] = tuple(name in wanted for name in step.inputs)
    if spare:
        options["out"] = grad
    return step.op.vjp(grad, answer, *(values[name] for name in step.inputs), **options)


def leading_to(planned: Plan, wrt: set[str], stop: Collection[str]) -> set[str]:
    """The names whose gradient is worth computing: `wrt`, and what rests on them with no stop between."""
    wanted = set(wrt)
    for step in planned.order:
        if step.name not in stop and any(name in wanted for name in step.inputs):
            wanted.add(step.name)
    return wanted


def elements(planned: Plan, name: str, token: int | None, pointer: str) -> Array:
    """The flat positions of a step's elements that belong to one token, or of all of them."""
    shape: Shape = planned.shapes[name]
    everything = np.arange(prod(shape)).reshape(shape)
    if token is None:
        return everything.reshape(-1)
    axes = planned.axes(name)
    row_axis = next((axis for axis in (*ROW_AXES, "key", "memory") if axis in axes), None)
    if row_axis is None:
        raise InvalidRequest(f"{name} has no tokens to pick one of", pointer=pointer, got=token)
    length = shape[axes.index(row_axis)]
    if not 0 <= token < length:
        raise InvalidRequest(
            f"{name} has {length} tokens", pointer=pointer, expected=f"0 to {length - 1}", got=token
        )
    return everything.take(token, axis=axes.index(row_axis)).reshape(-1)


def central_differences(ask: Question, rows: Array, columns: Array, budget: Budget) -> Array:
    """The same matrix by (f(w + h) − f(w − h)) / 2h in float64, stopped steps held at their values."""
    exact = replace(ask.request, block=replace(ask.request.block, dtype="float64"))
    again = Question(exact, ask.of, list(ask.wrt), ask.stop)
    base = run(again.plan, budget).values
    held = {name: base[name] for name in ask.stop if name in base}
    wrt = ask.wrt[0]

    def at(column: int, shift: float) -> Array:
        moved = base[wrt].copy()
        moved.reshape(-1)[column] += shift
        values = run(again.plan, budget, given=held | {wrt: moved}).values
        return values[ask.of].reshape(-1)[rows]

    matrix = np.empty((rows.size, columns.size))
    for j, column in enumerate(columns):
        matrix[:, j] = (at(column, FINITE_STEP) - at(column, -FINITE_STEP)) / (2 * FINITE_STEP)
    return matrix
