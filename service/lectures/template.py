"""Numbers inside prose: `{residual_1}`, `{norm_1.mean[0] | 6}`, `{ffn.w_2 | terms h}`. Parsed, never run.

A name is a row or statistic of the lecture, a field `block.epsilon`, or a step or parameter of the
trace; `[i]` picks elements, counted from 0. After the bar stands a number of decimals (6 if nothing is said,
at most 15) or one of
    row       as a figure prints it          addend    likewise, a negative number in brackets
    short     a setting as one writes it     terms s   what the columns of a matrix make of a row called s
    word      a choice of the block          effect    what an activation does to negatives
    count s   a number as a word, before the noun s: 四个特征, four features
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..engine.ops import Array
from ..errors import InvalidRequest
from . import printing
from .wording import counted, effect, word

MOST_DECIMALS = 15
"""A float64 holds no more."""
HOLE = re.compile(r"\{([^{}]*)\}")
NAME = r"[A-Za-z][A-Za-z0-9_-]*"
FORM = re.compile(
    rf"\s*(?P<name>{NAME}(?:\.{NAME})*)\s*(?P<at>(?:\[\s*\d+\s*\]\s*)*)"
    r"(?:\|\s*(?P<format>\w+)(?:\s+(?P<argument>\S+))?\s*)?"
)
MOST_TERMS = 12


class Unfillable(InvalidRequest):
    """A place in prose has no number to fill it.

    The check finds this in a lecture's own numbers, so that only a caller's can still lead to it: it is a
    refusal by its kind, whatever part of the page asks.
    """


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
    if loose := re.search(r"[{}][^{}]{0,20}", HOLE.sub("", text)):
        raise ValueError(f"{loose[0]!r} has a brace without its other half; braces hold numbers")


def hole(written: str) -> Hole:
    form = FORM.fullmatch(written)
    if form is None:
        raise ValueError(f"{{{written}}} is no place for a number")
    at = tuple(int(each) for each in re.findall(r"\d+", form["at"]))
    name, argument = form["format"] or str(printing.TEXT_DECIMALS), form["argument"]
    if not is_decimals(name) and name not in FORMATS:
        raise ValueError(
            f"{{{written}}}: there is no format {name!r}; there is {', '.join(FORMATS)}, "
            f"or decimals, 0 to {MOST_DECIMALS}"
        )
    if (argument is not None) != (name in ("terms", "count")):
        raise ValueError(f"{{{written}}}: terms takes a symbol and count a noun, other formats take nothing")
    return Hole(form["name"], at, name, argument)


def is_decimals(format_: str) -> bool:
    return re.fullmatch("[0-9]{1,2}", format_) is not None and int(format_) <= MOST_DECIMALS


def fill(text: str, numbers: Numbers, lang: str, where: str = "") -> str:
    """Put the numbers in. Raises `Unfillable` naming the row that has none, and `where` it is quoted."""

    def filled(match: re.Match[str]) -> str:
        place = hole(match[1])
        try:
            return printed(place, numbers, lang)
        except Unfillable as gone:
            quoted = f"{where} quotes {{{match[1].strip()}}}: " if where else ""
            fault = gone.faults[0]
            raise Unfillable(f"{quoted}{gone.detail}", expected=fault.expected, got=fault.got) from None
        except KeyError:
            raise Unfillable(f"{where or 'the text'} quotes {place.name!r}, which is not there") from None
        except (ValueError, TypeError, LookupError, ArithmeticError) as error:
            raise Unfillable(f"{where or 'the text'} cannot quote {place.name!r}: {error}") from None

    return HOLE.sub(filled, text)


def element(value: Any, place: Hole) -> Array:
    """The element that a place picks. Raises `Unfillable` where the array is not as large as that."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(())
    picked = list(place.at)
    name = repr(place.name) if "." in place.name else f"row {place.name!r}"
    if len(picked) > array.ndim:
        raise Unfillable(
            f"{name} has no element {picked}: it has {array.ndim} axes",
            expected=f"at most {array.ndim} indices",
            got=picked,
        )
    for index, length in zip(place.at, array.shape, strict=False):
        if index >= length:
            raise Unfillable(
                f"{name} has no element {picked}: there are {length}",
                expected=f"element 0 to {length - 1}",
                got=index,
            )
    return np.asarray(array[place.at])


def printed(place: Hole, numbers: Numbers, lang: str) -> str:
    value = numbers.named(place.name)
    if place.at:
        value = element(value, place)
    if place.format == "count":
        return counted(value, place.argument or "", lang)
    if place.format == "word":
        return word(value, lang)
    if place.format == "effect":
        return effect(value, lang)
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{place.name} is no number; print it as a word") from None
    if is_decimals(place.format):
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
    "word": as_setting,  # this and the next two are spoken before numbers are looked at;
    "effect": as_setting,  # they are listed so that their names are known
    "count": as_setting,
}
