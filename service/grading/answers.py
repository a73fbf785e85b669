"""A student's numbers: read strictly, judged element by element.

Numbers arrive as JSON numbers or as strings a student would type: `"-0.198"`, `"−0.198"` with the
typographic minus, `"1/2"`, `"1e-3"`, full-width digits. They are matched against a pattern and converted,
never run as code.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Self

import numpy as np

from ..engine import as_tensor
from ..engine.ops import Array, Shape
from ..engine.reading import as_number, as_object, kind_of, leaves
from ..errors import Misread

MAX_LENGTH = 40
SIGNS = str.maketrans({"−": "-", "–": "-", "﹣": "-", "⁄": "/", "÷": "/", "∕": "/"})
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
TYPED = re.compile(rf"({NUMBER})(?:\s*/\s*({NUMBER}))?")
INFINITY = re.compile(r"([+-]?)(?:∞|inf|infinity)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How near is right: |answer − expected| ≤ absolute + relative·|expected|, element by element.

    The defaults let pass what is printed with three decimals.
    """

    absolute: float = 5e-4
    relative: float = 1e-3

    @classmethod
    def from_data(cls, data: Any, pointer: str) -> Self:
        known = as_object(data, pointer, ("absolute", "relative"))
        read = {
            name: as_number(value, f"{pointer}/{name}", least=0)
            for name, value in known.items()
            if value is not None
        }
        return cls(**read)

    def holds(self, answer: Array, expected: Array) -> Array:
        """Which elements are right, shape as both; an infinity is right only where it is expected."""
        with np.errstate(invalid="ignore"):
            near = abs(answer - expected) <= self.absolute + self.relative * abs(expected)
        near &= np.isfinite(answer) & np.isfinite(expected)
        return np.asarray(near | (answer == expected))


def read_numbers(data: Any, pointer: str) -> Array:
    """Nested lists of numbers or typed strings, or an ndarray, as a float64 array.

    Raises `Misread` with a pointer to the element and a hint how to write it.
    """
    if isinstance(data, np.ndarray):
        return as_tensor(data, pointer)
    shape: Shape = ()
    numbers: list[float] = []
    for shape, where, leaf in leaves(data, pointer):  # noqa: B007  # the last shape is the array's
        numbers.append(typed_number(leaf, where) if isinstance(leaf, str) else as_number(leaf, where))
    if not numbers:
        raise Misread(
            "should not be empty", pointer=pointer, expected="at least one element", got=list(shape)
        )
    return np.asarray(numbers, dtype=np.float64).reshape(shape)


def typed_number(text: str, pointer: str = "") -> float:
    """The number a student typed; raises `Misread` with a hint."""
    if len(text) > MAX_LENGTH:
        raise refused(text, pointer, f"it has more than {MAX_LENGTH} characters")
    plain = unicodedata.normalize("NFKC", text.strip()).translate(SIGNS).strip()
    if match := TYPED.fullmatch(plain):
        above, below = float(match[1]), float(match[2] or 1)
        if below == 0:
            raise refused(text, pointer, "a fraction's denominator is not zero")
        if math.isfinite(above / below):
            return above / below
    if match := INFINITY.fullmatch(plain):
        return -math.inf if match[1] == "-" else math.inf
    raise refused(text, pointer, hint(plain))


def hint(plain: str) -> str:
    """What to do about a string that is no number."""
    if not plain:
        return "it is empty; write a number"
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", plain):
        return f"write a decimal point, not a comma: {plain.replace(',', '.')}"
    return "write a number such as -0.198, 1/2 or 1e-3"


def refused(text: str, pointer: str, advice: str) -> Misread:
    return Misread(
        f"is no number: {advice}",
        pointer=pointer,
        expected="a number, or a string such as -0.198 or 1/2",
        got=text if len(text) <= MAX_LENGTH else kind_of(text),
    )


def half_digit(number: float) -> float:
    """Half a unit of the last digit of a number as written, which has at least three significant digits:
    JSON drops the trailing zero of 0.790."""
    if number == 0 or not math.isfinite(number):
        return 0.0
    written = Decimal(repr(float(number)))
    return 0.5 * math.pow(10, min(int(written.as_tuple().exponent), written.adjusted() - 2))


def significant_digits(number: float) -> int:
    """How many digits a number has when it is written with six decimals: 0.5 has one, 0.707107 six."""
    return len(f"{abs(number):.6f}".replace(".", "").strip("0"))
