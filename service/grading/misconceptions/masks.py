"""Mistakes about who may attend to whom, and when that is applied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ...engine.ops import MASK, SOFTMAX, Array
from ...engine.ops.mask import allowed, positions
from ..problem import Changes, Problem
from .misconception import Explanation, Misconception, by, copied, otherwise

# -- the equations as they are mistaken -----------------------------------------------------------


def inverted(scores: Array, additive: Array, keep: Array, **options: Any) -> Array:
    return np.where(allowed(scores, keep, **options), -np.inf, scores)


def shifted(by_keys: int) -> Callable[[Problem], Iterator[Changes]]:
    """The causal mask with its diagonal moved: a query sees keys up to its own position plus `by_keys`."""

    def mask(scores: Array, additive: Array, keep: Array, *, causal: bool, **options: Any) -> Array:
        may = allowed(scores, keep, causal=False, **options)
        n_queries, n_keys = scores.shape[-2:]
        query, key = positions(n_queries, n_keys, options["alignment"])
        return np.where(may & (key <= query + by_keys), scores + additive, -np.inf)

    def places(problem: Problem) -> Iterator[Changes]:
        for step in problem.made_by(MASK):
            if step.options["causal"]:
                yield {step.name: by(step, mask)}

    return places


def forgotten(problem: Problem) -> Iterator[Changes]:
    for step in problem.made_by(MASK):
        yield {step.name: copied(step, step.inputs[0])}


def after_softmax(problem: Problem) -> Iterator[Changes]:
    """Softmax of all scores, what is masked then set to zero, and the rest left as it is."""
    for mask in problem.made_by(MASK):
        for softmax in problem.made_by(SOFTMAX):
            if softmax.inputs == (mask.name,):
                late = partial(masked_weights, softmax.op.forward)
                yield {
                    mask.name: copied(mask, mask.inputs[0]),
                    softmax.name: by(
                        softmax, late, inputs=(mask.name, *mask.inputs[1:]), options=mask.options
                    ),
                }


def masked_weights(
    softmax: Callable[[Array], Array], scores: Array, additive: Array, keep: Array, **options: Any
) -> Array:
    return np.where(allowed(scores, keep, **options), softmax(scores + additive), 0)


# -- the mistakes ---------------------------------------------------------------------------------

MASKS = (
    Misconception(
        "mask_forgotten",
        zh=Explanation(
            "没有使用掩码。",
            "不可见的 key 的分数要在 softmax 之前变成 −∞。",
            "否则这个位置会读到它不该看见的内容。",
        ),
        en=Explanation(
            "The mask was not applied.",
            "Keys that may not be attended to get the score −∞ before the softmax.",
            "Otherwise a position reads what it must not see.",
        ),
        places=forgotten,
    ),
    Misconception(
        "mask_after_softmax",
        zh=Explanation(
            "先对全部 key 做 softmax，再把不可见的权重置 0，没有重新归一。",
            "掩码用在 softmax 之前。",
            "事后置 0，剩下的权重之和小于 1，不可见的 key 仍然影响了分母。",
        ),
        en=Explanation(
            "The mask was applied after the softmax, and the rest not renormalised.",
            "The mask comes before the softmax.",
            "Zeroed afterwards, the weights sum to less than one; hidden keys still count below the line.",
        ),
        places=after_softmax,
    ),
    Misconception(
        "mask_inverted",
        zh=Explanation(
            "掩码的含义弄反了：遮住了可见的，留下了不可见的。",
            "true 表示可以看见。",
            "各家约定不同，使用之前要先确认 true 是“保留”还是“遮住”。",
        ),
        en=Explanation(
            "The mask was read the wrong way round: what may be seen was hidden.",
            "True means: may attend.",
            "Conventions differ between libraries, so find out first whether true keeps or hides.",
        ),
        places=otherwise(MASK, forward=inverted),
    ),
    Misconception(
        "causal_excludes_self",
        zh=Explanation(
            "因果掩码多遮了一格：位置看不见自己。",
            "第 i 个 query 可以看见第 0 到第 i 个 key，包括自己。",
            "自己的内容此刻已经知道，不属于未来；遮住它，第一个位置就没有可读的了。",
        ),
        en=Explanation(
            "The causal mask hid one key too many: a position could not see itself.",
            "Query i may attend to keys 0 to i, itself included.",
            "A token's own content is no future; with it hidden, the first position has nothing to read.",
        ),
        places=shifted(-1),
    ),
    Misconception(
        "causal_sees_next",
        zh=Explanation(
            "因果掩码少遮了一格：位置看见了下一个 token。",
            "第 i 个 query 只能看见第 0 到第 i 个 key。",
            "看见下一个 token，就是看见了要预测的答案。",
        ),
        en=Explanation(
            "The causal mask hid one key too few: a position saw the next token.",
            "Query i may attend to keys 0 to i only.",
            "The next token is the very answer to be predicted.",
        ),
        places=shifted(1),
    ),
)
