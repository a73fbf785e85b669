"""Mistakes in dividing into heads and putting them together again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from ...engine.ops import DOT_PRODUCT, LINEAR, MERGE_HEADS, WEIGHTED_SUM, Array
from ..problem import Changes, Problem
from .misconception import Explanation, Misconception, Places, by, changed_operand, copied

# -- the equations as they are mistaken -----------------------------------------------------------


def read_in_memory_order(heads: Array) -> Array:
    """[..., head, token, d_head] reshaped to [..., token, head·d_head] without changing places first."""
    *batch, n_heads, n_tokens, d_head = heads.shape
    return heads.reshape(*batch, n_tokens, n_heads * d_head)


def averaged(heads: Array) -> Array:
    """Every head's place holds the average of all heads."""
    return np.tile(heads.mean(axis=-3), heads.shape[-3])


def merged_by(forward: Callable[[Array], Array]) -> Places:
    """Wherever several heads are put together, they are so by this equation."""

    def places(problem: Problem) -> Iterator[Changes]:
        for step in problem.made_by(MERGE_HEADS):
            if problem.shape(step.inputs[0])[-3] > 1:
                yield {step.name: by(step, forward)}

    return places


def no_output_projection(problem: Problem) -> Iterator[Changes]:
    """The heads side by side are taken for the attention's output, where their width is that of the block."""
    for step in problem.made_by(LINEAR):
        concat, w = step.inputs[:2]
        if concat.endswith(".concat") and problem.shape(w)[0] == problem.block.d_model:
            yield {step.name: copied(step, concat)}


def tiled(problem: Problem) -> Iterator[Changes]:
    """Key/value heads shared as 0, 1, 0, 1 instead of 0, 0, 1, 1, for keys and values alike."""
    changes = {}
    for step in problem.made_by(DOT_PRODUCT, WEIGHTED_SUM):
        n_heads, n_kv_heads = (problem.shape(name)[-3] for name in step.inputs)
        if 1 < n_kv_heads < n_heads:
            changes[step.name] = changed_operand(step, 1, partial(dealt_out, n_heads // n_kv_heads))
    if changes:
        yield changes


def dealt_out(copies: int, kv: Array) -> Array:
    return np.concatenate([kv] * copies, axis=-3)


# -- the mistakes ---------------------------------------------------------------------------------

HEADS = (
    Misconception(
        "heads_not_transposed",
        zh=Explanation(
            "拼接各头时没有先把 token 轴换到前面，直接按内存次序改了形状。",
            "先转成 [token, head, d_head]，再把后两维拼成一行。",
            "否则一行里混进了别的 token 的内容。",
        ),
        en=Explanation(
            "The heads were reshaped into rows without moving the token axis to the front.",
            "First [token, head, d_head], then the last two axes become one row.",
            "Otherwise a row holds pieces of other tokens.",
        ),
        places=merged_by(read_in_memory_order),
    ),
    Misconception(
        "heads_averaged",
        zh=Explanation(
            "把各头的输出取了平均。",
            "各头的输出并排拼接，由 W_O 混合。",
            "平均之后，各头读到的不同内容就分不开了。",
        ),
        en=Explanation(
            "The heads' outputs were averaged.",
            "They are put side by side, and W_O mixes them.",
            "Once averaged, what the heads have read can no longer be told apart.",
        ),
        places=merged_by(averaged),
    ),
    Misconception(
        "output_projection_forgotten",
        zh=Explanation(
            "没有乘输出投影 W_O。",
            "拼接之后还要乘 W_O（并加偏置），才是注意力的输出。",
            "拼接只是把各头并排放着，W_O 才把它们混合写回模型的特征。",
        ),
        en=Explanation(
            "The output projection W_O was left out.",
            "The concatenated heads are multiplied by W_O (and its bias added).",
            "Side by side the heads keep to themselves; W_O mixes them back into the model's features.",
        ),
        places=no_output_projection,
    ),
    Misconception(
        "kv_heads_tiled",
        zh=Explanation(
            "共享的键值头按 0,1,0,1 轮流分配。",
            "键值头就地重复：0,0,1,1。",
            "相邻的 query 头属于同一组，读同一个键值头。",
        ),
        en=Explanation(
            "The shared key/value heads were dealt out in turn: 0, 1, 0, 1.",
            "They repeat in place: 0, 0, 1, 1.",
            "Neighbouring query heads form a group, and a group reads one key/value head.",
        ),
        places=tiled,
    ),
)
