"""Mistakes in LayerNorm and RMSNorm: the variance, ε, and the learned gain and shift."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...engine.ops import (
    GAIN,
    GAIN_AND_SHIFT,
    RMS_STANDARDIZE,
    STANDARDIZE,
    VARIANCE,
    Array,
)
from ..problem import Changes, Problem
from .misconception import Explanation, Misconception, copied, operand, otherwise

# -- the equations as they are mistaken -----------------------------------------------------------


def sample_variance(x: Array, mean: Array) -> Array:
    n = x.shape[-1]
    return np.asarray(np.square(x - mean[..., None]).sum(axis=-1) / (n - 1))


def deviation(x: Array, mean: Array) -> Array:
    return np.asarray(np.sqrt(np.square(x - mean[..., None]).mean(axis=-1)))


def over_the_variance(x: Array, mean: Array, variance: Array, *, epsilon: float) -> Array:
    return (x - mean[..., None]) / (variance[..., None] + epsilon)


def epsilon_outside(x: Array, *statistics: Array, epsilon: float) -> Array:
    return centred(x, statistics) / (np.sqrt(statistics[-1][..., None]) + epsilon)


def no_epsilon(x: Array, *statistics: Array, epsilon: float) -> Array:
    return centred(x, statistics) / np.sqrt(statistics[-1][..., None])


def centred(x: Array, statistics: tuple[Array, ...]) -> Array:
    """x − μ for LayerNorm, which has a mean and a variance; x for RMSNorm, which has a mean square alone."""
    return x - statistics[0][..., None] if len(statistics) == 2 else x


def not_centred(x: Array, _mean: Array, variance: Array, *, epsilon: float) -> Array:
    return x / np.sqrt(variance[..., None] + epsilon)


def by_mean_square(x: Array, _mean: Array, _variance: Array, *, epsilon: float) -> Array:
    return np.asarray(x / np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + epsilon))


def skipped(problem: Problem) -> Iterator[Changes]:
    """The normalisation's output is what went into it."""
    for step in problem.made_by(GAIN, GAIN_AND_SHIFT):
        standardised = problem.plan.graph.steps[step.inputs[0]]
        yield {step.name: copied(step, standardised.inputs[0])}


# -- the mistakes ---------------------------------------------------------------------------------

