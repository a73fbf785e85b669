"""What a misconception is: a name, an explanation, and the steps that are taken instead of the right ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ...engine.graph import Step
from ...engine.ops import Array, Op
from ...engine.ops.op import one_each, shape_of_first
from ..derived import Derived
from ..problem import Changes, Problem

Lang = Literal["zh", "en"]
LANGUAGES: tuple[Lang, ...] = ("zh", "en")
Places = Callable[[Problem], Iterator[Changes]]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was done, what is right, and why: a sentence or two each."""

    done: str
    right: str
    why: str

    def text(self, lang: Lang) -> str:
        return ("" if lang == "zh" else " ").join((self.done, self.right, self.why))


def nowhere(_problem: Problem) -> Iterator[Changes]:
    """No step is taken otherwise."""
    yield from ()


def the_same(_problem: Problem) -> Problem | None:
    """No other block is built."""
    return None


def as_it_is(_derived: Derived) -> Array | None:
    """No derivative is mistaken."""
    return None


@dataclass(frozen=True, slots=True)
class Misconception:
    """A known mistake.

    `places` yields, for each place of the block where it can be made, the steps that are then taken instead;
    `instead` serves the few that build another block altogether, and `derived` those about derivatives: it
    returns the matrix that comes out.
    """

    name: str
    zh: Explanation
    en: Explanation
    places: Places = nowhere
    instead: Callable[[Problem], Problem | None] = the_same
    derived: Callable[[Derived], Array | None] = as_it_is

    def explanation(self, lang: Lang) -> Explanation:
        return self.zh if lang == "zh" else self.en


# -- ways to take a step otherwise ----------------------------------------------------------------


def by(step: Step, forward: Callable[..., Array], **changes: Any) -> Step:
    """The step with another equation; whatever else changes, `inputs` or `options`, by name.

    Given other inputs, what comes out is shaped like the first of them.
    """
    right = step.op
    shape, work = (shape_of_first, one_each) if changes else (right.shape, right.multiply_adds)
    op = Op(right.name, forward, right.vjp, right.latex, shape, work)
    return Step(
        step.name,
        op,
        changes.get("inputs", step.inputs),
        step.axes,
        step.symbol,
        changes.get("options", step.options),
    )


def otherwise(*ops: Op, forward: Callable[..., Array]) -> Places:
    """Wherever one of these ops makes a step, take this equation on the same inputs and options."""

    def places(problem: Problem) -> Iterator[Changes]:
        for step in problem.made_by(*ops):
            yield {step.name: by(step, forward)}

    return places


def operand(suffix: str, change: Callable[[Array], Array]) -> Places:
    """Wherever a step reads a parameter whose name ends so, it reads it changed."""

    def places(problem: Problem) -> Iterator[Changes]:
        for step in problem.steps.values():
            found = [i for i, name in enumerate(step.inputs) if name.rpartition(".")[2].startswith(suffix)]
            if found:
                yield {step.name: changed_operand(step, found[0], change)}

    return places


def changed_operand(step: Step, position: int, change: Callable[[Array], Array]) -> Step:
    """The step with one of its operands changed before use."""
    forward = step.op.forward

    def misread(*operands: Array, **options: Any) -> Array:
        listed = list(operands)
        listed[position] = change(listed[position])
        return forward(*listed, **options)

    return by(step, misread)


def changed_answer(step: Step, change: Callable[[Array], Array]) -> Step:
    """The step with its answer changed afterwards."""
    forward = step.op.forward
    return by(step, lambda *operands, **options: change(forward(*operands, **options)))


def copied(step: Step, source: str) -> Step:
    """The step skipped: its value is that of another name."""
    return by(step, lambda value: value, inputs=(source,), options={})
