"""Mistakes in carrying numbers on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..problem import Changes, Problem
from .misconception import Explanation, Misconception, changed_answer

DECIMALS = 3

# -- the numbers as they are mistaken -------------------------------------------------------------


def rounded(problem: Problem) -> Iterator[Changes]:
    """Every step is rounded before the next one reads it."""
    if problem.steps:
        yield {
            name: changed_answer(step, lambda value: np.round(value, DECIMALS))
            for name, step in problem.steps.items()
        }


# -- the mistakes ---------------------------------------------------------------------------------

PRECISION = (
    Misconception(
        "rounding_carried",
        zh=Explanation(
            "每一步都先取三位小数，再接着算。",
            "中间结果保留全部位数，只在写答案时取舍。",
            "舍入误差会逐步传下去；除以很小的标准差时还会放大。",
        ),
        en=Explanation(
            "Every step was rounded to three decimals before going on.",
            "Carry all digits, and round only the answer.",
            "Rounding errors are passed on, and grow where a small standard deviation divides.",
        ),
        places=rounded,
    ),
)
