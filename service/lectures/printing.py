"""Numbers as they are printed: rows with 3 decimals, text with 6, whole numbers bare; the minus is U+2212."""

from __future__ import annotations

import math
from collections.abc import Iterable

ROW_DECIMALS, TEXT_DECIMALS = 3, 6
NOISE = 1e-12
"""A number this close to a whole one (relative; absolute below one) is whole, but for rounding."""
LARGE = 1e9
LONGEST_ROW = 16
MINUS, TIMES = "−", "×"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def is_whole(value: float) -> bool:
    """Whether the exact value is a whole number, up to the noise of floating point."""
    return math.isfinite(value) and abs(value - round(value)) <= NOISE * max(1.0, abs(value))


def in_row(value: float, decimals: int = ROW_DECIMALS) -> str:
    """One number of a row: whole numbers bare, trailing zeros kept otherwise."""
    return bare(value) if is_whole(value) else fixed(value, decimals)


def in_text(values: Iterable[float], decimals: int = TEXT_DECIMALS) -> str:
    """A row as a sentence quotes it: all whole, all bare; otherwise all with decimals, except a plain 0."""
    numbers = list(values)
    if all(map(is_whole, numbers)):
        return row(bare(each) for each in numbers)
    return row("0" if is_whole(each) and round(each) == 0 else fixed(each, decimals) for each in numbers)


def scalar(value: float, decimals: int = TEXT_DECIMALS) -> str:
    """A single number as a sentence quotes it."""
    return in_row(value, decimals)


def fixed(value: float, decimals: int) -> str:
    """A number with this many decimals; one that rounds to zero has no sign."""
    if not math.isfinite(value) or abs(value) >= LARGE:
        return unusual(value, decimals)
    return f"{value:z.{decimals}f}".replace("-", MINUS)


def bare(value: float) -> str:
    """A whole number without decimals."""
    return unusual(value, ROW_DECIMALS) if abs(value) >= LARGE else str(round(value)).replace("-", MINUS)


def unusual(value: float, decimals: int) -> str:
    """What no table is made for: infinite, not a number, or too large to write out."""
    if math.isnan(value):
        return "NaN"
    sign = MINUS if value < 0 else ""
    if math.isinf(value):
        return f"{sign}∞"
    digits, power = f"{abs(value):.{decimals}e}".split("e")
    return f"{sign}{digits}{TIMES}10{str(int(power)).translate(SUPERSCRIPTS)}"


def short(value: float) -> str:
    """A setting as one writes it by hand: 4, 0.1, 10⁻⁵."""
    if is_whole(value):
        return bare(value)
    if not math.isfinite(value):
        return unusual(value, 0)
    digits, power = f"{value:e}".split("e")
    if -3 < int(power) < 6:
        return f"{value:.6g}".replace("-", MINUS)
    front, exponent = f"{float(digits):g}", f"10{str(int(power)).translate(SUPERSCRIPTS)}"
    signed = {"1": exponent, "-1": MINUS + exponent}.get(front, f"{front}{TIMES}{exponent}")
    return signed.replace("-", MINUS)


def shortest(values: Iterable[float]) -> str:
    """Settings as one writes them by hand: one number where all are equal, else the row."""
    printed = [short(each) for each in values]
    return printed[0] if len(set(printed)) == 1 else row(printed)


def row(printed: Iterable[str]) -> str:
    """A row within a sentence; of a long one, the beginning and the end."""
    numbers = list(printed)
    if len(numbers) > LONGEST_ROW:
        numbers = [*numbers[: LONGEST_ROW - 3], "…", *numbers[-2:]]
    return f"({', '.join(numbers)})"


def combinations(columns: Iterable[Iterable[float]], symbol: str) -> list[str]:
    """What each column of a matrix makes of a row: "u₁−u₂", "0.5h₃+0.25h₅", or "0" for a column of zeros."""
    return [combination(column, symbol) for column in columns]


def combination(column: Iterable[float], symbol: str) -> str:
    terms = ""
    factors = [(factor, i) for i, factor in enumerate(column, start=1) if factor]
    for factor, i in sorted(factors, key=lambda each: each[0] < 0):  # u₂−u₁ reads better than −u₁+u₂
        sign = MINUS if factor < 0 else "+" if terms else ""
        size = "" if abs(factor) == 1 else short(abs(factor))
        terms += f"{sign}{size}{symbol}{str(i).translate(SUBSCRIPTS)}"
    return terms or "0"
