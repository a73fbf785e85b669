"""What the steps of a block are called beside their symbols."""

from __future__ import annotations

from ..misconceptions import Lang
from .exercise import Asked

LABELS = {
    "attention.query": ("query", "query"),
    "attention.scaled_scores": ("缩放后的分数", "scaled scores"),
    "attention.weights": ("注意力权重", "attention weights"),
    "attention.head_outputs": ("各头读到的内容", "what each head reads"),
    "attention.concat": ("各头拼接", "the heads side by side"),
    "attention.output": ("注意力的输出", "the attention's output"),
    "residual_1": ("第一次残差", "first residual sum"),
    "residual_2": ("第二次残差", "second residual sum"),
    "norm_1.mean": ("均值", "mean"),
    "norm_1.variance": ("方差", "variance"),
    "norm_1.output": ("第一次归一化", "first normalisation"),
    "norm_2.output": ("第二次归一化", "second normalisation"),
    "ffn.pre_activation": ("隐藏层，激活之前", "hidden layer before the activation"),
    "ffn.gate": ("gate，激活之前", "gate before the activation"),
    "ffn.up": ("up", "up half"),
    "ffn.hidden": ("隐藏层", "hidden layer"),
    "ffn.output": ("FFN 的输出", "the FFN's output"),
}


def label(asked: Asked, lang: Lang) -> str:
    """What is asked for, in words: the part of the exercise if it has several, and the step."""
    q = asked.question
    words = LABELS[q.step][0 if lang == "zh" else 1]
    if q.jacobian is not None:
        words = "雅可比矩阵" if lang == "zh" else "Jacobian"
    if q.part is None:
        return words
    return f"{q.part[lang]}：{words}" if lang == "zh" else f"{q.part[lang]}: {words}"
