"""Mistakes about where the residual starts, where it is added, and what is normalised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...engine.graph import Step
from ...engine.ops import ADD, Array
from ..problem import Changes, Problem
from .misconception import Explanation, Misconception, by, copied

# -- the wirings as they are mistaken -------------------------------------------------------------


def residuals(problem: Problem) -> Iterator[Step]:
    return (step for step in problem.made_by(ADD) if step.name.startswith("residual_"))


def forgotten(problem: Problem) -> Iterator[Changes]:
    """The sum is the update alone."""
    for step in residuals(problem):
        yield {step.name: copied(step, step.inputs[1])}


def sublayer_alone(problem: Problem) -> Iterator[Changes]:
    """In a post-norm block, the normalisation reads the update instead of the sum."""
    for residual, norm in normalised_sums(problem):
        yield reading_the_update(residual, norm)


def added_after(problem: Problem) -> Iterator[Changes]:
    """In a post-norm block, u = x + LN(update): the update is normalised and then joins x."""
    for residual, norm in normalised_sums(problem):
        changes = reading_the_update(residual, norm)
        last = norm[-1].name
        yield {**changes, last: joined(changes[last], residual.inputs[0])}


def normalised_sums(problem: Problem) -> Iterator[tuple[Step, list[Step]]]:
    """Each sum of a post-norm block with the steps of the normalisation that reads it."""
    if problem.block.norm_placement == "pre":
        return
    for residual in residuals(problem):
        scope = residual.name.replace("residual_", "norm_") + "."
        names = [name for name in problem.plan.graph.steps if name.startswith(scope)]
        if any(name in problem.steps for name in names):
            yield residual, [problem.steps.get(name, problem.plan.graph.steps[name]) for name in names]


def reading_the_update(residual: Step, norm: list[Step]) -> dict[str, Step]:
    instead = {residual.name: residual.inputs[1]}
    return {
        step.name: replace(step, inputs=tuple(instead.get(each, each) for each in step.inputs))
        for step in norm
    }


def joined(step: Step, x: str) -> Step:
    """The step's value plus that of x."""
    forward = step.op.forward

    def summed(*operands: Array, **options: object) -> Array:
        return operands[-1] + forward(*operands[:-1], **options)

    return by(step, summed, inputs=(*step.inputs, x))


def from_normalised(problem: Problem) -> Iterator[Changes]:
    """In a pre-norm block, the branch's normalised input is carried past it instead of the raw one."""
    if problem.block.norm_placement == "post":
        return
    for step in residuals(problem):
        norm = step.name.replace("residual_", "norm_") + ".output"
        yield {step.name: replace(step, inputs=(norm, step.inputs[1]))}


def later_ones_from_x(problem: Problem) -> Iterator[Changes]:
    """Every residual but the first starts from the block's input."""
    for step in residuals(problem):
        if step.inputs[0] != "x":
            yield {step.name: replace(step, inputs=("x", step.inputs[1]))}


def placed_otherwise(problem: Problem) -> Problem | None:
    """The block with its normalisations where the other kind of block has them."""
    return problem.instead(norm_placement="pre" if problem.block.norm_placement == "post" else "post")


# -- the mistakes ---------------------------------------------------------------------------------

RESIDUALS = (
    Misconception(
        "residual_forgotten",
        zh=Explanation(
            "没有把原表示加回来，只用了子层的输出。",
            "残差是 输入 + 子层输出。",
            "子层学的是修正 Δ；不加回来，原表示的直通路径就断了。",
        ),
        en=Explanation(
            "The old representation was not added back; only the sublayer's output was used.",
            "The residual is input + sublayer output.",
            "The sublayer learns a correction Δ; without the sum the old representation has no direct path.",
        ),
        places=forgotten,
    ),
    Misconception(
        "residual_after_norm",
        zh=Explanation(
            "先对子层输出归一化，再加残差：x+LN(Δ)。",
            "post-norm 先相加再归一化：LN(x+Δ)。",
            "归一化的是相加之后的整行，两部分一起进入 μ 和 σ²。",
        ),
        en=Explanation(
            "The sublayer's output was normalised before the sum: x + LN(Δ).",
            "Post-norm adds first and normalises afterwards: LN(x + Δ).",
            "What is normalised is the row after the addition; both parts enter μ and σ².",
        ),
        places=added_after,
    ),
    Misconception(
        "norm_of_sublayer_only",
        zh=Explanation(
            "归一化只作用在子层输出上：LN(Δ)。",
            "应对相加之后的 x+Δ 归一化。",
            "只归一化 Δ，等于丢掉了原表示。",
        ),
        en=Explanation(
            "Only the sublayer's output was normalised: LN(Δ).",
            "The sum x + Δ is normalised.",
            "Normalising Δ alone drops the old representation.",
        ),
        places=sublayer_alone,
    ),
    Misconception(
        "residual_from_normalized",
        zh=Explanation(
            "残差取自归一化之后的输入：LN(x)+Δ。",
            "pre-norm 的残差取原始输入：x+Δ。",
            "归一化只在分支里面做，主干上的表示原样向前传。",
        ),
        en=Explanation(
            "The residual was taken from the normalised input: LN(x) + Δ.",
            "In a pre-norm block it is the raw input: x + Δ.",
            "The normalisation belongs to the branch; along the trunk the representation passes untouched.",
        ),
        places=from_normalised,
    ),
    Misconception(
        "second_residual_from_x",
        zh=Explanation(
            "后面的残差加的是 block 的输入 x。",
            "它加的是这个子层自己的输入，也就是上一个子层的结果。",
            "每个子层修正的是到它为止的表示，不是最初的表示。",
        ),
        en=Explanation(
            "A later residual was taken from the block's input x.",
            "It starts from this sublayer's own input, the result of the sublayer before.",
            "Each sublayer corrects the representation as it has become, not as it was at first.",
        ),
        places=later_ones_from_x,
    ),
    Misconception(
        "placement_swapped",
        zh=Explanation(
            "按另一种归一化位置算了整个 block：post-norm 与 pre-norm 弄反。",
            "post-norm 是 LN(x+F(x))，pre-norm 是 x+F(LN(x))；请看题目给的是哪一种。",
            "同样的部件换了次序，就是另一个函数。",
        ),
        en=Explanation(
            "The whole block was computed with the other placement: post-norm and pre-norm were confused.",
            "Post-norm is LN(x + F(x)), pre-norm is x + F(LN(x)); see which of them is given.",
            "The same parts in another order are another function.",
        ),
        instead=placed_otherwise,
    ),
)
