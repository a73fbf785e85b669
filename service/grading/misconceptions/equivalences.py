"""Mistakes that give the same numbers, so that no number can tell them apart."""

from __future__ import annotations

from dataclasses import dataclass

from .misconception import Lang


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two misconceptions by name, and the reason why, and where, they give the same numbers."""

    names: frozenset[str]
    zh: str
    en: str

    def reason(self, lang: Lang) -> str:
        return self.zh if lang == "zh" else self.en


EQUIVALENCES = (
    Equivalence(
        frozenset({"residual_forgotten", "norm_of_sublayer_only"}),
        zh="在 post-norm 里，残差相加的结果只被紧接着的归一化读取：不相加，与只归一化子层输出，"
        "归一化读到的是同一行。",
        en="In a post-norm block only the normalisation reads the sum: whether the sum is left out, or the "
        "normalisation reads the sublayer's output, it gets the same row.",
    ),
    Equivalence(
        frozenset({"derivative_taken_for_one", "branches_left_out"}),
        zh="在 pre-norm 里，直通路径上没有归一化，它的导数就是单位矩阵。",
        en="In a pre-norm block no normalisation lies on the direct path, whose derivative is the identity.",
    ),
    Equivalence(
        frozenset({"statistics_held_constant", "variance_held_constant"}),
        zh="RMSNorm 没有均值，唯一的统计量就是均方。",
        en="RMSNorm has no mean; its only statistic is the mean square.",
    ),
)
