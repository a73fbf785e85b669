"""A derivative that was asked for: ∂step/∂wrt, and what becomes of it when paths are left out or let in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import Any, Self

import numpy as np

from ..engine import UNLIMITED, Budget, TraceRequest
from ..engine.differentiate import Question, backward, elements
from ..engine.execute import run
from ..engine.ops import ADD, MEAN, MEAN_SQUARE, VARIANCE, Array, Op
from ..engine.reading import as_count, as_list, as_object, as_string
from ..errors import MissingValue

WALKS = 7
"""How many matrices it takes to try every mistake about derivatives, the right one included."""


@dataclass(frozen=True, slots=True)
class Derivative:
    """By what, at which tokens, and through which steps nothing passes; see `engine.jacobian`."""

    wrt: str
    of_token: int | None = None
    wrt_token: int | None = None
    stop: tuple[str, ...] = ()

    @classmethod
    def from_data(cls, data: Any, pointer: str) -> Self:
        known = as_object(data, pointer, ("wrt", "of_token", "wrt_token", "stop"))
        values = {name: value for name, value in known.items() if value is not None}
        if "wrt" not in values:
            raise MissingValue(
                "wrt is missing", pointer=f"{pointer}/wrt", expected="a step, x or a parameter"
            )
        read: dict[str, Any] = {"wrt": as_string(values["wrt"], f"{pointer}/wrt")}
        for name in ("of_token", "wrt_token"):
            if name in values:
                read[name] = as_count(values[name], f"{pointer}/{name}", least=0)
        if "stop" in values:
            listed = as_list(values["stop"], f"{pointer}/stop")
            read["stop"] = tuple(as_string(each, f"{pointer}/stop/{i}") for i, each in enumerate(listed))
        return cls(**read)


class Derived:
    """The Jacobian of a step, worked out rightly, and the means to work it out wrongly.

    The steps are run once; each matrix is then one walk back for every row. Raises as `engine.jacobian` does.
    """

    def __init__(self, request: TraceRequest, step: str, by: Derivative, budget: Budget = UNLIMITED) -> None:
        self.by, self.budget = by, budget
        self.question = Question(request, step, by.wrt, by.stop)
        self.plan = self.question.plan
        self.rows = elements(self.plan, self.question.of, by.of_token, "/of_token")
        self.columns = elements(self.plan, self.question.wrt[0], by.wrt_token, "/wrt_token")
        budget.check(self.plan.estimate.times(1 + 3 * WALKS * self.rows.size))
        self.trace = run(self.plan, budget)
        self.right = self.stopped_at(by.stop)

    def stopped_at(self, stop: Iterable[str]) -> Array:
        """The matrix ∂of_i/∂wrt_j, [of, wrt], when nothing passes through these steps."""
        ask, shape = self.question, self.plan.shapes[self.question.of]
        matrix = np.empty((self.rows.size, self.columns.size))
        for i, row in enumerate(self.rows):
            cotangent = np.zeros(prod(shape), self.plan.dtype)
            cotangent[row] = 1
            found = backward(self.trace, ask.of, cotangent.reshape(shape), ask.wrt, set(stop), self.budget)
            matrix[i] = found[ask.wrt[0]].reshape(-1)[self.columns]
        return matrix

    def also_stopped_at(self, further: set[str]) -> Array | None:
        """The matrix when nothing passes through these either; None where that is no change."""
        new = further - set(self.by.stop)
        return self.stopped_at((*self.by.stop, *sorted(new))) if new else None

    @property
    def updates(self) -> set[str]:
        """What the residual sums add to what was there."""
        return {step.inputs[1] for step in self.made_by(ADD) if step.name.startswith("residual_")}

    def statistics(self, *ops: Op) -> set[str]:
        return {step.name for step in self.made_by(*(ops or (MEAN, VARIANCE, MEAN_SQUARE)))}

    def made_by(self, *ops: Op) -> list[Any]:
        return [step for step in self.plan.order if any(step.op is op for op in ops)]
