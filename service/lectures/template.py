"""Numbers inside prose: `{residual_1}`, `{norm_1.mean[0] | 6}`, `{ffn.w_2 | terms h}`. Parsed, never run.

A name is a row or statistic of the lecture, a field `block.epsilon`, or a step or parameter of the
trace; `[i]` picks elements, counted from 0. After the bar stands a number of decimals (6 if nothing is said)
or one of
    row       as a figure prints it          addend    likewise, a negative number in brackets
    short     a setting as one writes it     terms s   what the columns of a matrix make of a row called s
    word      a choice of the block          effect    what an activation does to negatives
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..engine.ops import Array
from . import printing

HOLE = re.compile(r"\{([^{}]*)\}")
NAME = r"[A-Za-z][A-Za-z0-9_-]*"
FORM = re.compile(
    rf"\s*(?P<name>{NAME}(?:\.{NAME})*)\s*(?P<at>(?:\[\s*\d+\s*\]\s*)*)"
    r"(?:\|\s*(?P<format>\w+)(?:\s+(?P<argument>\S+))?\s*)?"
)
MOST_TERMS = 12
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


EFFECTS = {
    "relu": {"zh": "负值变0", "en": "negatives become 0"},
    "smooth": {"zh": "负值被压向0", "en": "negatives shrink towards 0"},
}


class Numbers(Protocol):
    """Where a name's value is looked up."""

    def named(self, name: str) -> Any:
        """The value: an array, a number, a word or None. Raises `KeyError` where there is no such name."""


@dataclass(frozen=True, slots=True)
class Hole:
    """One place in prose that a number fills."""

    name: str
    at: tuple[int, ...]
    format: str
    argument: str | None


def holes(text: str) -> Iterator[Hole]:
    """The places in a text that numbers fill. Raises `ValueError` for one that cannot be read."""
    for match in HOLE.finditer(text):
        yield hole(match[1])


def hole(written: str) -> Hole:
    form = FORM.fullmatch(written)
    if form is None:
        raise ValueError(f"{{{written}}} is no place for a number")
    at = tuple(int(each) for each in re.findall(r"\d+", form["at"]))
    name, argument = form["format"] or str(printing.TEXT_DECIMALS), form["argument"]
    if not name.isdecimal() and name not in FORMATS:
        raise ValueError(
            f"{{{written}}}: there is no format {name!r}; there is {', '.join(FORMATS)}, or decimals"
        )
    if (argument is not None) != (name == "terms"):
        raise ValueError(f"{{{written}}}: terms takes a symbol, other formats take nothing")
    return Hole(form["name"], at, name, argument)


def fill(text: str, numbers: Numbers, lang: str) -> str:
    """Put the numbers in. Raises `ValueError` or `KeyError` naming the place that cannot be filled."""
    return HOLE.sub(lambda match: printed(hole(match[1]), numbers, lang), text)


def printed(place: Hole, numbers: Numbers, lang: str) -> str:
    value = numbers.named(place.name)
    if place.at:
        try:
            value = np.asarray(value, dtype=np.float64)[place.at]
        except (IndexError, TypeError, ValueError):
            raise ValueError(f"{place.name} has no element {list(place.at)}") from None
    if place.format == "word":
        return word(value, lang)
    if place.format == "effect":
        return effect(value, lang)
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{place.name} is no number; print it as a word") from None
    if place.format.isdecimal():
        return as_text(array, int(place.format), place.name)
    return FORMATS[place.format](array, place.argument or "", place.name)


def as_text(array: Array, decimals: int, name: str) -> str:
    if array.ndim == 0:
        return printing.scalar(float(array), decimals)
    return printing.in_text(one_row(array, name).tolist(), decimals)


def as_row(array: Array, _argument: str, name: str) -> str:
    if array.ndim == 0:
        return printing.in_row(float(array))
    return printing.row(map(printing.in_row, one_row(array, name).tolist()))


def as_addend(array: Array, argument: str, name: str) -> str:
    shown = as_row(array, argument, name)
    return f"({shown})" if shown.startswith(printing.MINUS) else shown


def as_setting(array: Array, _argument: str, _name: str) -> str:
    return printing.shortest(array.reshape(-1).tolist())


def as_terms(array: Array, symbol: str, name: str) -> str:
    if array.ndim != 2:
        raise ValueError(f"{name} is no matrix; only a matrix has terms")
    terms = printing.combinations(array.T[:MOST_TERMS].tolist(), symbol)
    return ", ".join([*terms, "…"] if array.shape[1] > MOST_TERMS else terms)


def one_row(array: Array, name: str) -> Array:
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {list(array.shape)}; pick one row of it")
    return array


FORMATS: dict[str, Callable[[Array, str, str], str]] = {
    "row": as_row,
    "addend": as_addend,
    "short": as_setting,
    "terms": as_terms,
    "word": as_setting,  # this and the next are spoken before numbers are looked at;
    "effect": as_setting,  # they are listed so that their names are known
}


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
        return as_setting(np.asarray(value, dtype=np.float64), "", "")
    except (TypeError, ValueError):
        raise ValueError("is neither a word nor a number") from None
