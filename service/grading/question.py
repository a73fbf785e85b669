"""What was asked, apart from any answer: worked out once, it judges and explains any number of answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import Protocol

import numpy as np

from ..engine import UNLIMITED, Budget, TraceRequest
from ..engine.block import wire
from ..engine.graph import Graph
from ..engine.interventions import Intervention
from ..engine.ops import Array
from ..engine.reading import escape
from ..engine.shapes import ROW_AXES
from ..errors import BlockwalkError, InvalidRequest
from .answers import Tolerance
from .check import Check
from .derived import Derivative, Derived
from .evidence import Diagnosis, Evidence
from .misconceptions import CATALOGUE
from .pairs import pairs
from .problem import Problem, quiet
from .suspicions import Detour, Suspicion, derivative_mistakes, everywhere, in_one_place

SMALL = 20_000
"""A block of at most so many elements is one that somebody may work by hand. There, pairs of mistakes are
tried too, and all that was worked out is kept for the next answer."""


class Question(Protocol):
    """The right answer, what its axes are, and the reasons for a wrong one."""

    expected: Array
    axes: tuple[str, ...]

    def explain(self, answer: Array, tolerance: Tolerance) -> list[Diagnosis]:
        """Every explanation as good as the best one, simplest kind only; none where nothing fits.

        `answer` has the shape of what is expected.
        """


class StepQuestion:
    """The value of a step, cut to the rows asked for."""

    def __init__(self, asked: Check, request: TraceRequest, budget: Budget) -> None:
        self.problem = Problem(request, asked.step, budget)
        budget.check(self.problem.plan.estimate.times(1 + len(CATALOGUE)))
        self.axes = self.problem.plan.axes(asked.step)
        self.rows = partial(cut, axes=self.axes, tokens=checked_tokens(self.problem, asked))
        self.expected = self.rows(self.problem.right).astype(np.float64)
        self._pairs: dict[Tolerance, list[Detour]] = {}

    @cached_property
    def small(self) -> bool:
        return self.problem.plan.estimate.elements <= SMALL

    @cached_property
    def kept(self) -> list[Detour]:
        return list(everywhere(self.problem))

    @cached_property
    def kept_apart(self) -> list[Detour]:
        return list(in_one_place(self.problem))

    def pairs(self, tolerance: Tolerance) -> list[Detour]:
        if tolerance not in self._pairs:
            self._pairs[tolerance] = list(pairs(self.problem, self.kept, tolerance))
        return self._pairs[tolerance]

    def suspicions(self, evidence: Evidence) -> Iterator[Iterable[Detour]]:
        """What may have been done, the simplest kind first; two together only if there is evidence for two.

        For a small block all of it is kept; for a large one it is made anew, let go, and ends before pairs.
        """
        yield self.kept if self.small else everywhere(self.problem)
        yield self.kept_apart if self.small else in_one_place(self.problem)
        if self.small and evidence.different > 2:
            yield self.pairs(evidence.tolerance)

    def explain(self, answer: Array, tolerance: Tolerance) -> list[Diagnosis]:
        evidence = Evidence(answer, self.expected, tolerance)
        if not evidence.different:
            return []
        with quiet():
            for suspicions in self.suspicions(evidence):
                if found := evidence.sift(suspicions, self.rows):
                    return found
        return []


class DerivativeQuestion:
    """The Jacobian of a step."""

    def __init__(self, asked: Check, by: Derivative, request: TraceRequest, budget: Budget) -> None:
        self.derived = Derived(request, asked.step, by, budget)
        self.expected = self.derived.right
        self.axes: tuple[str, ...] = ("of", "wrt")

    @cached_property
    def mistakes(self) -> list[Suspicion]:
        return list(derivative_mistakes(self.derived))

    def explain(self, answer: Array, tolerance: Tolerance) -> list[Diagnosis]:
        evidence = Evidence(answer, self.expected, tolerance)
        return evidence.sift(self.mistakes) if evidence.different else []


def question(asked: Check, budget: Budget = UNLIMITED) -> Question:
    """Work out what a check asks for.

    Raises `InvalidRequest` where that cannot be, `TooCostly` where trying every misconception would be over
    the budget, and `DeadlineExceeded`.
    """
    try:
        request = with_carried(asked)
        if asked.jacobian is not None:
            return DerivativeQuestion(asked, asked.jacobian, request, budget)
        return StepQuestion(asked, request, budget)
    except BlockwalkError as error:
        raise placed(error) from None


# -- inside ---------------------------------------------------------------------------------------


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
