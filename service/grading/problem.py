"""A step that was asked for, worked out rightly, and the means to work it out wrongly.

The right way is an ordinary trace, run once. A mistake replaces some steps; only what rests on those is then
computed again, up to the asked step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Self

import numpy as np

from ..engine import UNLIMITED, BlockConfig, Budget, Plan, TraceRequest, plan
from ..engine.execute import edited, run
from ..engine.graph import Step
from ..engine.ops import Array, Op, Shape
from ..errors import InvalidRequest

Changes = Mapping[str, Step]
"""Steps that stand in for those of the same names."""


class Problem:
    """The asked step of one trace. `steps` are those to compute for it, in order; `values` what they give."""

    def __init__(self, request: TraceRequest, step: str, budget: Budget = UNLIMITED) -> None:
        self.request, self.step, self.budget = request, step, budget
        self.plan: Plan = plan(request, targets=[step])
        self.values: dict[str, Array] = run(self.plan, budget).values
        self.further: dict[str, Array | None] = {}
        self.steps: dict[str, Step] = {each.name: each for each in self.plan.order}
        self.place = {name: i for i, name in enumerate(self.steps)}

    @property
    def block(self) -> BlockConfig:
        return self.plan.block

    @property
    def right(self) -> Array:
        """The value of the asked step, whole."""
        return self.values[self.step]

    # -- what a mistake may look at ---------------------------------------------------------------

    def made_by(self, *ops: Op) -> list[Step]:
        """The steps on the way to the asked one that these very ops make."""
        wanted = {id(op) for op in ops}  # an op is this one or it is not; comparing them field by field costs
        return [step for step in self.steps.values() if id(step.op) in wanted]

    def shape(self, name: str) -> Shape:
        return self.plan.shapes[name]

    # -- working it out wrongly -------------------------------------------------------------------

    def work(self, changes: Changes) -> dict[str, Array] | None:
        """All values when these steps are taken instead; only what rests on them is computed anew.

        None where they make no difference to the asked step, or need a value that is not to be had.
        """
        values, anew, edits = self.values.copy(), set[str](), self.plan.edits
        for name, step in islice(self.steps.items(), self.first(changes), None):
            taken = step
            if name in changes:
                taken = changes[name]
                if not self.can_have(taken.inputs, values):
                    return None
            elif anew.isdisjoint(step.inputs):
                continue
            value = taken.op.forward(*[values[each] for each in taken.inputs], **taken.options)
            values[name] = edited(self.plan, name, value, 0) if name in edits else value
            anew.add(name)
        return values if self.step in anew else None

    def first(self, changes: Changes) -> int:
        """Where the earliest of these steps stands; the number of steps if none does."""
        return min((self.place[name] for name in changes if name in self.place), default=len(self.place))

    def can_have(self, names: Iterable[str], values: dict[str, Array]) -> bool:
        """Put in the right values of these names, where the asked step itself does not need them."""
        for name in names:
            if name not in values:
                if name not in self.further:
                    self.further[name] = self.fetched(name)
                value = self.further[name]
                if value is None:
                    return False
                values[name] = value
        return True

    def fetched(self, name: str) -> Array | None:
        """The right value of any name; None where the request does not allow it."""
        try:
            return run(plan(self.request, targets=[name]), self.budget).values[name]
        except InvalidRequest:
            return None

    def after(self, changes: Changes, values: dict[str, Array]) -> Self:
        """The problem as it stands for someone who has taken these steps and got these values."""
        other = type(self).__new__(type(self))
        other.request, other.step, other.budget, other.plan = self.request, self.step, self.budget, self.plan
        other.values, other.further, other.place = values, self.further, self.place
        other.steps = {name: changes.get(name, step) for name, step in self.steps.items()}
        return other

    def instead(self, **block: object) -> Problem | None:
        """The problem of another block with the same numbers; None where they do not fit it.

        Who builds the other block gives its output where this block's is asked for.
        """
        request = replace(self.request, block=replace(self.request.block, **block))  # type: ignore[arg-type]  # fields by name
        step = self.step
        try:
            if step == self.plan.graph.output:
                step = plan(request, targets=["output"]).graph.output
            return Problem(request, step, self.budget)
        except InvalidRequest:
            return None


def merged(places: Iterable[Changes]) -> Changes:
    """All these changes at once."""
    return {name: step for changes in places for name, step in changes.items()}


def quiet() -> np.errstate:
    """Mistakes may divide by zero; what is not finite then matches no answer."""
    return np.errstate(all="ignore")
