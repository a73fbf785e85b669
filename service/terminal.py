"""A trace as an aligned table for the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import numpy as np
import orjson
from numpy.typing import NDArray

from . import engine
from .errors import NotJSON


def request_from(example: str, steps: tuple[str, ...], tokens: tuple[int, ...]) -> engine.TraceRequest:
    """The trace request of a named example, or in a JSON file, cut to these steps and tokens."""
    path = Path(example)
    data: dict[str, Any] = {"example": example}
    if path.suffix == ".json" and path.is_file():
        try:
            data = orjson.loads(path.read_bytes())
        except orjson.JSONDecodeError as wrong:
            raise NotJSON(f"{path} is not JSON: {wrong}") from None
    chosen: dict[str, Any] = {"select": list(steps)} if steps else {}
    return engine.TraceRequest.from_data({**data, **chosen, **({"tokens": list(tokens)} if tokens else {})})


def table(request: engine.TraceRequest, digits: int) -> str:
    """Name, symbol, axes and values of every step, one row of numbers a line, columns aligned."""
    trace = engine.trace(request)
    rows = [row for step in trace.steps for row in step_rows(step)]
    widths = [max(map(width, texts)) for texts in list(zip(*rows, strict=True))[:3]]
    numbers = [[number(value, digits) for value in row[3]] for row in rows]
    column = max(len(text) for row in numbers for text in row)
    lines = []
    for row, values in zip(rows, numbers, strict=True):
        name, symbol, where = (padded(text, size) for text, size in zip(row[:3], widths, strict=True))
        head = [click.style(name, bold=True), click.style(symbol, fg="cyan"), click.style(where, dim=True)]
        lines.append("  ".join([*head, *(text.rjust(column) for text in values)]).rstrip())
    notes = [f"{each['code']}: {each['detail']}" for each in trace.warnings]
    return "\n".join([*lines, *(click.style(note, fg="yellow") for note in notes)])


Row = tuple[str, str, str, list[float]]


def step_rows(step: Any) -> Iterable[Row]:
    """One line for each last-axis vector of a step; its name and symbol on the first."""
    value: NDArray[Any] = step.value
    if value.ndim <= 1:
        yield step.name, step.symbol, f"{' '.join(step.axes)}", np.atleast_1d(value).tolist()
        return
    for position, index in enumerate(np.ndindex(value.shape[:-1])):
        where = " ".join(f"{axis} {i}" for axis, i in zip(step.axes, index, strict=False))
        first = position == 0
        yield step.name if first else "", step.symbol if first else "", where, value[index].tolist()


def number(value: float, digits: int) -> str:
    """A number with so many significant digits, its minus as a minus sign."""
    text = f"{value:.{digits}g}" if value else "0"
    return text.replace("-", "−").replace("inf", "∞")


def width(text: str) -> int:
    """Columns that a text takes in a terminal: combining marks take none, wide characters two."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )


def padded(text: str, size: int) -> str:
    return text + " " * (size - width(text))
