"""Exercises on what follows the heads: residual and normalisation, the FFN, a row's whole path."""

from __future__ import annotations

from typing import Any

from .attention import NORMS, asked, with_rounding
from .draw import Draw
from .exercise import Draft, Topic

GAINS = (0.5, 1, 1.5, 2)
COURSE_W_1 = [[1, 0, 0, 0, 1, -1], [0, 1, 0, 0, -1, 1], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]]
COURSE_W_2 = [
    [0.5, 0, 0, 0],
    [0, 0.5, 0, 0],
    [0, 0, 0.5, 0],
    [0, 0, 0, 0.5],
    [0, 0, 0.25, 0],
    [0, 0, 0, 0.25],
]
"""The widening and narrowing of the lecture's own example."""


def gain_and_shift(draw: Draw, norm: str, n: int) -> dict[str, Any]:
    return {f"{norm}.gamma": draw.one_of(GAINS, n), f"{norm}.beta": draw.halves(n, low=-1, high=1)}


# -- residual and normalisation -------------------------------------------------------------------


def add_and_norm(draw: Draw, difficulty: int) -> Draft:
    n = 6 if difficulty == 3 else 4
    block: dict[str, Any] = {"norm_placement": "post", "d_model": n}
    trace = {
        "block": block,
        "x": [draw.whole(n, low=-2, high=3)],
        "interventions": [{"step": "attention.output", "set": [draw.halves(n, low=-2, high=3)]}],
    }
    conventions = NORMS
    if difficulty > 1:
        trace["parameters"] = gain_and_shift(draw, "norm_1", n)
        conventions = {
            "zh": "ε=10⁻⁵，γ、β 已给出，dropout 关闭。",
            "en": "ε = 10⁻⁵, γ and β are given, dropout off.",
        }
    if difficulty == 3:
        block["epsilon"] = 0.1
        conventions = {
            "zh": "这里 ε=0.1，大到看得见它放在哪里；γ、β 已给出，dropout 关闭。",
            "en": "ε = 0.1 here, large enough to show where it goes; γ and β are given, dropout off.",
        }
    statement = {
        "zh": "post-norm，只看一个 token：x 是它的原表示，O 是注意力的输出。求残差 r=x+O，这一行特征的均值 "
        "μ 与方差 σ²，"
        "以及归一化之后的 u。" + conventions["zh"],
        "en": "Post-norm, one token: x is its old representation, O the attention's output. Find the "
        "residual sum "
        "r = x + O, the mean μ and the variance σ² of this row's features, and u after the normalisation. "
        + conventions["en"],
    }
    steps = ("residual_1", "norm_1.mean", "norm_1.variance", "norm_1.output")
    return Draft(with_rounding(statement), asked(trace, *steps))


# -- the feed-forward network ---------------------------------------------------------------------


