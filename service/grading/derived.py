"""A derivative that was asked for: ∂step/∂wrt, and what becomes of it when paths are left out or let in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from ..engine import UNLIMITED, Budget, Plan, TraceRequest, jacobian, plan
from ..engine.ops import ADD, MEAN, MEAN_SQUARE, VARIANCE, Array, Op
from ..engine.reading import as_count, as_list, as_object, as_string
from ..errors import MissingValue


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
    """The Jacobian of a step, worked out rightly, and the means to work it out wrongly."""

    def __init__(self, request: TraceRequest, step: str, by: Derivative, budget: Budget = UNLIMITED) -> None:
        self.request, self.step, self.by, self.budget = request, step, by, budget
        self.right = self.stopped_at(by.stop)
        self.plan: Plan = plan(request, targets=[step])

    def stopped_at(self, stop: Iterable[str]) -> Array:
        """The matrix when nothing passes through these steps."""
        by = self.by
        found = jacobian(self.request, self.step, by.wrt, by.of_token, by.wrt_token, stop, budget=self.budget)
        return found.matrix.value

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
