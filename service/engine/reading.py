"""Reading plain data strictly: each function returns a checked value, or refuses with a JSON pointer.

Nothing is guessed: no boolean is taken for a number, no numeric string for its number, no null for zero, no
ragged list for an array. Non-finite numbers enter only where a mask allows them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import Misread, UnknownName
from .ops import Array

NON_FINITE_WORDS = {"-Infinity": -math.inf, "Infinity": math.inf, "NaN": math.nan}
MAX_RANK = 8


def kind_of(value: Any) -> str:
    """The JSON word for a value's kind, for the `got` of an error."""
    match value:
        case None:
            return "null"
        case bool() | np.bool_():
            return "boolean"
        case int() | float() | np.number():
            return "number"
        case str():
            return "string"
        case list() | tuple() | np.ndarray():
            return "array"
        case _:
            return "object"


def escape(key: str) -> str:
    """One reference token of a JSON pointer (RFC 6901, section 3)."""
    return key.replace("~", "~0").replace("/", "~1")


def as_object(value: Any, pointer: str, known: Collection[str]) -> Mapping[str, Any]:
    """A JSON object with no names but the known ones."""
    if not isinstance(value, Mapping):
        raise Misread("should be an object", pointer=pointer, expected="object", got=kind_of(value))
    for name in value:
        if name not in known:
            raise UnknownName("field", name, known, pointer=f"{pointer}/{escape(str(name))}")
    return value


def as_list(value: Any, pointer: str) -> Sequence[Any]:
    """A JSON array."""
    if not isinstance(value, list | tuple):
        raise Misread("should be an array", pointer=pointer, expected="array", got=kind_of(value))
    return value


def as_string(value: Any, pointer: str) -> str:
    """A JSON string."""
    if not isinstance(value, str):
        raise Misread("should be a string", pointer=pointer, expected="string", got=kind_of(value))
    return value


def as_flag(value: Any, pointer: str) -> bool:
    """true or false."""
    if not isinstance(value, bool):
        raise Misread("should be true or false", pointer=pointer, expected="boolean", got=kind_of(value))
    return value


def as_choice(value: Any, pointer: str, choices: tuple[str, ...]) -> Any:
    """One of the words."""
    if not isinstance(value, str) or value not in choices:
        raise Misread(
            f"should be one of {', '.join(choices)}", pointer=pointer, expected=list(choices), got=value
        )
    return value


