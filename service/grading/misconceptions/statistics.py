"""Mistakes about what the mean and the variance of a normalisation are taken over."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...engine.graph import Step
from ...engine.ops import MEAN, MEAN_SQUARE, RMS_STANDARDIZE, STANDARDIZE, VARIANCE, Array, Op
from ..problem import Changes, Problem
from .misconception import Explanation, Misconception, Places, by

# -- the statistics as they are mistaken ----------------------------------------------------------


def along(*axes: int) -> dict[Op, Callable[..., Array]]:
    """Both normalisations with their statistics taken along other axes than the features."""

    def layer_norm(x: Array, _mean: Array, _variance: Array, *, epsilon: float) -> Array:
        mean, variance = x.mean(axis=axes, keepdims=True), x.var(axis=axes, keepdims=True)
        return np.asarray((x - mean) / np.sqrt(variance + epsilon))

    def rms_norm(x: Array, _mean_square: Array, *, epsilon: float) -> Array:
        return np.asarray(x / np.sqrt(np.square(x).mean(axis=axes, keepdims=True) + epsilon))

    return {STANDARDIZE: layer_norm, RMS_STANDARDIZE: rms_norm}


def statistics_along(*axes: int, least_rows: int) -> Places:
    """Wherever a row is standardised, with at least so many rows along the first of these axes."""
    equations = along(*axes)

    def places(problem: Problem) -> Iterator[Changes]:
        for step in problem.made_by(STANDARDIZE, RMS_STANDARDIZE):
            shape = problem.shape(step.name)
            if len(shape) >= -min(axes) and shape[min(axes)] >= least_rows:
                yield {step.name: by(step, equations[step.op])}

    return places


def over_the_matrix(problem: Problem) -> Iterator[Changes]:
    """One mean and one variance for all rows of an input, each row being given both."""

    def whole(values: Array) -> Array:
        return np.broadcast_to(values.mean(axis=(-2, -1))[..., None], values.shape[:-1])

    equations: dict[Op, Callable[..., Array]] = {
        MEAN: whole,
        MEAN_SQUARE: lambda x: whole(np.square(x)),
        VARIANCE: lambda x, mean: whole(np.square(x - mean[..., None])),
    }
    scopes: dict[str, dict[str, Step]] = {}
    for step in problem.made_by(*equations):
        if problem.shape(step.inputs[0])[-2] > 1:
            scope = step.name.rpartition(".")[0]
            scopes.setdefault(scope, {})[step.name] = by(step, equations[step.op])
    yield from scopes.values()


# -- the mistakes ---------------------------------------------------------------------------------

STATISTICS = (
    Misconception(
        "statistics_over_tokens",
        zh=Explanation(
            "统计量沿 token 方向计算：每个特征对所有位置求均值与方差。",
            "应在同一个 token 的特征上求。",
            "LayerNorm 只重新缩放一行，不会让不同位置互相影响。",
        ),
        en=Explanation(
            "Each feature was normalised over the tokens.",
            "Each token is normalised over its own features.",
            "LayerNorm rescales one row; it never lets positions influence each other.",
        ),
        places=statistics_along(-2, least_rows=2),
    ),
    Misconception(
        "statistics_over_batch",
        zh=Explanation(
            "统计量沿 batch 方向计算，像 BatchNorm 那样。",
            "应在同一个 token 的特征上求。",
            "LayerNorm 的结果不依赖同一批里还有谁，所以训练与推理时算法一样。",
        ),
        en=Explanation(
            "The statistics were taken over the batch, as BatchNorm does.",
            "Each token is normalised over its own features.",
            "LayerNorm does not depend on the rest of the batch, so training and inference compute the same.",
        ),
        places=statistics_along(-3, least_rows=2),
    ),
    Misconception(
        "statistics_over_matrix",
        zh=Explanation(
            "整个矩阵只用了一个均值和一个方差。",
            "每个 token 有自己的 μ 和 σ²。",
            "若全部位置共用统计量，一行的结果就会随别的行改变。",
        ),
        en=Explanation(
            "One mean and one variance served the whole matrix.",
            "Every token has its own μ and σ².",
            "With shared statistics one row would change whenever another does.",
        ),
        places=over_the_matrix,
    ),
)