def feed_forward(draw: Draw, difficulty: int) -> Draft:
    n, wide = (3, 4) if difficulty == 1 else (4, 6)
    block = {"activation": "reglu" if difficulty == 3 else "relu"}
    given = [{"step": "norm_1.output", "set": [draw.halves(n)]}]
    steps: tuple[str, ...] = ("ffn.pre_activation", "ffn.hidden", "ffn.output")
    if difficulty == 3:
        parameters = {"ffn.w_gate": draw.sparse(n, wide), "ffn.w_up": draw.sparse(n, wide)}
        parameters["ffn.w_down"] = draw.sparse(wide, n, unit=0.5)
        steps = ("ffn.gate", "ffn.up", "ffn.hidden", "ffn.output")
        statement = {
            "zh": "门控的 FFN，激活为 ReLU，没有偏置：h=ReLU(uW_gate)⊙uW_up，f=hW_down。u 是一个 token "
            "的一行。"
            "求 gate（激活之前）、up、隐藏层 h 和输出 f。",
            "en": "A gated feed-forward network with ReLU and no biases: h = ReLU(u W_gate) ⊙ u W_up, f = "
            "h W_down. "
            "u is one token's row. Find the gate (before ReLU), the up half, the hidden layer h and the "
            "output f.",
        }
        return Draft(with_rounding(statement), asked(trace_of(block, given, parameters), *steps))
    parameters = {"ffn.w_1": draw.sparse(n, wide), "ffn.w_2": draw.sparse(wide, n, unit=0.5)}
    biases = {"zh": "没有偏置。", "en": "There are no biases."}
    if difficulty == 2:
        parameters |= {
            "ffn.b_1": draw.halves(wide, low=-1, high=1),
            "ffn.b_2": draw.halves(n, low=-1, high=1),
        }
        biases = {"zh": "偏置 b₁、b₂ 已给出。", "en": "The biases b₁ and b₂ are given."}
    statement = {
        "zh": f"FFN 在一个 token 内部作用：{n}→{wide}→{n}，激活为 ReLU。{biases['zh']}u 是这个 token 的一行。"
        f"求激活之前的隐藏项、ReLU 之后的 h 和输出 f。",
        "en": f"The feed-forward network works inside one token: {n} → {wide} → {n}, with ReLU. "
        f"{biases['en']} u is "
        f"the token's row. Find the hidden layer before and after ReLU, and the output f.",
    }
    return Draft(with_rounding(statement), asked(trace_of(block, given, parameters), *steps))


def trace_of(block: dict[str, Any], given: list[Any], parameters: dict[str, Any]) -> dict[str, Any]:
    return {"block": block, "interventions": given, "parameters": parameters}


# -- a row's whole path ---------------------------------------------------------------------------


def whole_row(draw: Draw, difficulty: int) -> Draft:
    parameters: dict[str, Any] = {"ffn.w_1": COURSE_W_1, "ffn.w_2": COURSE_W_2}
    conventions = {"zh": "FFN 没有偏置。" + NORMS["zh"], "en": f"No biases in the FFN. {NORMS['en']}"}
    if difficulty > 1:
        parameters = {"ffn.w_1": draw.sparse(4, 6), "ffn.w_2": draw.sparse(6, 4, unit=0.5)}
    if difficulty == 3:
        parameters |= {"ffn.b_1": draw.halves(6, low=-1, high=1), "ffn.b_2": draw.halves(4, low=-1, high=1)}
        parameters |= gain_and_shift(draw, "norm_1", 4) | gain_and_shift(draw, "norm_2", 4)
        conventions = {
            "zh": "偏置和两次归一化的 γ、β 已给出；ε=10⁻⁵，dropout 关闭。",
            "en": "The biases and both normalisations' γ and β are given; ε = 10⁻⁵, dropout off.",
        }
    trace = {
        "block": {"norm_placement": "post", "activation": "relu", "d_model": 4},
        "x": [draw.whole(4, low=-2, high=3)],
        "interventions": [{"step": "attention.output", "set": [draw.halves(4, low=-2, high=3)]}],
        "parameters": parameters,
    }
    statement = {
        "zh": "post-norm，激活为 ReLU，跟着一个 token 走完 block：x 是它的原表示，O 是注意力的输出。"
        "求 r=x+O、u=LN(r)、隐藏层 h、FFN 的输出 f，以及 z=LN(u+f)。" + conventions["zh"],
        "en": "Post-norm with ReLU; follow one token through the block: x is its old representation, O the "
        "attention's output. Find r = x + O, u = LN(r), the hidden layer h, the FFN's output f, and "
        "z = LN(u + f). " + conventions["en"],
    }
    steps = ("residual_1", "norm_1.output", "ffn.hidden", "ffn.output", "norm_2.output")
    return Draft(with_rounding(statement), asked(trace, *steps))


SUBLAYERS = (
    Topic("add_and_norm", {"zh": "残差与归一化", "en": "Residual and normalisation"}, add_and_norm),
    Topic("feed_forward", {"zh": "前馈网络", "en": "The feed-forward network"}, feed_forward),
    Topic(
        "whole_row",
        {"zh": "一行的完整路径：O→u→h→f→z", "en": "A row's whole path: O → u → h → f → z"},
        whole_row,
    ),
)
