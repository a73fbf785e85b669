"""Exercises on the paths through a block: where the norm stands, and what passes straight through."""

from __future__ import annotations

from typing import Any

from .attention import NORMS, with_rounding
from .draw import Draw
from .exercise import Draft, Question, Topic
from .sublayers import GAINS

# -- where the normalisation stands ---------------------------------------------------------------

POST = {"zh": "(a) post-norm", "en": "(a) post-norm"}
PRE = {"zh": "(b) pre-norm", "en": "(b) pre-norm"}


def pre_or_post(draw: Draw, difficulty: int) -> Draft:
    """One token, so that its attention weight is one and attention is just V W_O of its input."""
    parameters: dict[str, Any] = {"attention.w_v": draw.sparse(4, 4), "attention.w_o": identity(4)}
    told = {"zh": "W_O 是单位矩阵。", "en": "W_O is the identity."}
    ends = (("residual_1", "norm_1.output"), ("norm_1.output", "residual_1"))
    wanted = {
        "zh": "(a) post-norm：r=x+O 和 u=LN(r)；(b) pre-norm：n=LN(x) 和 r=x+O，这里的 O 由 n 算出。",
        "en": "(a) post-norm: r = x + O and u = LN(r); (b) pre-norm: n = LN(x) and r = x + O, with O from n.",
    }
    if difficulty > 1:
        parameters["attention.w_o"] = draw.sparse(4, 4)
        told = {"zh": "", "en": ""}
    if difficulty == 3:
        parameters |= {"ffn.w_1": draw.sparse(4, 4), "ffn.w_2": draw.sparse(4, 4, unit=0.5)}
        ends = (("norm_1.output", "norm_2.output"), ("residual_1", "residual_2"))
        wanted = {
            "zh": "(a) post-norm：第一次归一化之后的 u 和 block 的输出 z；(b) pre-norm：第一次残差 r 和 "
            "block 的输出 s。"
            "FFN 用 ReLU，没有偏置。",
            "en": "(a) post-norm: u after the first normalisation and the block's output z; (b) pre-norm: "
            "the first "
            "residual sum r and the block's output s. The FFN has ReLU and no biases.",
        }
    x = [draw.whole(4, low=-2, high=3)]
    traces = [
        {
            "block": {"norm_placement": placement, "n_heads": 1},
            "x": x,
            "interventions": [{"step": "attention.weights", "set": [[[1]]]}],
            "parameters": parameters,
        }
        for placement in ("post", "pre")
    ]
    statement = {
        "zh": f"只有一个 token，所以注意力权重是 1，注意力的输出 O 就是它的输入乘 W_V 再乘 W_O。{told['zh']}"
        f"同样的数，分别按两种次序算。求{wanted['zh']}{NORMS['zh']}",
        "en": "There is one token only, so its attention weight is 1, and the attention's output O is its "
        "input "
        f"times W_V times W_O. {told['en']} Take the same numbers in both orders. Find {wanted['en']} "
        f"{NORMS['en']}".replace("  ", " "),
    }
    questions = [
        Question(trace, step, part=part)
        for trace, part, steps in zip(traces, (POST, PRE), ends, strict=True)
        for step in steps
    ]
    return Draft(with_rounding(statement), tuple(questions))


def identity(n: int) -> list[list[int]]:
    return [[int(i == j) for j in range(n)] for i in range(n)]


# -- what passes straight through -----------------------------------------------------------------

DIRECT = {"zh": "(a) 只走直通路径", "en": "(a) the direct path alone"}
WHOLE = {"zh": "(b) 全部路径", "en": "(b) all paths"}


def jacobian_direct_path(draw: Draw, difficulty: int) -> Draft:
    return around_the_network(draw) if difficulty == 1 else through_the_norm(draw, difficulty)


def around_the_network(draw: Draw) -> Draft:
    """∂s/∂u of s = u + FFN(u): the identity, and what the network adds to it."""
    trace = {
        "block": {"activation": "relu"},
        "interventions": [{"step": "norm_1.output", "set": [draw.halves(2)]}],
        "parameters": {
            "ffn.w_1": draw.weight((-2, -1, 0, 1, 2), 2, 3),
            "ffn.w_2": draw.sparse(3, 2, unit=0.5),
        },
    }
    by = {"wrt": "norm_1.output", "of_token": 0, "wrt_token": 0}
    statement = {
        "zh": "s=u+ReLU(uW₁)W₂，u 是一个 token 的一行，没有偏置。求雅可比矩阵 ∂sᵢ/∂uⱼ（第 i 行第 j 列）："
        "(a) 只走直通路径，把 FFN 的输出当作常数；(b) 全部路径。残差让导数恒等于 1 吗？",
        "en": "s = u + ReLU(u W₁) W₂, where u is one token's row, without biases. Find the Jacobian "
        "∂sᵢ/∂uⱼ (row i, "
        "column j): (a) along the direct path alone, the FFN's output held constant; (b) along all paths. "
        "Does "
        "the residual make the derivative always 1?",
    }
    questions = (
        Question(trace, "residual_2", jacobian={**by, "stop": ["ffn.output"]}, part=DIRECT),
        Question(trace, "residual_2", jacobian={**by, "stop": []}, part=WHOLE),
    )
    return Draft(with_rounding(statement), questions)


def through_the_norm(draw: Draw, difficulty: int) -> Draft:
    """∂u/∂x of u = LN(x + O) with O held constant: the residual's identity, then the normalisation's own."""
    n = difficulty + 1
    trace: dict[str, Any] = {
        "block": {"norm_placement": "post", "d_model": n},
        "x": [draw.halves(n, low=-3, high=3)],
        "interventions": [{"step": "attention.output", "set": [draw.halves(n, low=-3, high=3)]}],
    }
    gain = {"zh": NORMS["zh"], "en": NORMS["en"]}
    if difficulty == 3:
        trace["parameters"] = {"norm_1.gamma": draw.one_of(GAINS, n)}
        gain = {"zh": "ε=10⁻⁵，γ 已给出，β=0。", "en": "ε = 10⁻⁵, γ is given, β = 0."}
    statement = {
        "zh": "u=LN(x+O)，x 和 O 都是一个 token 的一行。只走直通路径：把注意力的输出 O 当作常数，"
        "求雅可比矩阵 "
        "∂uᵢ/∂xⱼ（第 i 行第 j 列）。别忘了 μ 和 σ² 也随 x 变。" + gain["zh"],
        "en": "u = LN(x + O), x and O being one token's rows. Along the direct path alone, the attention's "
        "output O "
        "held constant, find the Jacobian ∂uᵢ/∂xⱼ (row i, column j). μ and σ² change with x too. "
        + gain["en"],
    }
    by = {"wrt": "x", "of_token": 0, "wrt_token": 0, "stop": ["attention.output"]}
    return Draft(with_rounding(statement), (Question(trace, "norm_1.output", jacobian=by),))


PATHS = (
    Topic("pre_or_post", {"zh": "pre-norm 还是 post-norm", "en": "Pre-norm or post-norm"}, pre_or_post),
    Topic(
        "jacobian_direct_path",
        {"zh": "直通路径的雅可比矩阵", "en": "The Jacobian of the direct path"},
        jacobian_direct_path,
    ),
)
