"""A trace as a table for the terminal: decimal points stand under each other, symbols as on the board."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import orjson
from numpy.typing import NDArray

from . import engine
from .errors import NotJSON

HEADINGS = ("step", "symbol", "row", "value")
GREEK = {"mu": "μ", "sigma": "σ", "gamma": "γ", "beta": "β", "epsilon": "ε", "theta": "θ", "odot": "⊙"}
RAISED = str.maketrans("0123456789abdeghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᵈᵉᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
LOWERED = str.maketrans("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")


def request_from(example: str, steps: tuple[str, ...], tokens: tuple[int, ...]) -> engine.TraceRequest:
    """The trace request of a named example, or in a JSON file, cut to these steps and tokens."""
    path = Path(example)
    data: dict[str, Any] = {"example": example}
    if path.suffix == ".json" and path.is_file():
        data = json_from(path.read_bytes(), str(path))
    chosen: dict[str, Any] = {"select": list(steps)} if steps else {}
    return engine.TraceRequest.from_data({**data, **chosen, **({"tokens": list(tokens)} if tokens else {})})


def json_from(text: bytes, name: str) -> Any:
    """The JSON of a file. Raises `NotJSON` with its name."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as wrong:
        raise NotJSON(f"{name} is not JSON: {wrong}") from None


def table(request: engine.TraceRequest, digits: int) -> str:
    """Name, symbol, row and numbers of every step, one vector a line, under headings; warnings below."""
    trace = engine.trace(request)
    rows = [row for step in trace.steps for row in step_rows(step)]
    labels = [HEADINGS[:3], *((name, symbol, where) for name, symbol, where, _ in rows)]
    widths = [max(map(width, texts)) for texts in zip(*labels, strict=True)]
    numbers = aligned([[number(value, digits) for value in values] for *_, values in rows])
    lines = [click.style(line(HEADINGS[:3], widths, ("", "", ""), [HEADINGS[3]]), underline=True)]
    lines += [
        line((name, symbol, where), widths, ("bold", "cyan", "dim"), texts)
        for (name, symbol, where, _), texts in zip(rows, numbers, strict=True)
    ]
    notes = [click.style(f"{each['code']}: {each['detail']}", fg="yellow") for each in trace.warnings]
    return "\n".join([*lines, *notes])


Row = tuple[str, str, str, list[float]]


def step_rows(step: engine.TracedStep) -> Iterable[Row]:
    """One row for each vector along the last axis; the step's name and symbol stand on its first."""
    value: NDArray[Any] = step.value
    name, symbol = step.name, plain(step.symbol)
    if value.ndim <= 1:
        yield name, symbol, " ".join(step.axes), np.atleast_1d(value).tolist()
        return
    for index in np.ndindex(value.shape[:-1]):
        where = " ".join(f"{axis} {i}" for axis, i in zip(step.axes, index, strict=False))
        yield name, symbol, where, value[index].tolist()
        name = symbol = ""


def line(labels: Sequence[str], widths: Sequence[int], styles: Sequence[str], numbers: Sequence[str]) -> str:
    """Labels padded to their widths and styled, then the numbers."""
    looks: dict[str, dict[str, Any]] = {"bold": {"bold": True}, "cyan": {"fg": "cyan"}, "dim": {"dim": True}}
    padded = [text + " " * (size - width(text)) for text, size in zip(labels, widths, strict=True)]
    styled = [
        click.style(text, **looks[style]) if style else text
        for text, style in zip(padded, styles, strict=True)
    ]
    return "  ".join([*styled, *numbers]).rstrip()


def number(value: float, digits: int) -> str:
    """A number with so many significant digits, its minus as a minus sign."""
    return (
        f"{value:.{digits}g}".replace("-0", "0", 1 if value == 0 else 0).replace("-", "−").replace("inf", "∞")
    )


def aligned(rows: list[list[str]]) -> list[list[str]]:
    """All numbers in fields of one size, their decimal points under each other."""
    split = [[text.partition(".") for text in row] for row in rows]
    before = max((len(whole) for row in split for whole, _, _ in row), default=0)
    after = max((len(point + rest) for row in split for _, point, rest in row), default=0)
    return [
        [whole.rjust(before) + (point + rest).ljust(after) for whole, point, rest in row] for row in split
    ]


def plain(latex: str) -> str:
    r"""A symbol as on the board: \sigma^2 -> σ², \hat{x} -> x̂."""
    text = re.sub(r"\\(?:mathrm|text|operatorname)\{([^}]*)\}", r"\1", latex)
    text = re.sub(r"\\hat\{([^}])([^}]*)\}", lambda found: found[1] + "\u0302" + found[2], text)
    text = re.sub(r"\\([a-z]+)", lambda found: GREEK.get(found[1], found[1]), text)
    text = re.sub(r"\^(?:\{([^{}]*)\}|(.))", lambda found: (found[1] or found[2]).translate(RAISED), text)
    return re.sub(r"_(?:\{([^{}]*)\}|(.))", lambda found: (found[1] or found[2]).translate(LOWERED), text)


def width(text: str) -> int:
    """Columns that a text takes in a terminal: combining marks take none, wide characters two."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )
