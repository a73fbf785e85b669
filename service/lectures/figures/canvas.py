"""A few strokes of SVG: shapes with classes, text that is measured and wrapped. Colours are the theme's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unicodedata import combining, east_asian_width
from xml.etree import ElementTree as ET

WIDTH, HEIGHT, MARGIN = 1280, 720, 56
LINE = 1.36
"""Height of a line of text, in font sizes."""


class Canvas:
    """Elements in the order in which they are painted."""

    def __init__(self) -> None:
        self.root = ET.Element("g")
        self.open = [self.root]

    def add(self, tag: str, text: str = "", **attributes: Any) -> ET.Element:
        """One element; underscores in attribute names stand for hyphens, `class_` for class."""
        named = {
            name.rstrip("_").replace("_", "-"): number(value)
            for name, value in attributes.items()
            if value is not None and value != ""
        }
        element = ET.SubElement(self.open[-1], tag, named)
        element.text = text or None
        return element

    def group(self, **attributes: Any) -> Group:
        """Everything drawn inside `with` lies in one group."""
        return Group(self, self.add("g", **attributes))

    # -- shapes -----------------------------------------------------------------------------------

    def box(self, x: float, y: float, width: float, height: float, class_: str, radius: float = 10) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, rx=radius, class_=class_)

    def line(self, *points: tuple[float, float], class_: str, arrow: bool = False) -> None:
        """A line through points, with rounded joints; an arrow has its tip at the last one."""
        if arrow:
            points = (*points[:-1], shortened(points[-2], points[-1], 12))
        path = "M" + " L".join(f"{number(x)} {number(y)}" for x, y in points)
        self.add("path", d=path, class_=f"{class_} stroke")
        if arrow:
            self.tip(points[-2], points[-1], class_)

    def tip(self, before: tuple[float, float], at: tuple[float, float], class_: str) -> None:
        """The tip of an arrow: drawn, not a marker, so that two figures on one page share no ids."""
        (x0, y0), (x, y) = before, at
        length = max(1e-9, ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5)
        u, v = (x - x0) / length, (y - y0) / length
        corners = [(x + 13 * u, y + 13 * v), (x - 6 * u - 10 * v, y - 6 * v + 10 * u)]
        corners.append((x - 6 * u + 10 * v, y - 6 * v - 10 * u))
        path = "M" + " L".join(f"{number(a)} {number(b)}" for a, b in corners) + " Z"
        self.add("path", d=path, class_=f"{class_} fill")

    def strip(self, x: float, y: float, class_: str, cells: int = 4, size: float = 22) -> None:
        """A row of small squares: one token's features."""
        for i in range(cells):
            self.box(x + i * (size + 4), y, size, size, f"strip {class_}", radius=4)

    # -- text -------------------------------------------------------------------------------------

    def text(
        self, x: float, y: float, words: str, size: float, class_: str = "", anchor: str = "start"
    ) -> None:
        """One line of text with its baseline at y."""
        anchored = None if anchor == "start" else anchor
        self.add("text", words, x=x, y=y, font_size=size, class_=class_, text_anchor=anchored)

    def fitted(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        width: float,
        class_: str = "",
        anchor: str = "start",
    ) -> None:
        """One line, made smaller where it would be wider than `width`."""
        self.text(x, y, words, min(size, size * width / max(measure(words, size), 1)), class_, anchor)

    def lines(
        self, x: float, y: float, listed: Iterable[str], size: float, class_: str = "", anchor: str = "start"
    ) -> float:
        """Lines of text, the first with its baseline at y; returns the baseline of the line after them."""
        for words in listed:
            self.text(x, y, words, size, class_, anchor)
            y += size * LINE
        return y

    def centred(
        self, x: float, y: float, words: str, size: float, width: float, class_: str = "", most: int = 2
    ) -> None:
        """Text in the middle of a box: wrapped up to `most` lines, smaller if that is not enough."""
        listed = wrapped(words, size, width)
        while len(listed) > most and size > 12:
            size -= 1
            listed = wrapped(words, size, width)
        top = y - (len(listed) - 1) * size * LINE / 2 + size * 0.36
        self.lines(x, top, listed, size, class_, "middle")


class Group:
    """Opens a group of a canvas and closes it again."""

    def __init__(self, canvas: Canvas, element: ET.Element) -> None:
        self.canvas, self.element = canvas, element

    def __enter__(self) -> ET.Element:
        self.canvas.open.append(self.element)
        return self.element

    def __exit__(self, *_: object) -> None:
        self.canvas.open.pop()


def number(value: Any) -> str:
    """A coordinate in as few characters as it takes."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def shortened(start: tuple[float, float], end: tuple[float, float], by: float) -> tuple[float, float]:
    """The end of a line, drawn back a little."""
    (x0, y0), (x, y) = start, end
    length = max(1e-9, ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5)
    return x - (x - x0) / length * by, y - (y - y0) / length * by


# -- measuring ------------------------------------------------------------------------------------

NARROW, WIDE = set("ijlt.,:;|!'()[]{}·’ "), set("mwMW@—")


def measure(words: str, size: float) -> float:
    """About how wide a line is; no font can be asked, so it is a little generous."""
    return size * sum(map(advance, words))


def advance(sign: str) -> float:
    if combining(sign):
        return 0
    if east_asian_width(sign) in "WF":
        return 1.0
    if sign in NARROW:
        return 0.32
    return 0.9 if sign in WIDE else 0.66 if sign.isupper() else 0.57


def wrapped(words: str, size: float, width: float) -> list[str]:
    """Lines no wider than `width`: broken between words, and between Chinese characters."""
    lines, line = [], ""
    for piece in pieces(words):
        if line and measure(line + piece.rstrip(), size) > width:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


NO_START = set("，。；：、！？）》”’,.;:!?)")


def pieces(words: str) -> list[str]:
    """Where a line may be broken: after a blank, and beside a wide character that is no closing sign."""
    found: list[str] = []
    for sign in words:
        wide = east_asian_width(sign) in "WF"
        joins = bool(found) and (
            sign in NO_START
            or not (found[-1].endswith(" ") or wide or east_asian_width(found[-1][-1]) in "WF")
        )
        if joins and not (sign == " " and not found):
            found[-1] += sign
        else:
            found.append(sign)
    return found