def as_count(value: Any, pointer: str, *, least: int = 1) -> int:
    """A whole number of at least `least`; a float that is whole (JSON has one kind of number) counts."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if isinstance(value, float) and value.is_integer():
        value, whole = int(value), True
    if not whole or value < least:
        raise Misread(
            f"should be a whole number of at least {least}",
            pointer=pointer,
            expected=f">= {least}",
            got=value if isinstance(value, int | float) else kind_of(value),
        )
    return int(value)


def as_number(
    value: Any,
    pointer: str,
    *,
    least: float | None = None,
    above: float | None = None,
    below: float | None = None,
) -> float:
    """A finite number, within bounds where given."""
    if not isinstance(value, int | float | np.number) or isinstance(value, bool):
        raise Misread("should be a number", pointer=pointer, expected="number", got=kind_of(value))
    number = finite(value)
    if number is None:
        raise Misread("should be a finite number", pointer=pointer, expected="finite number", got=word(value))
    for bound, holds, sign in (
        (least, least is None or number >= least, ">="),
        (above, above is None or number > above, ">"),
        (below, below is None or number < below, "<"),
    ):
        if not holds:
            raise Misread(
                f"should be {sign} {bound:g}", pointer=pointer, expected=f"{sign} {bound:g}", got=number
            )
    return number


def finite(value: Any) -> float | None:
    """The number as a float, or None where it is no finite float64 (an integer may be too long for one)."""
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def word(value: Any) -> str:
    """How a number that cannot be written in JSON is named in an error."""
    return f"an integer of {len(str(abs(value)))} digits" if isinstance(value, int) else str(value)


def as_tensor(
    value: Any, pointer: str, *, infinite: bool = False, ranks: tuple[int, ...] | None = None
) -> Array:
    """Nested lists of numbers, or an ndarray, as a float64 array.

    Raises `Misread` with a pointer to the element at fault: ragged, boolean, string, null, non-finite.
    With `infinite` the strings "-Infinity", "Infinity" and "NaN" are numbers too.
    """
    if isinstance(value, np.ndarray):
        array = value
    elif not isinstance(value, list | tuple):
        raise Misread("should be an array", pointer=pointer, expected="array", got=kind_of(value))
    else:
        try:
            array = np.asarray(value)
        except (ValueError, TypeError, OverflowError):
            array = np.empty(0, dtype=object)
        # NumPy takes a boolean among floats for 1.0, so the plain lists are looked at where one may hide.
        if array.dtype.kind not in "fiu" or (array.size and has_boolean(value)):
            array = elementwise(value, pointer, infinite)
    if array.dtype.kind not in "fiu":
        raise Misread("should hold numbers", pointer=pointer, expected="numbers", got=str(array.dtype))
    array = array.astype(np.float64, copy=False)
    if not infinite and not np.isfinite(array).all():
        index = np.argwhere(~np.isfinite(array))[0]
        raise Misread(
            "should be a finite number",
            pointer=pointer + "".join(f"/{i}" for i in index),
            expected="finite number",
            got=str(array[tuple(index)]),
        )
    return checked_rank(array, pointer, ranks)


def as_keep(value: Any, pointer: str, *, ranks: tuple[int, ...]) -> Array:
    """Nested lists of true and false, or a boolean ndarray."""
    array = value if isinstance(value, np.ndarray) else None
    if array is None:
        for _shape, where, leaf in leaves(value, pointer):
            if not isinstance(leaf, bool):
                raise Misread(
                    "should be true (may attend) or false",
                    pointer=where,
                    expected="boolean",
                    got=kind_of(leaf),
                )
        array = np.asarray(value, dtype=bool)
    if array.dtype != np.bool_:
        raise Misread("should hold true and false", pointer=pointer, expected="boolean", got=str(array.dtype))
    return checked_rank(array, pointer, ranks)


def checked_rank(array: Array, pointer: str, ranks: tuple[int, ...] | None) -> Array:
    if array.size == 0:
        raise Misread(
            "should not be empty", pointer=pointer, expected="at least one element", got=list(array.shape)
        )
    if ranks is not None and array.ndim not in ranks:
        raise Misread(
            f"should have {' or '.join(map(str, ranks))} dimensions, has {array.ndim}",
            pointer=pointer,
            expected=list(ranks),
            got=array.ndim,
        )
    return array


def has_boolean(value: Any) -> bool:
    """Whether nested lists hold a boolean."""
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], list | tuple):
            return any(map(has_boolean, value))
        return bool in set(map(type, value))
    return isinstance(value, bool)


def elementwise(value: Any, pointer: str, infinite: bool) -> Array:
    """The slow, exact reading: finds the element at fault, and knows the words for infinity."""
    numbers: list[float] = []
    shape: tuple[int, ...] = ()
    for shape, where, leaf in leaves(value, pointer):  # noqa: B007  # the last shape is the array's
        if infinite and isinstance(leaf, str) and leaf in NON_FINITE_WORDS:
            numbers.append(NON_FINITE_WORDS[leaf])
        else:
            numbers.append(as_number(leaf, where))
    return np.asarray(numbers, dtype=np.float64).reshape(shape)


def leaves(value: Any, pointer: str) -> Iterator[tuple[tuple[int, ...], str, Any]]:
    """Walk nested lists, yielding (shape of the whole, pointer, leaf); refuse what is ragged or too deep."""
    shape: list[int] = []
    first = value
    while isinstance(first, list | tuple):
        shape.append(len(first))
        if len(shape) > MAX_RANK:
            raise Misread(
                f"is nested more than {MAX_RANK} deep",
                pointer=pointer,
                expected=f"<= {MAX_RANK}",
                got="deeper",
            )
        if not first:
            break
        first = first[0]

    def walk(part: Any, where: str, depth: int) -> Iterator[tuple[tuple[int, ...], str, Any]]:
        if depth == len(shape):
            if isinstance(part, list | tuple):
                raise Misread("should be a number", pointer=where, expected="number", got="array")
            yield tuple(shape), where, part
            return
        if not isinstance(part, list | tuple):
            raise Misread("should be an array", pointer=where, expected="array", got=kind_of(part))
        if len(part) != shape[depth]:
            raise Misread(
                f"is ragged: {len(part)} elements where the first has {shape[depth]}",
                pointer=where,
                expected=shape[depth],
                got=len(part),
            )
        for i, each in enumerate(part):
            yield from walk(each, f"{where}/{i}", depth + 1)

    yield from walk(value, pointer, 0)
