"""What an exercise is, and when one is fit to be set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...engine import TraceRequest, jacobian, plan
from ...engine.execute import run
from ...engine.graph import Step
from ...engine.ops import RELU, VARIANCE, Array
from ..question import cut
from .draw import Draw

DIFFICULTIES = (1, 2, 3)
TOLERANCE = {"absolute": 2e-3, "relative": 2e-3}
"""Lets pass what was worked with three decimals throughout."""
LEAST_SPREAD = 0.1
"""Answers whose elements differ by less than this could be guessed."""
MOST_DRAFTS = 1000
LEAST_VARIANCE = 0.1
"""Rows that vary less than this have no shape to normalise."""

Text = Mapping[str, str]
"""The same in each language, zh and en."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing asked for: rows of a step of a trace, or a Jacobian by `{"wrt", "of_token", ...}`.

    `part` says which part of the exercise it belongs to, where there are several.
    """

    trace: Mapping[str, Any]
    step: str
    tokens: tuple[int, ...] = (0,)
    jacobian: Mapping[str, Any] | None = None
    part: Text | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """An exercise as a topic draws it, before it is known to be fit."""

    statement: Text
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """A kind of exercise: `draw` makes one of a difficulty."""

    name: str
    title: Text
    draw: Callable[[Draw, int], Draft]


class Worked:
    """One trace of an exercise, worked out as far as the questions on it go."""

    def __init__(self, trace: Mapping[str, Any], steps: Iterable[str]) -> None:
        self.trace = trace
        self.plan = plan(TraceRequest.from_data(trace), targets=steps)
        self.values = run(self.plan).values

    @property
    def body(self) -> dict[str, Any]:
        """A body for POST /block/trace that shows every step on the way."""
        return {**self.trace, "select": [step.name for step in self.plan.order]}

    @property
    def fit(self) -> bool:
        """Whether nothing on the way is a matter of course: rows vary, ReLU cuts a third and leaves some."""
        return all(self.step_is_fit(step) for step in self.plan.order)

    def step_is_fit(self, step: Step) -> bool:
        value = self.values[step.name]
        if step.op is VARIANCE:
            return bool((value >= LEAST_VARIANCE).all())
        if step.op is RELU:
            before = self.values[step.inputs[0]]
            return bool(3 * (before < 0).sum() >= before.size and (before > 0).sum() > 1)
        return True

    @property
    def smooth(self) -> bool:
        """Whether no ReLU stands at its kink, where it has no derivative."""
        return all((self.values[step.inputs[0]] != 0).all() for step in self.plan.order if step.op is RELU)


class Asked:
    """A question with its answer, and everything that a page or a grader needs to know of it."""

    def __init__(self, question: Question, worked: Worked) -> None:
        self.question, self.worked = question, worked

    @property
    def symbol(self) -> str:
        graph, by = self.worked.plan.graph, self.question.jacobian
        symbol = graph[self.question.step].symbol
        return symbol if by is None else rf"\partial {symbol} / \partial {graph[by['wrt']].symbol}"

    @property
    def axes(self) -> tuple[str, ...]:
        return ("of", "wrt") if self.question.jacobian else self.worked.plan.axes(self.question.step)

    @cached_property
    def answer(self) -> Array:
        """The right answer, cut to the tokens."""
        q = self.question
        if q.jacobian is not None:
            return jacobian(self.worked.plan.request, q.step, **q.jacobian).matrix.value
        return cut(self.worked.values[q.step], self.axes, q.tokens)

    @property
    def check(self) -> dict[str, Any]:
        """The body for POST /checks; only `answer` is to be put in."""
        q = self.question
        what = {"tokens": list(q.tokens)} if q.jacobian is None else {"jacobian": dict(q.jacobian)}
        return {"trace": dict(q.trace), "step": q.step, **what, "tolerance": TOLERANCE}

    @property
    def fit(self) -> bool:
        """Whether the answer exists, and its numbers are not all nearly the same."""
        if self.question.jacobian and not self.worked.smooth:
            return False
        if not np.isfinite(self.answer).all():
            return False
        return self.answer.size == 1 or float(np.ptp(self.answer)) >= LEAST_SPREAD


@dataclass(frozen=True, slots=True, eq=False)
class Exercise:
    """One exercise: what is stated, given and asked."""

    topic: Topic
    seed: int
    difficulty: int
    statement: Text
    asked: tuple[Asked, ...]

    @property
    def given(self) -> list[dict[str, Any]]:
        """The numbers that the student is given: inputs, steps set outright, parameters."""
        worked = self.asked[0].worked
        numbers = {"x": worked.trace["x"]} if "x" in worked.trace else {}
        numbers |= {edit["step"]: edit["set"] for edit in worked.trace.get("interventions", ())}
        numbers |= worked.trace.get("parameters", {})
        graph = worked.plan.graph
        return [
            {
                "name": name,
                "symbol": told_apart(name, [graph[each].symbol for each in numbers], graph[name].symbol),
                "axes": graph[name].axes,
                "shape": np.shape(value),
                "value": value,
            }
            for name, value in numbers.items()
        ]

    @property
    def working(self) -> list[dict[str, Any]]:
        """Bodies for POST /block/trace that show all steps on the way: one, or one for each part."""
        return [worked.body for worked in dict.fromkeys(each.worked for each in self.asked)]


def told_apart(name: str, symbols: list[str], symbol: str) -> str:
    """The symbol of a name, with the number of its norm where two norms have given numbers of one symbol."""
    number = name.partition(".")[0].rpartition("_")[2]
    return symbol if symbols.count(symbol) == 1 else f"{symbol}_{{{number}}}"


def made(topic: Topic, seed: int, difficulty: int) -> Exercise:
    """The first draft of this seed that is fit to be set."""
    draw = Draw(seed, f"exercises/{topic.name}/{difficulty}")
    for _ in range(MOST_DRAFTS):
        draft = topic.draw(draw, difficulty)
        asked = worked_out(draft.questions)
        if all(each.worked.fit for each in asked) and all(each.fit for each in asked):
            return Exercise(topic, seed, difficulty, draft.statement, asked)
    raise RuntimeError(f"{topic.name}, difficulty {difficulty}: no draft of seed {seed} is fit to be set")


def worked_out(questions: tuple[Question, ...]) -> tuple[Asked, ...]:
    """The questions with their answers; those on one trace share its computation."""
    steps: dict[int, list[str]] = {}
    for each in questions:
        steps.setdefault(id(each.trace), []).append(each.step)
    traces = {id(each.trace): each.trace for each in questions}
    worked = {key: Worked(trace, steps[key]) for key, trace in traces.items()}
    return tuple(Asked(each, worked[id(each.trace)]) for each in questions)
