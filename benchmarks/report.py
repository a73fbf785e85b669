"""Results as a table for people and as JSON for machines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from .measure import Ratio
from .row import Row

Found = tuple[Row, Ratio | str]
HEAD = ("measured", "in units of", "ratio", "spread", "reach", "")


def lines(found: list[Found], *, tiny: bool) -> Iterator[str]:
    """The table, in Markdown, so that it can be copied into the README as it is."""
    table = [HEAD, tuple("-" * len(each) for each in HEAD), *(cells(*each, tiny=tiny) for each in found)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for each in table:
        padded = (cell.ljust(width) for cell, width in zip(each, widths, strict=True))
        yield "| " + " | ".join(padded) + " |"


def cells(row: Row, ratio: Ratio | str, *, tiny: bool) -> tuple[str, ...]:
    if isinstance(ratio, str):
        return (row.name, row.against, "–", "–", reach(row), ratio)
    spread = f"{number(ratio.low)}–{number(ratio.high)}" if ratio.rounds > 1 else "–"
    verdict = (
        "" if row.reach == (None, None) else "tiny" if tiny else "reached" if row.reached(ratio) else "missed"
    )
    return (row.name, row.against, number(ratio.value), spread, reach(row), verdict)


def number(value: float) -> str:
    return f"{value:.3g}" if value < 0.1 else f"{value:.2f}"


def reach(row: Row) -> str:
    least, most = row.reach
    if least is not None and most is not None:
        return f"{least:g}–{most:g}"
    return f"≤ {most:g}" if most is not None else "–" if least is None else f"≥ {least:g}"


def to_data(found: list[Found]) -> list[dict[str, Any]]:
    return [
        {"measured": row.name, "against": row.against, "reach": row.reach, "unit": row.unit}
        | (
            {"unavailable": ratio}
            if isinstance(ratio, str)
            else {"reached": row.reached(ratio), **asdict(ratio)}
        )
        for row, ratio in found
    ]
