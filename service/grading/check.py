"""One check: read it, judge every element, and where some are wrong, look for the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self

import numpy as np

from ..engine import UNLIMITED, Budget, TraceRequest
from ..engine.block import wire
from ..engine.graph import Graph
from ..engine.interventions import Intervention, indices_from_data
from ..engine.ops import Array
from ..engine.reading import as_flag, as_object, as_string, escape
from ..engine.shapes import ROW_AXES
from ..errors import BlockwalkError, InvalidRequest, MissingValue, ShapeMismatch, UnknownName
from .answers import Tolerance, read_numbers
from .derived import Derivative, Derived
from .diagnosis import Diagnosis, diagnose, diagnose_derivative
from .misconceptions import CATALOGUE
from .problem import Problem

FIELDS = ("trace", "step", "tokens", "jacobian", "answer", "tolerance", "carried", "reveal")
REQUIRED = ("trace", "step", "answer")


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """A student's answer for one step of one trace.

    `answer` has the shape of the step, cut to the rows of `tokens`. `carried` are the student's own values of
    earlier steps, cut alike; the step is then judged on them. With `jacobian` the answer is the matrix of the
    step's derivatives.
    """

    trace: TraceRequest
    step: str
    answer: Array
    tokens: tuple[int, ...] | None = None
    jacobian: Derivative | None = None
    tolerance: Tolerance = field(default_factory=Tolerance)
    carried: Mapping[str, Array] | None = None
    reveal: bool = False

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Read a check as in the wire contract. Raises `InvalidRequest` with a pointer into it."""
        known = as_object(data, "", FIELDS)
        values = {name: value for name, value in known.items() if value is not None}
        for name in REQUIRED:
            if name not in values:
                raise MissingValue(f"{name} is missing", pointer=f"/{name}", expected=name)
        request = read_trace(values["trace"])
        graph = wire(request.block, request.seed)
        read: dict[str, Any] = {
            "trace": request,
            "step": step_name(graph, values["step"], "/step"),
            "answer": read_numbers(values["answer"], "/answer"),
            "tokens": request.tokens,
        }
        if "tokens" in values:
            read["tokens"] = indices_from_data(values["tokens"], "/tokens")
        if "jacobian" in values:
            read["jacobian"] = Derivative.from_data(values["jacobian"], "/jacobian")
        if "tolerance" in values:
            read["tolerance"] = Tolerance.from_data(values["tolerance"], "/tolerance")
        if "reveal" in values:
            read["reveal"] = as_flag(values["reveal"], "/reveal")
        if "carried" in values:
            read["carried"] = carried_from_data(graph, values["carried"], read["step"])
        return cls(**read)


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """Which elements are right, and the explanations of the others. `expected` is the right answer."""

    check: Check
    expected: Array
    right: Array
    diagnoses: tuple[Diagnosis, ...]

    @property
    def correct(self) -> bool:
        return bool(self.right.all())

    @property
    def score(self) -> float:
        """The fraction of elements that are right."""
        return float(self.right.mean())


def check(asked: Check, budget: Budget = UNLIMITED) -> Verdict:
    """Judge an answer.

    Raises `InvalidRequest` where it does not fit the step, `TooCostly` where trying every misconception would
    be over the budget, and `DeadlineExceeded`.
    """
    try:
        request = with_carried(asked)
        if asked.jacobian is not None:
            return check_derivative(asked, asked.jacobian, request, budget)
        problem = Problem(request, asked.step, budget)
    except BlockwalkError as error:
        raise placed(error) from None
    budget.check(problem.plan.estimate.times(1 + len(CATALOGUE)))
    axes = problem.plan.axes(asked.step)
    rows = partial(cut, axes=axes, tokens=checked_tokens(problem, asked))
    expected = rows(problem.right).astype(np.float64)
    check_shape(asked, expected, f"{asked.step} is [{', '.join(axes)}]")
    found = diagnose(problem, asked.answer, expected, asked.tolerance, rows)
    return Verdict(asked, expected, asked.tolerance.holds(asked.answer, expected), tuple(found))


