"""Mistakes in using the learned arrays of affine maps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...engine.ops import LINEAR, PROJECT_HEADS
from ..problem import Changes, Problem
from .misconception import Explanation, Misconception, changed_operand, operand

# -- the maps as they are mistaken ----------------------------------------------------------------


def transposed(problem: Problem) -> Iterator[Changes]:
    """x Wᵀ for x W, where W is square and the mistake leaves no trace in the shapes."""
    for step in problem.made_by(LINEAR, PROJECT_HEADS):
        rows, columns = problem.shape(step.inputs[1])
        if rows == columns:
            yield {step.name: changed_operand(step, 1, np.transpose)}


# -- the mistakes ---------------------------------------------------------------------------------

PARAMETERS = (
    Misconception(
        "weight_transposed",
        zh=Explanation(
            "用了 Wᵀ。",
            "这里的 W 是 [输入, 输出]，行向量从左边乘：xW。",
            "方阵转置之后形状不变，错误不会自己暴露；PyTorch 的 Linear 存的是 [输出, 输入]，抄写时要当心。",
        ),
        en=Explanation(
            "Wᵀ was used for W.",
            "W is [in, out] here, and the row multiplies from the left: x W.",
            "A square matrix transposed keeps its shape: nothing warns. PyTorch's Linear stores [out, in].",
        ),
        places=transposed,
    ),
    Misconception(
        "bias_forgotten",
        zh=Explanation(
            "没有加偏置 b。", "仿射变换是 xW+b。", "没有偏置，输入为 0 时输出只能为 0；偏置不为 0 就不能省。"
        ),
        en=Explanation(
            "The bias b was left out.",
            "The affine map is x W + b.",
            "Without it an input of zeros can only give zeros; where the bias is not zero it counts.",
        ),
        places=operand("b_", np.zeros_like),
    ),
)