NORMALISATION = (
    Misconception(
        "sample_variance",
        zh=Explanation(
            "方差除以了 n−1。",
            "LayerNorm 用总体方差，除以特征数 n。",
            "这里描述的就是这一行本身，并不是拿样本去估计别的总体，所以没有无偏修正。",
        ),
        en=Explanation(
            "The variance was divided by n − 1.",
            "LayerNorm uses the population variance, divided by the number of features n.",
            "The row is described as it is; nothing larger is estimated from it, so no correction is due.",
        ),
        places=otherwise(VARIANCE, forward=sample_variance),
    ),
    Misconception(
        "deviation_for_variance",
        zh=Explanation(
            "把标准差当成了方差。",
            "σ² 是离差平方的平均；开方是下一步 √(σ²+ε) 才做的事。",
            "先开一次方，归一化时就会开两次方。",
        ),
        en=Explanation(
            "The standard deviation was taken for the variance.",
            "σ² is the mean of the squared deviations; the root comes afterwards, in √(σ² + ε).",
            "With the root taken here already, normalising takes it twice.",
        ),
        places=otherwise(VARIANCE, forward=deviation),
    ),
    Misconception(
        "root_forgotten",
        zh=Explanation(
            "除以了 σ²+ε，没有开方。",
            "应除以 √(σ²+ε)。",
            "只有除以标准差，结果的方差才是 1。",
        ),
        en=Explanation(
            "The row was divided by σ² + ε, without the root.",
            "It is divided by √(σ² + ε).",
            "Only division by a standard deviation gives a row of variance one.",
        ),
        places=otherwise(STANDARDIZE, forward=over_the_variance),
    ),
    Misconception(
        "epsilon_outside_root",
        zh=Explanation(
            "ε 加在了根号外面：√σ²+ε。",
            "ε 在根号里面：√(σ²+ε)。",
            "它加在方差上，防止方差为 0 时分母为 0；两种写法的数值不同，方差很小时差得更多。",
        ),
        en=Explanation(
            "ε was added outside the root: √σ² + ε.",
            "It stands inside: √(σ² + ε).",
            "It keeps the variance away from zero; the two forms differ most where the variance is small.",
        ),
        places=otherwise(STANDARDIZE, RMS_STANDARDIZE, forward=epsilon_outside),
    ),
    Misconception(
        "epsilon_forgotten",
        zh=Explanation(
            "没有加 ε。", "分母是 √(σ²+ε)。", "少了 ε，方差很小的行会被过分放大，方差为 0 的行则无法计算。"
        ),
        en=Explanation(
            "ε was left out.",
            "The denominator is √(σ² + ε).",
            "Without it a row of small variance is blown up, and one of variance zero has no answer.",
        ),
        places=otherwise(STANDARDIZE, RMS_STANDARDIZE, forward=no_epsilon),
    ),
    Misconception(
        "mean_not_subtracted",
        zh=Explanation(
            "没有减去均值 μ。",
            "LayerNorm 的分子是 x−μ。",
            "先居中再缩放，这一行的均值才会是 0；不居中的是 RMSNorm，而它的分母也不同。",
        ),
        en=Explanation(
            "The mean μ was not subtracted.",
            "LayerNorm divides x − μ.",
            "Centring is what gives the row mean zero; RMSNorm does without, but has another denominator.",
        ),
        places=otherwise(STANDARDIZE, forward=not_centred),
    ),
    Misconception(
        "rms_norm_for_layer_norm",
        zh=Explanation(
            "做成了 RMSNorm：除以均方根，没有减均值。",
            "这里是 LayerNorm：先减均值，再除以 √(σ²+ε)。",
            "两者只在这一行均值为 0 时相同。",
        ),
        en=Explanation(
            "RMSNorm was computed: division by the root mean square, no mean subtracted.",
            "The block has LayerNorm: subtract the mean, then divide by √(σ² + ε).",
            "The two agree only on a row whose mean is zero.",
        ),
        places=otherwise(STANDARDIZE, forward=by_mean_square),
    ),
    Misconception(
        "gamma_forgotten",
        zh=Explanation(
            "没有乘 γ。",
            "归一化之后逐特征乘上学到的 γ。",
            "γ 让模型重新决定每个特征的幅度；只有 γ 全为 1 时才可以省略。",
        ),
        en=Explanation(
            "γ was left out.",
            "After normalising, every feature is multiplied by its learned γ.",
            "γ lets the model choose the spread of a feature anew; only a γ of ones may be skipped.",
        ),
        places=operand("gamma", np.ones_like),
    ),
    Misconception(
        "beta_forgotten",
        zh=Explanation(
            "没有加 β。",
            "乘 γ 之后逐特征加上学到的 β。",
            "β 让模型重新决定每个特征的中心；只有 β 全为 0 时才可以省略。",
        ),
        en=Explanation(
            "β was left out.",
            "After the multiplication by γ, every feature has its learned β added.",
            "β lets the model choose the centre of a feature anew; only a β of zeros may be skipped.",
        ),
        places=operand("beta", np.zeros_like),
    ),
    Misconception(
        "norm_forgotten",
        zh=Explanation(
            "没有做归一化，直接用了它的输入。",
            "这里要先归一化，再往下传。",
            "后面的子层期待的是每行尺度相近的输入。",
        ),
        en=Explanation(
            "The normalisation was skipped; its input was passed on.",
            "The row is normalised before it goes on.",
            "What follows expects rows of one common scale.",
        ),
        places=skipped,
    ),
)
