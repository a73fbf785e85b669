"""Mistakes in the feed-forward network: its activation, its gate, and that it works within one position."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...engine.activations import ACTIVATION_OPS
from ...engine.graph import Step
from ...engine.ops import GELU, GELU_TANH, LINEAR, MULTIPLY, RELU, SILU, Array
from ..problem import Changes, Problem
from .misconception import Explanation, Misconception, by, changed_answer, changed_operand, copied

# -- the equations as they are mistaken -----------------------------------------------------------


def activations(problem: Problem) -> list[Step]:
    return problem.made_by(RELU, GELU, GELU_TANH, SILU)


def no_activation(problem: Problem) -> Iterator[Changes]:
    for step in activations(problem):
        yield {step.name: copied(step, step.inputs[0])}


def activated_output(problem: Problem) -> Iterator[Changes]:
    """The network's output goes through the activation once more."""
    activation = ACTIVATION_OPS[problem.block.activation].forward
    for step in problem.made_by(LINEAR):
        if step.name == "ffn.output":
            yield {step.name: changed_answer(step, activation)}


def other_gelu(problem: Problem) -> Iterator[Changes]:
    for step in problem.made_by(GELU):
        yield {step.name: by(step, GELU_TANH.forward)}
    for step in problem.made_by(GELU_TANH):
        yield {step.name: by(step, GELU.forward)}


def relu_instead(problem: Problem) -> Iterator[Changes]:
    for step in problem.made_by(GELU, GELU_TANH, SILU):
        yield {step.name: by(step, RELU.forward)}


def other_half_activated(problem: Problem) -> Iterator[Changes]:
    """p ⊙ f(q) for f(p) ⊙ q."""
    activation = ACTIVATION_OPS[problem.block.activation].forward
    for step in problem.made_by(MULTIPLY):
        gate, up = "ffn.gate", "ffn.up"
        yield {step.name: by(step, lambda p, q: p * activation(q), inputs=(gate, up))}


def first_maps(problem: Problem) -> dict[str, Step]:
    """The maps that read the network's input."""
    names = ("ffn.pre_activation", "ffn.gate", "ffn.up")
    return {name: problem.steps[name] for name in names if name in problem.steps}


def over_all_rows(rows: Array) -> Array:
    """Every row becomes the average of all rows."""
    return np.broadcast_to(rows.mean(axis=-2, keepdims=True), rows.shape)


def across_tokens(problem: Problem) -> Iterator[Changes]:
    maps = first_maps(problem)
    if maps and all(problem.shape(step.inputs[0])[-2] > 1 for step in maps.values()):
        yield {name: changed_operand(step, 0, over_all_rows) for name, step in maps.items()}


def along_tokens(problem: Problem) -> Iterator[Changes]:
    """The matrix enters transposed, and leaves transposed back, where it is square."""
    maps, out = first_maps(problem), problem.steps.get("ffn.output")
    if out is None or not maps:
        return
    n_tokens, d_model = problem.shape(out.name)[-2:]
    if n_tokens == d_model and n_tokens > 1:
        changes = {name: changed_operand(step, 0, turned) for name, step in maps.items()}
        yield {**changes, out.name: changed_answer(out, turned)}


def turned(matrix: Array) -> Array:
    return np.ascontiguousarray(matrix.swapaxes(-1, -2))


# -- the mistakes ---------------------------------------------------------------------------------

FEED_FORWARD = (
    Misconception(
        "activation_forgotten",
        zh=Explanation(
            "没有做激活（ReLU、GELU 等）。",
            "两次线性变换之间要过激活函数；ReLU 把负值变成 0。",
            "没有它，两次线性变换合起来还是一次线性变换。",
        ),
        en=Explanation(
            "The activation (ReLU, GELU, ...) was left out.",
            "It stands between the two linear maps; ReLU turns what is negative into zero.",
            "Without it the two maps are together just one linear map.",
        ),
        places=no_activation,
    ),
    Misconception(
        "activation_on_output",
        zh=Explanation(
            "在 FFN 的输出上又做了一次激活。",
            "激活只用在中间层；W₂ 之后的输出不再过激活函数。",
            "输出是要加回原表示的修正，必须可正可负。",
        ),
        en=Explanation(
            "The network's output went through the activation once more.",
            "Only the hidden layer is activated; what W₂ gives is left as it is.",
            "The output is a correction to be added, so it must be free to be negative.",
        ),
        places=activated_output,
    ),
    Misconception(
        "gelu_forms_swapped",
        zh=Explanation(
            "GELU 用了另一种形式。",
            "gelu 是 x·Φ(x)（erf），gelu_tanh 是它的 tanh 近似；以题目为准。",
            "两者最多相差约 5×10⁻⁴，三位小数就能看出来。",
        ),
        en=Explanation(
            "The other form of GELU was used.",
            "`gelu` is x Φ(x), by erf; `gelu_tanh` is its approximation by tanh; the block says which.",
            "They differ by about 5·10⁻⁴ at most, which shows in the third decimal.",
        ),
        places=other_gelu,
    ),
    Misconception(
        "relu_for_activation",
        zh=Explanation(
            "用了 ReLU。",
            "这个 block 的激活是 GELU 或 SiLU 一类的平滑函数。",
            "它们在 0 附近弯曲，负值也不全是 0。",
        ),
        en=Explanation(
            "ReLU was used.",
            "This block has a smooth activation, GELU or SiLU.",
            "They bend around zero, and what is negative does not all become zero.",
        ),
        places=relu_instead,
    ),
    Misconception(
        "gate_on_wrong_half",
        zh=Explanation(
            "激活用在了 up 上。",
            "门控 FFN 是 f(xW_gate) ⊙ xW_up：激活只作用在 gate 上。",
            "gate 决定放行多少，up 是被放行的内容。",
        ),
        en=Explanation(
            "The activation was applied to the up half.",
            "A gated network is f(x W_gate) ⊙ x W_up: only the gate is activated.",
            "The gate says how much passes; the up half is what passes.",
        ),
        places=other_half_activated,
    ),
    Misconception(
        "ffn_across_tokens",
        zh=Explanation(
            "FFN 读的是所有位置的平均。",
            "FFN 在每个位置内部单独作用，只读这一行。",
            "位置之间的交换只发生在注意力里；FFN 不增加任何位置能看见的东西。",
        ),
        en=Explanation(
            "The network read the average of all positions.",
            "It works within each position and reads that row only.",
            "Positions exchange content in attention alone; the FFN adds nothing to what a position can see.",
        ),
        places=across_tokens,
    ),
    Misconception(
        "ffn_along_tokens",
        zh=Explanation(
            "FFN 沿 token 方向作用：矩阵被转置之后才送进去。",
            "FFN 沿特征方向作用，每个 token 一行。",
            "位置数恰好等于特征数时形状不会报错，含义却完全不同。",
        ),
        en=Explanation(
            "The network ran along the tokens: the matrix went in transposed.",
            "It runs along the features, one row a token.",
            "With as many tokens as features the shapes fit, but the meaning is another.",
        ),
        places=along_tokens,
    ),
)
