"""Choices and counts as words: what prose says instead of a setting or a numeral."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import printing

WORDS = {
    "none": {"zh": "无", "en": "none"},
    "off": {"zh": "关闭", "en": "off"},
    "causal": {"zh": "因果", "en": "causal"},
    "relu": {"zh": "ReLU", "en": "ReLU"},
    "gelu": {"zh": "GELU", "en": "GELU"},
    "gelu_tanh": {"zh": "GELU（tanh 近似）", "en": "GELU (tanh approximation)"},
    "silu": {"zh": "SiLU", "en": "SiLU"},
    "swiglu": {"zh": "SwiGLU", "en": "SwiGLU"},
    "geglu": {"zh": "GEGLU", "en": "GEGLU"},
    "reglu": {"zh": "ReGLU", "en": "ReGLU"},
}


COUNTS = {
    "zh": ["", *"一两三四五六七八九十", "十一", "十二"],
    "en": [
        "",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ],
}
PAIRS = {("一", "头"): "单", ("两", "头"): "双"}
"""Bare nouns, without 个, count otherwise: 单头, 双头."""

EFFECTS = {
    "relu": {"zh": "负值变0", "en": "negatives become 0"},
    "smooth": {"zh": "负值被压向0", "en": "negatives shrink towards 0"},
}


def counted(value: Any, noun: str, lang: str) -> str:
    """How many of something, as one says it: a word up to twelve, digits beyond."""
    if value is None:
        raise ValueError("is not set")
    number = float(np.asarray(value, dtype=np.float64))
    words = COUNTS[lang]
    said = words[int(number)] if number in range(1, len(words)) else printing.short(number)
    if lang == "zh":
        return PAIRS.get((said, noun[:1]), said) + noun
    return f"{said} {noun}" if number == 1 else f"{said} {noun}s"


def effect(value: Any, lang: str) -> str:
    """What an activation does to negative numbers, in words."""
    if value not in WORDS or value in ("none", "off", "causal"):
        raise ValueError("only an activation has an effect")
    return EFFECTS["relu" if value == "relu" else "smooth"][lang]


def word(value: Any, lang: str) -> str:
    """A choice of the block in words; a number as a setting."""
    if value is None:
        return WORDS["none"][lang]
    if isinstance(value, str):
        return WORDS[value][lang] if value in WORDS else value
    if isinstance(value, int | float) and not value:
        return WORDS["off"][lang]
    try:
        return printing.shortest(np.asarray(value, dtype=np.float64).reshape(-1).tolist())
    except (TypeError, ValueError):
        raise ValueError("is neither a word nor a number") from None
