"""Exercises on attention: the weights, what the heads read, what remains without the output projection."""

from __future__ import annotations

from typing import Any

from .draw import Draw
from .exercise import Draft, Question, Topic

NORMS = {"zh": "ε=10⁻⁵，γ=1，β=0，dropout 关闭。", "en": "ε = 10⁻⁵, γ = 1, β = 0, dropout off."}
ROUNDING = {"zh": "答案保留三位小数。", "en": "Give three decimals."}


def asked(trace: dict[str, Any], *steps: str, token: int = 0) -> tuple[Question, ...]:
    return tuple(Question(trace, step, (token,)) for step in steps)


# -- the weights ----------------------------------------------------------------------------------


def weights(draw: Draw, difficulty: int) -> Draft:
    token = draw.one_of([1, 2])
    steps: tuple[str, ...] = ("attention.scaled_scores", "attention.weights")
    if difficulty == 1:
        trace = {
            "block": {"n_heads": 1, "d_head": 4},
            "interventions": [
                {"step": "attention.query", "set": draw.whole(1, 3, 4)},
                {"step": "attention.key", "set": draw.whole(1, 3, 4)},
            ],
        }
        statement = {
            "zh": f"一个头，d_head=4，没有掩码。已给出 Q 和 K（每行一个 token）。求第 {token + 1} 个 token "
            f"缩放后的分数 QKᵀ/√d_head，以及它的注意力权重。",
            "en": "One head, d_head = 4, no mask. Q and K are given, one row a token. Find the scaled "
            "scores "
            f"QKᵀ/√d_head of token {token + 1}, and its attention weights.",
        }
    elif difficulty == 2:
        trace = {
            "block": {"n_heads": 1},
            "x": draw.whole(3, 4, low=0),
            "parameters": {"attention.w_q": draw.sparse(4, 4), "attention.w_k": draw.sparse(4, 4)},
        }
        steps = ("attention.query", *steps)
        statement = {
            "zh": f"一个头，d_head=d_model=4，没有掩码。由 X、W_Q、W_K 求第 {token + 1} 个 token 的 query、"
            f"缩放后的分数和注意力权重。",
            "en": f"One head, d_head = d_model = 4, no mask. From X, W_Q and W_K find the query of token "
            f"{token + 1}, its scaled scores and its attention weights.",
        }
    else:
        trace = {
            "block": {"n_heads": 2, "mask": "causal"},
            "x": draw.whole(3, 4, low=0),
            "parameters": {"attention.w_q": draw.sparse(4, 4), "attention.w_k": draw.sparse(4, 4)},
        }
        statement = {
            "zh": f"两个头，d_model=4，每头 d_head=2（前两列是头 0），因果掩码。求第 {token + 1} 个 token "
            "在每个头里"
            f"缩放后的分数（掩码之前，三个 key 都要）和注意力权重。",
            "en": "Two heads, d_model = 4, so d_head = 2 (the first two columns are head 0), causal mask. "
            "Find, in "
            f"each head, the scaled scores of token {token + 1} (before the mask, all three keys) and its "
            f"attention weights.",
        }
    return Draft(with_rounding(statement), asked(trace, *steps, token=token))


# -- what the heads read --------------------------------------------------------------------------


def heads(draw: Draw, difficulty: int) -> Draft:
    token = draw.one_of([0, 1, 2])
    block = {"n_heads": 2, "d_model": 4}
    steps: tuple[str, ...] = ("attention.head_outputs", "attention.concat", "attention.output")
    given = {"step": "attention.weights", "set": draw.weights(2, 3)}
    if difficulty == 1:
        trace = {
            "block": block,
            "interventions": [given, {"step": "attention.value", "set": draw.whole(2, 3, 2)}],
            "parameters": {"attention.w_o": draw.sparse(4, 4)},
        }
        statement = {
            "zh": f"两个头的注意力权重 A 和值 V 已给出。求第 {token + 1} 个 token 在每个头里读到的内容、"
            f"拼接后的一行，以及乘 W_O 之后的输出。",
            "en": "The attention weights A and the values V of two heads are given. Find what token "
            f"{token + 1} "
            f"reads in each head, the two side by side, and the output after W_O.",
        }
    elif difficulty == 2:
        trace = {
            "block": block,
            "x": draw.whole(3, 4, low=0),
            "interventions": [given],
            "parameters": {
                "attention.w_v": draw.sparse(4, 4),
                "attention.w_o": draw.sparse(4, 4),
                "attention.b_o": draw.halves(4, low=-1, high=1),
            },
        }
        statement = {
            "zh": f"两个头的注意力权重 A 已给出，值由 V=XW_V 得到（前两列是头 0）。求第 {token + 1} 个 token "
            f"在每个头里读到的内容、拼接后的一行，以及输出投影（含偏置 b_O）之后的输出。",
            "en": "The attention weights A of two heads are given, the values are V = X W_V (the first "
            "two columns "
            f"are head 0). Find what token {token + 1} reads in each head, the two side by side, and the "
            "output "
            f"after the projection with its bias b_O.",
        }
    else:
        trace = {
            "block": block,
            "x": draw.whole(3, 4, low=0, high=1),
            "parameters": {f"attention.w_{each}": draw.sparse(4, 4) for each in "qkvo"},
        }
        steps = ("attention.weights", *steps)
        statement = {
            "zh": f"两个头，d_head=2（前两列是头 0），没有掩码。由 X 出发，求第 {token + 1} 个 token "
            "的注意力权重、"
            f"每个头读到的内容、拼接后的一行，以及乘 W_O 之后的输出。",
            "en": "Two heads, d_head = 2 (the first two columns are head 0), no mask. Starting from X, "
            "find the "
            f"attention weights of token {token + 1}, what it reads in each head, the two side by side, "
            "and the "
            f"output after W_O.",
        }
    return Draft(with_rounding(statement), asked(trace, *steps, token=token))


