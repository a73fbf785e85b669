"""Mistakes between queries and keys on one side and attention weights on the other: scale, softmax, roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from ...engine.ops import DOT_PRODUCT, ROTARY, SCALE, SOFTMAX, WEIGHTED_SUM, Array
from ..problem import Changes, Problem
from .misconception import Explanation, Misconception, by, changed_answer

# -- the equations as they are mistaken -----------------------------------------------------------


def scaled(factor: Callable[[Problem, float], float | None]) -> Callable[[Problem], Iterator[Changes]]:
    """The scores scaled by another factor, made from the problem and the right factor; None for none."""

    def places(problem: Problem) -> Iterator[Changes]:
        for step in problem.made_by(SCALE):
            scale = factor(problem, step.options["scale"])
            if scale is not None:
                yield {step.name: replace(step, options={"scale": scale})}

    return places


def one_over_d(problem: Problem, _scale: float) -> float | None:
    d_head = problem.block.d_head
    return 1 / d_head if d_head else None


def one_over_root_d_model(problem: Problem, _scale: float) -> float | None:
    d_model, d_head = problem.block.d_model, problem.block.d_head
    return d_model**-0.5 if d_model and d_model != d_head else None


def scaled_afterwards(problem: Problem) -> Iterator[Changes]:
    """Softmax of the raw scores, its weights then scaled."""
    for step in problem.made_by(SCALE):
        scale = step.options["scale"]
        changes = {step.name: replace(step, options={"scale": 1.0})}
        for softmax in problem.made_by(SOFTMAX):
            if softmax.name.rpartition(".")[0] == step.name.rpartition(".")[0]:
                changes[softmax.name] = changed_answer(softmax, partial(np.multiply, scale))
        yield changes


def softmax_along(axis: int) -> Callable[[Problem], Iterator[Changes]]:
    """Weights that sum to one along another axis of [..., head, query, key], if that is longer than one."""

    def places(problem: Problem) -> Iterator[Changes]:
        for step in problem.made_by(SOFTMAX):
            if problem.shape(step.name)[axis] > 1:
                yield {step.name: by(step, turned(step.op.forward, axis))}

    return places


def turned(softmax: Callable[[Array], Array], axis: int) -> Callable[[Array], Array]:
    return lambda scores: softmax(scores.swapaxes(axis, -1)).swapaxes(axis, -1)


def no_softmax(problem: Problem) -> Iterator[Changes]:
    for step in problem.made_by(SOFTMAX):
        yield {step.name: by(step, lambda scores: np.where(np.isneginf(scores), 0, scores))}


def roles_swapped(problem: Problem) -> Iterator[Changes]:
    """K Qᵀ for Q Kᵀ, where both have as many heads and as many rows."""
    for step in problem.made_by(DOT_PRODUCT):
        query, key = step.inputs
        if problem.shape(query) == problem.shape(key):
            yield {step.name: replace(step, inputs=(key, query))}


def keys_read(problem: Problem) -> Iterator[Changes]:
    """The weights average the keys."""
    for step in problem.made_by(WEIGHTED_SUM):
        weights, value = step.inputs
        key = value.replace(".value", ".key")
        yield {step.name: replace(step, inputs=(weights, key))}


def other_layout(problem: Problem) -> Iterator[Changes]:
    """Both queries and keys turned in the other layout."""
    changes = {}
    for step in problem.made_by(ROTARY):
        layout = "interleaved" if step.options["layout"] == "half" else "half"
        changes[step.name] = replace(step, options={**step.options, "layout": layout})
    if changes:
        yield changes


# -- the mistakes ---------------------------------------------------------------------------------

SCORES = (
    Misconception(
        "scale_forgotten",
        zh=Explanation(
            "分数没有缩放。",
            "softmax 之前要乘缩放系数，通常是 1/√d_head。",
            "点积的大小随 d_head 增长；不缩放，softmax 会过早趋于 one-hot。",
        ),
        en=Explanation(
            "The scores were not scaled.",
            "Before the softmax they are multiplied by the scale, usually 1/√d_head.",
            "Dot products grow with d_head; unscaled, the softmax saturates.",
        ),
        places=scaled(lambda _problem, scale: 1.0 if scale != 1 else None),
    ),
    Misconception(
        "scale_by_d",
        zh=Explanation(
            "分数除以了 d_head。",
            "应除以 √d_head。",
            "d 个独立乘积之和的标准差按 √d 增长，不是按 d。",
        ),
        en=Explanation(
            "The scores were divided by d_head.",
            "They are divided by √d_head.",
            "The standard deviation of a sum of d independent products grows as √d, not as d.",
        ),
        places=scaled(one_over_d),
    ),
    Misconception(
        "scale_by_d_model",
        zh=Explanation(
            "分数除以了 √d_model。",
            "应除以 √d_head。",
            "每个头的点积只有 d_head 项。",
        ),
        en=Explanation(
            "The scores were divided by √d_model.",
            "They are divided by √d_head.",
            "The dot product of one head has d_head terms only.",
        ),
        places=scaled(one_over_root_d_model),
    ),
    Misconception(
        "scale_multiplied",
        zh=Explanation(
            "分数乘了 √d_head。",
            "应除以 √d_head。",
            "缩放是为了抵消点积随 d_head 的增长，乘上去会加倍放大。",
        ),
        en=Explanation(
            "The scores were multiplied by √d_head.",
            "They are divided by it.",
            "The scale is there to undo the growth of dot products with d_head, not to double it.",
        ),
        places=scaled(lambda _problem, scale: 1 / scale if scale not in (0, 1) else None),
    ),
    Misconception(
        "scale_after_softmax",
        zh=Explanation(
            "先做 softmax，再乘缩放系数。",
            "应先缩放分数，再做 softmax。",
            "softmax 之后再乘，权重之和就不是 1 了，分布的尖锐程度也没有改变。",
        ),
        en=Explanation(
            "The scale was applied to the weights, after the softmax.",
            "The scores are scaled, before it.",
            "Scaled afterwards, the weights no longer sum to one, and are as peaked as before.",
        ),
        places=scaled_afterwards,
    ),
    Misconception(
        "softmax_over_queries",
        zh=Explanation(
            "softmax 沿 query 方向做：每一列之和为 1。",
            "应沿 key 方向做：每一行之和为 1。",
            "每个 query 把自己的注意力分给各个 key。",
        ),
        en=Explanation(
            "The softmax ran over the queries: every column sums to one.",
            "It runs over the keys: every row sums to one.",
            "Each query distributes its attention among the keys.",
        ),
        places=softmax_along(-2),
    ),
    Misconception(
        "softmax_over_heads",
        zh=Explanation(
            "softmax 沿头的方向做。",
            "每个头各自沿 key 方向做 softmax。",
            "各头独立读取，互不争夺注意力。",
        ),
        en=Explanation(
            "The softmax ran over the heads.",
            "Each head has its own softmax over the keys.",
            "Heads read independently; they do not compete for attention.",
        ),
        places=softmax_along(-3),
    ),
    Misconception(
        "softmax_forgotten",
        zh=Explanation(
            "直接把分数当作权重，没有做 softmax。",
            "权重是分数沿 key 的 softmax。",
            "权重要非负且每行之和为 1，读出的才是值的加权平均。",
        ),
        en=Explanation(
            "The scores were used as weights, without a softmax.",
            "The weights are the softmax of the scores over the keys.",
            "Only weights that are not negative and sum to one make what is read an average of values.",
        ),
        places=no_softmax,
    ),
    Misconception(
        "query_and_key_swapped",
        zh=Explanation(
            "Q 与 K 的角色弄反了，算成 KQᵀ。",
            "分数是 QKᵀ：行是 query，列是 key。",
            "第 i 行问的是“位置 i 要读谁”，转置之后问的是“谁要读位置 i”。",
        ),
        en=Explanation(
            "The roles of Q and K were swapped: K Qᵀ was computed.",
            "The scores are Q Kᵀ: rows are queries, columns are keys.",
            "Row i says whom position i reads; transposed, it says who reads position i.",
        ),
        places=roles_swapped,
    ),
    Misconception(
        "keys_read_as_values",
        zh=Explanation(
            "用权重平均了 K。",
            "读出的是 V 的加权平均。",
            "K 只用来匹配；匹配上之后，被读走的内容是 V。",
        ),
        en=Explanation(
            "The weights were applied to K.",
            "What is read is the weighted average of V.",
            "Keys serve to match; the content that is read once they match is V.",
        ),
        places=keys_read,
    ),
    Misconception(
        "rotary_layouts_swapped",
        zh=Explanation(
            "旋转位置编码用了另一种配对方式。",
            "half 把第 i 维与第 i+d/2 维配对，interleaved 把第 2i 与第 2i+1 维配对；以题目为准。",
            "两种配对是不同的函数，为一种训练的权重不能换成另一种。",
        ),
        en=Explanation(
            "The rotary pairs were laid out the other way.",
            "`half` pairs feature i with i + d/2, `interleaved` pairs 2i with 2i + 1; the block says which.",
            "They are different functions; weights trained for one give nonsense under the other.",
        ),
        places=other_layout,
    ),
)
