"""Heat maps: a matrix a panel, the number in every cell, so that shade says nothing alone."""

from __future__ import annotations

import math
from typing import Any

from .canvas import MARGIN, WIDTH, Canvas, measure
from .frame import TOP, WORDS, pill

MOST_SIDE = 12
DEEP = 0.65
"""From this shade on the number is written in the colour of the ground."""


def draw(canvas: Canvas, state: dict[str, Any]) -> float:
    """Draw the heat maps of a state side by side; returns where they end."""
    maps = state["figure"]["heat_maps"]
    gap = 56.0
    width = (WIDTH - 2 * MARGIN - gap * (len(maps) - 1)) / len(maps)
    ends = [
        panel(canvas, each, MARGIN + i * (width + gap), TOP + 8, width, state["lang"])
        for i, each in enumerate(maps)
    ]
    return max(ends)


def panel(canvas: Canvas, heat: dict[str, Any], x: float, top: float, width: float, lang: str) -> float:
    """One matrix with its labels; returns where it ends."""
    n_rows, n_columns = min(len(heat["printed"]), MOST_SIDE), min(len(heat["printed"][0]), MOST_SIDE)
    side = 28 + max(measure(label, 24) for label in heat["row_labels"][:n_rows])
    cell = min((width - side) / n_columns, 150.0)
    height = min(cell, 330 / n_rows)
    canvas.fitted(x + side, top + 24, heat["label"], 26, width - side, "strong" if heat["new"] else "")
    grid = top + 78
    for j in range(n_columns):
        canvas.text(x + side + (j + 0.5) * cell, grid - 14, heat["column_labels"][j], 24, "quiet", "middle")
    strongest = max((abs(v) for line in heat["value"] for v in numbers(line)), default=1.0) or 1.0
    for i in range(n_rows):
        canvas.text(x + side - 14, grid + (i + 0.5) * height + 9, heat["row_labels"][i], 24, "quiet", "end")
        values = list(heat["value"][i])
        for j in range(n_columns):
            square(
                canvas,
                (x + side + j * cell, grid + i * height, cell, height),
                float(values[j]) / strongest,
                heat["printed"][i][j],
            )
    canvas.box(x + side, grid, cell * n_columns, height * n_rows, "frame new" if heat["new"] else "frame", 6)
    if heat["new"]:
        pill(
            canvas, x + side + min(measure(heat["label"], 26), width - side) + 12, top + 2, WORDS[lang]["new"]
        )
    return grid + height * n_rows + 16


def numbers(line: Any) -> list[float]:
    return [float(value) for value in line if math.isfinite(value)]


def square(canvas: Canvas, at: tuple[float, float, float, float], share: float, words: str) -> None:
    """One cell: the deeper the shade, the larger the number, whatever its sign."""
    x, y, width, height = at
    share = min(1.0, abs(share)) if math.isfinite(share) else 0.0
    canvas.add(
        "rect",
        x=x + 2,
        y=y + 2,
        width=width - 4,
        height=height - 4,
        rx=6,
        class_="heat",
        fill_opacity=round(opacity(share), 3),
    )
    size = min(27.0, height * 0.5, 27 * (width - 12) / max(measure(words, 27), 1))
    canvas.text(
        x + width / 2,
        y + height / 2 + size * 0.36,
        words,
        size,
        "on-new" if share > DEEP else "strong",
        "middle",
    )


def opacity(share: float) -> float:
    """How deep the shade of a number is that is this share of the largest."""
    return 0.06 + 0.94 * share