def check_derivative(asked: Check, by: Derivative, request: TraceRequest, budget: Budget) -> Verdict:
    """Judge a Jacobian."""
    derived = Derived(request, asked.step, by, budget)
    expected = derived.right.astype(np.float64)
    check_shape(asked, expected, "a Jacobian is [of, wrt]")
    found = diagnose_derivative(derived, asked.answer, asked.tolerance)
    return Verdict(asked, expected, asked.tolerance.holds(asked.answer, expected), tuple(found))


def check_shape(asked: Check, expected: Array, because: str) -> None:
    if asked.answer.shape != expected.shape:
        raise ShapeMismatch(
            "answer",
            axis="shape",
            expected=list(expected.shape),
            got=list(asked.answer.shape),
            pointer="/answer",
            because=because,
        )


def placed(error: BlockwalkError) -> BlockwalkError:
    """The error with its pointers into the check, of which the engine knows the trace alone."""
    pointer = error.faults[0].pointer
    if pointer.startswith("/trace/carried"):
        error.faults = tuple(replace(each, pointer=each.pointer[len("/trace") :]) for each in error.faults)
    elif pointer.startswith(("/wrt", "/of_token", "/stop")):
        error.under("/jacobian")
    elif not pointer.startswith(("/answer", "/carried", "/tokens", "/trace")):
        error.under("/trace")
    return error


# -- inside ---------------------------------------------------------------------------------------


def read_trace(data: Any) -> TraceRequest:
    """The trace of a check, pointers re-rooted; what it selects is the check's to say."""
    try:
        request = data if isinstance(data, TraceRequest) else TraceRequest.from_data(data)
    except BlockwalkError as error:
        raise error.under("/trace") from None
    return replace(request, select=None, include_parameters=False)


def step_name(graph: Graph, called: Any, pointer: str) -> str:
    """The graph's own name of a step; `output` is the block's last one."""
    name: str = as_string(called, pointer)
    if name == "output":
        return graph.output
    if name not in graph.names():
        raise UnknownName("step", name, graph.names(), pointer=pointer)
    return name


def carried_from_data(graph: Graph, data: Any, asked: str) -> dict[str, Array]:
    """The student's own earlier values by step; what is no earlier step is refused."""
    if not isinstance(data, Mapping):
        raise InvalidRequest("should map steps to values", pointer="/carried", expected="object")
    carried = {}
    for key, value in data.items():
        pointer = f"/carried/{escape(key)}"
        name = step_name(graph, key, pointer)
        if name == asked:
            raise InvalidRequest(
                f"{name} is the step asked for; earlier ones carry",
                pointer=pointer,
                expected="an earlier step",
            )
        carried[name] = read_numbers(value, pointer)
    return carried


def with_carried(asked: Check) -> TraceRequest:
    """The trace in which the student's earlier values stand in for the right ones."""
    request = replace(asked.trace, tokens=None)
    graph = wire(request.block, request.seed)
    edits = [carried_edit(graph, name, value, asked.tokens) for name, value in (asked.carried or {}).items()]
    return replace(request, interventions=(*request.interventions, *edits))


def carried_edit(graph: Graph, name: str, value: Array, tokens: tuple[int, ...] | None) -> Intervention:
    """The values set outright, or where they hold the rows of `tokens` only, set in those rows."""
    axes = graph[name].axes
    where = None
    for axis, length in zip(reversed(axes), reversed(value.shape), strict=False):
        if tokens is not None and axis in ROW_AXES and length == len(tokens):
            where = {axis: tokens}
    return Intervention(name, "set", value, where, f"/carried/{escape(name)}")


def checked_tokens(problem: Problem, asked: Check) -> tuple[int, ...] | None:
    """The rows asked for, which the step must have."""
    for axis, length in zip(problem.plan.axes(asked.step), problem.shape(asked.step), strict=True):
        for i, token in enumerate(asked.tokens or ()):
            if axis in ROW_AXES and token >= length:
                raise InvalidRequest(
                    f"{asked.step} has {length} tokens",
                    pointer=f"/tokens/{i}",
                    expected=f"0 to {length - 1}",
                    got=token,
                )
    return asked.tokens


def cut(value: Array, axes: tuple[str, ...], tokens: tuple[int, ...] | None) -> Array:
    """The rows of `tokens` along every axis that has rows."""
    if tokens is not None:
        for position, axis in enumerate(axes):
            if axis in ROW_AXES:
                value = value.take(tokens, axis=position)
    return value
