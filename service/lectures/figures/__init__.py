"""Figures as SVG: a pure function of a rendered state, one way of drawing for each kind of figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import concept, heat_map, table
from .canvas import Canvas
from .frame import document, header, notes
from .theme import THEMES

__all__ = ["DRAWERS", "THEMES", "draw"]


def numbers_table(canvas: Canvas, state: dict[str, Any]) -> float:
    return table.draw(canvas, state)


def heat_maps(canvas: Canvas, state: dict[str, Any]) -> float:
    """The heat maps, and below them whatever rows the state shows too."""
    end = heat_map.draw(canvas, state)
    return table.draw(canvas, state, end + 20)


DRAWERS: dict[str, Callable[[Canvas, dict[str, Any]], float]] = {
    "table": numbers_table,
    "heat_map": heat_maps,
    "sum": concept.two_input_sum,
    "lanes": concept.lanes,
}


def draw(state: dict[str, Any], theme: str = "auto") -> str:
    """An SVG document of a rendered state, 1280 wide and at least 720 high; `theme` is one of `THEMES`."""
    canvas = Canvas()
    header(canvas, state)
    end = DRAWERS[state["figure"]["drawing"]](canvas, state)
    return document(state, canvas, notes(canvas, state, end), theme)
