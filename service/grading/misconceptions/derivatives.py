"""Mistakes about what a derivative passes through."""

from __future__ import annotations

import numpy as np

from ...engine.ops import MEAN_SQUARE, VARIANCE, Array
from ..derived import Derived
from .misconception import Explanation, Misconception

# -- the derivatives as they are mistaken ---------------------------------------------------------


def one(of: Derived) -> Array | None:
    rows, columns = of.right.shape
    return np.eye(rows) if rows == columns else None


def direct_path_alone(of: Derived) -> Array | None:
    return of.also_stopped_at(of.updates)


def nothing_stopped(of: Derived) -> Array | None:
    return of.stopped_at(()) if of.by.stop else None


def constant_statistics(of: Derived) -> Array | None:
    return of.also_stopped_at(of.statistics())


def constant_variance(of: Derived) -> Array | None:
    return of.also_stopped_at(of.statistics(VARIANCE, MEAN_SQUARE))


# -- the mistakes ---------------------------------------------------------------------------------

DERIVATIVES = (
    Misconception(
        "derivative_taken_for_one",
        zh=Explanation(
            "把导数当成了 1（单位矩阵）。",
            "残差只是多给一条路径：整个导数还含有注意力、归一化和 FFN 的部分。",
            "直通路径经过归一化之后，也不再是单位矩阵。",
        ),
        en=Explanation(
            "The derivative was taken to be one, the identity.",
            "The residual is one more path; the whole derivative still contains attention, normalisation "
            "and FFN.",
            "Even the direct path is no identity once it has passed a normalisation.",
        ),
        derived=one,
    ),
    Misconception(
        "branches_left_out",
        zh=Explanation(
            "只算了直通路径，漏掉了子层的支路。",
            "和的导数是各条路径的导数之和。",
            "子层的输出也随输入变化，它的那一份要加进去。",
        ),
        en=Explanation(
            "Only the direct path was followed; the sublayers' branches were left out.",
            "The derivative of a sum is the sum over all paths.",
            "A sublayer's output changes with its input too, and its share belongs in.",
        ),
        derived=direct_path_alone,
    ),
    Misconception(
        "stop_ignored",
        zh=Explanation(
            "把应当视为常数的支路也算了进去。",
            "题目要求导数不经过指定的步骤。",
            "只有把它们当作常数，看到的才是其余路径的那一份。",
        ),
        en=Explanation(
            "Branches were followed that are to be held constant.",
            "No derivative passes through the steps that are named.",
            "Only with those held constant does one see the share of the other paths.",
        ),
        derived=nothing_stopped,
    ),
    Misconception(
        "statistics_held_constant",
        zh=Explanation(
            "求导时把 μ 和 σ² 当成了常数。",
            "它们由同一行算出，输入一变它们就变。",
            "归一化的雅可比矩阵因此不是对角的：各特征通过 μ 和 σ² 互相影响。",
        ),
        en=Explanation(
            "μ and σ² were held constant.",
            "They are computed from the same row, and change with it.",
            "So the Jacobian of a normalisation is not diagonal: features act on each other through μ and "
            "σ².",
        ),
        derived=constant_statistics,
    ),
    Misconception(
        "variance_held_constant",
        zh=Explanation(
            "求导时把 σ²（或均方）当成了常数。",
            "分母也随输入变化，要用商的求导法则。",
            "少了这一项，沿 x̂ 方向的变化就没有被压平。",
        ),
        en=Explanation(
            "σ² (or the mean square) was held constant.",
            "The denominator changes with the input too; the quotient rule applies.",
            "Without that term a change along x̂ is not flattened out, as it should be.",
        ),
        derived=constant_variance,
    ),
    Misconception(
        "jacobian_transposed",
        zh=Explanation(
            "矩阵的行和列弄反了。",
            "第 i 行第 j 列是 ∂yᵢ/∂xⱼ。",
            "行是输出，列是输入。",
        ),
        en=Explanation(
            "Rows and columns were swapped.",
            "Row i, column j holds ∂yᵢ/∂xⱼ.",
            "Rows belong to the output, columns to the input.",
        ),
        derived=lambda of: of.right.T,
    ),
)