# -- without the output projection ----------------------------------------------------------------


def zeroed(draw: Draw, difficulty: int) -> Draft:
    parameters: dict[str, Any] = {"attention.w_o": [[0] * 4] * 4}
    trace: dict[str, Any] = {
        "block": {"n_heads": 2, "d_model": 4, "norm_placement": "pre" if difficulty == 3 else "post"},
        "x": [draw.halves(4, low=-2, high=3)],
        "interventions": [{"step": "attention.concat", "set": [draw.halves(4)]}],
        "parameters": parameters,
    }
    steps: tuple[str, ...] = ("residual_1", "norm_1.output")
    task = {
        "zh": "post-norm，输出投影 W_O 全部为 0，也没有偏置；各头读到的内容 C 已给出。求残差相加之后的一行 "
        "r₁ 和"
        "归一化之后的 u₁。想一想：还剩下什么？",
        "en": "Post-norm; the output projection W_O is all zeros and has no bias; what the heads read, C, "
        "is given. "
        "Find the row r₁ after the residual sum, and u₁ after the normalisation. What is left?",
    }
    if difficulty == 2:
        parameters["attention.b_o"] = draw.halves(4, low=-1, high=1)
        steps = ("attention.output", *steps)
        task = {
            "zh": "post-norm，输出投影 W_O 全部为 0，但偏置 b_O 还在；各头读到的内容 C 已给出。"
            "求注意力的输出、"
            "残差相加之后的一行 r₁ 和归一化之后的 u₁。",
            "en": "Post-norm; the output projection W_O is all zeros, but its bias b_O is still there; "
            "what the heads "
            "read, C, is given. Find the attention's output, the row r₁ after the residual sum, and u₁ after "
            "the normalisation.",
        }
    if difficulty == 3:
        parameters |= {"ffn.w_1": draw.sparse(4, 6), "ffn.w_2": draw.sparse(6, 4, unit=0.5)}
        steps = ("residual_1", "norm_2.output", "ffn.output", "residual_2")
        task = {
            "zh": "pre-norm，激活为 ReLU，FFN 没有偏置，输出投影 W_O 全部为 0；各头读到的内容 C 已给出。"
            "求第一次残差、"
            "第二次归一化、FFN 的输出和 block 的输出 s。",
            "en": "Pre-norm, ReLU, no biases in the FFN; the output projection W_O is all zeros; what the "
            "heads read, "
            "C, is given. Find the first residual sum, the second normalisation, the FFN's output and the "
            "block's output s.",
        }
    statement = {"zh": task["zh"] + NORMS["zh"], "en": f"{task['en']} {NORMS['en']}"}
    return Draft(with_rounding(statement), asked(trace, *steps))


def with_rounding(statement: dict[str, str]) -> dict[str, str]:
    return {"zh": statement["zh"] + ROUNDING["zh"], "en": f"{statement['en']} {ROUNDING['en']}"}


ATTENTION = (
    Topic("attention_weights", {"zh": "注意力权重", "en": "Attention weights"}, weights),
    Topic("multi_head_output", {"zh": "多头输出", "en": "The output of several heads"}, heads),
    Topic("zeroed_projection", {"zh": "把输出投影设为 0", "en": "The output projection set to zero"}, zeroed),
)
