"""Numbers table: one row a line, one cell a feature; what is new has a bar, a word and a thicker border."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from .canvas import MARGIN, WIDTH, Canvas, measure, wrapped
from .frame import TOP, WORDS, pill, plain

CELLS_LEFT = 500
GAP = 8
MOST_CELLS = 10
CELL = 58
PITCH = 76.0
"""From one line to the next; the same in every state, so that going on adds and moves nothing."""


def draw(canvas: Canvas, state: dict[str, Any], top: float = TOP) -> float:
    """Draw the rows, statistics and formulas of a state; returns where they end."""
    figure = state["figure"]
    columns = max([4, *(len(cells(row["printed"])) for row in figure["rows"])])
    lines = list(in_order(figure))
    for kind, items in lines:
        with canvas.group():
            new = items[0]["new"]
            if new:
                mark(canvas, top, WORDS[state["lang"]]["new"])
            if kind == "row":
                used = row(canvas, items[0], top, columns)
            elif kind == "statistics":
                used = statistics(canvas, items, top)
            else:
                label(canvas, WORDS[state["lang"]]["formula"], top, new)
                used = formula(canvas, items[0], top)
        top += max(PITCH, used + 16)
    return top


def in_order(figure: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Lines in the order in which the states brought them; statistics of one label share a line."""
    order = {name: i for i, name in enumerate(figure["builds_on"])}
    listed = [("row", each) for each in figure["rows"]]
    listed += [("statistics", each) for each in figure["statistics"]]
    listed += [("formula", each) for each in figure["formulas"]]
    listed.sort(key=lambda each: order.get(each[1]["since"], len(order)))
    for (kind, _label), items in groupby(listed, key=lambda each: (each[0], line_of(*each))):
        yield kind, [each for _kind, each in items]


def line_of(kind: str, each: dict[str, Any]) -> str:
    return str(each["label"]) if kind == "statistics" else str(each["id"])


def mark(canvas: Canvas, top: float, word: str) -> None:
    """What is new: a bar at the edge and the word, so that colour says nothing alone."""
    canvas.box(MARGIN - 24, top, 7, CELL, "bar", radius=3)
    pill(canvas, CELLS_LEFT - 40 - measure(word, 17), top + CELL / 2 - 13, word)


def label(canvas: Canvas, words: str, top: float, new: bool) -> None:
    room = CELLS_LEFT - MARGIN - (86 if new else 24)
    size = 28.0
    listed = wrapped(words, size, room)
    if len(listed) > 1:
        size = 24.0
        listed = wrapped(words, size, room)
    y = top + CELL / 2 + size * 0.36 - (len(listed) - 1) * size * 0.6
    for line in listed:
        canvas.text(MARGIN, y, line, size, "strong" if new else "")
        y += size * 1.2


def row(canvas: Canvas, each: dict[str, Any], top: float, columns: int) -> float:
    """A row's label and cells; returns the height used."""
    label(canvas, each["label"], top, each["new"])
    width = min(173.0, (WIDTH - MARGIN - CELLS_LEFT + GAP) / columns - GAP)
    printed = cells(each["printed"])
    size = min(30.0, *(30 * (width - min(22, 0.2 * width)) / max(measure(words, 30), 1) for words in printed))
    x = float(CELLS_LEFT)
    for words in printed:
        if words != "…":
            canvas.box(x, top, width, CELL, "cell new" if each["new"] else "cell")
        canvas.text(
            x + width / 2,
            top + CELL / 2 + size * 0.36,
            words,
            size,
            "strong" if each["new"] else "",
            "middle",
        )
        x += width + GAP
    if not each["detail"]:
        return CELL
    listed = wrapped(each["detail"], 22, WIDTH - MARGIN - CELLS_LEFT)
    return canvas.lines(CELLS_LEFT, top + CELL + 30, listed, 22, "quiet") - top - 20


def cells(printed: list[str]) -> list[str]:
    """The numbers of a row; of a long one, the beginning and the end."""
    return printed if len(printed) <= MOST_CELLS else [*printed[: MOST_CELLS - 3], "…", *printed[-2:]]


def statistics(canvas: Canvas, items: list[dict[str, Any]], top: float) -> float:
    """Statistics side by side under one label."""
    new = items[0]["new"]
    label(canvas, items[0]["label"], top, new)
    room = WIDTH - MARGIN - CELLS_LEFT
    width = min(354.0, (room + GAP) / len(items) - GAP)
    for i, each in enumerate(items):
        x = CELLS_LEFT + i * (width + GAP)
        canvas.box(x, top, width, CELL, "cell new" if new else "cell")
        words = f"{plain(each['symbol'])} = {each['printed']}"
        size = min(30.0, 30 * (width - 20) / measure(words, 30))
        canvas.text(
            x + width / 2, top + CELL / 2 + size * 0.36, words, size, "strong" if new else "", "middle"
        )
    return CELL


def formula(canvas: Canvas, each: dict[str, Any], top: float) -> float:
    """A formula in one line across the cells."""
    canvas.fitted(
        CELLS_LEFT,
        top + CELL / 2 + 10,
        each["text"],
        27,
        WIDTH - MARGIN - CELLS_LEFT,
        "strong" if each["new"] else "",
    )
    return CELL
