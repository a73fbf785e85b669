"""Concept pictures: two inputs that meet in a sum, and lanes that stay apart."""

from __future__ import annotations

from typing import Any

from .canvas import MARGIN, WIDTH, Canvas, wrapped
from .frame import TOP, WORDS, pill

Place = tuple[float, float, float, float]
"""Centre x, centre y, width, height."""


# -- two-input sum --------------------------------------------------------------------------------

AXIS, LOWER = 300.0, 506.0
KEPT_X, UPDATE_X, SUM_X = 176.0, 430.0, 690.0


def two_input_sum(canvas: Canvas, state: dict[str, Any]) -> float:
    """What is kept runs along the axis, the update joins from below, what follows stands to the right."""
    figure = state["figure"]
    place = places(figure["nodes"])
    for edge in figure["edges"]:
        connect(canvas, place[edge["from"]], place[edge["to"]], edge, WORDS[state["lang"]])
    for each in figure["nodes"]:
        with canvas.group():
            (disc if each["role"] == "sum" else box)(canvas, each, place[each["id"]], state["lang"])
    return 590


def places(nodes: list[dict[str, Any]]) -> dict[str, Place]:
    """Where each node stands: by its role, so that a later state adds and moves nothing."""
    found: dict[str, Place] = {}
    further = [each for each in nodes if each["role"] not in ("kept", "update", "sum")]
    step = (WIDTH - MARGIN - SUM_X - 60) / max(1, len(further))
    for each in nodes:
        if each["role"] == "kept":
            found[each["id"]] = (KEPT_X, AXIS, 220, 132)
        elif each["role"] == "update":
            found[each["id"]] = (UPDATE_X, LOWER, 300, 132)
        elif each["role"] == "sum":
            found[each["id"]] = (SUM_X, AXIS, 104, 104)
        else:
            i = further.index(each)
            width = min(300.0, step - 70)
            found[each["id"]] = (SUM_X + 60 + step * i + step / 2 + 35, AXIS, width, 132)
    return found


def connect(canvas: Canvas, start: Place, end: Place, edge: dict[str, Any], words: dict[str, str]) -> None:
    (x0, y0, w0, _), (x1, y1, w1, h1) = start, end
    role = edge["role"]
    if y0 == y1:
        canvas.line((x0 + w0 / 2, y0), (x1 - w1 / 2 - 4, y1), class_=role, arrow=True)
        if role == "direct":
            canvas.text(
                (x0 + w0 / 2 + x1 - w1 / 2) / 2, y0 - 20, words["direct"], 24, "direct strong", "middle"
            )
    else:
        canvas.line((x0 + w0 / 2, y0), (x1, y0), (x1, y1 + h1 / 2 + 4), class_=role, arrow=True)
        if role == "update":
            canvas.text(x1 - 18, (y0 + y1) / 2 + 16, words["update"], 24, "update strong", "end")


def disc(canvas: Canvas, node: dict[str, Any], at: Place, lang: str) -> None:
    x, y, width, _ = at
    canvas.add("circle", cx=x, cy=y, r=width / 2, class_=f"node sum{' new' if node['new'] else ''}")
    canvas.text(x, y + 20, node["label"], 58, "strong", "middle")
    if node["new"]:
        pill(canvas, x - width / 2 - 6, y - width / 2 - 5, WORDS[lang]["new"])


def box(canvas: Canvas, node: dict[str, Any], at: Place, lang: str, size: float = 36) -> None:
    x, y, width, height = at
    new = node["new"]
    canvas.box(
        x - width / 2, y - height / 2, width, height, f"node {node['role']}{' new' if new else ''}", 16
    )
    rowed = node["role"] in ("kept", "update")
    canvas.centred(x, y - (20 if rowed else 0), node["label"], size, width - 28, "strong")
    if rowed:
        canvas.strip(x - 50, y + 18, node["role"])
    if new:
        pill(canvas, x - width / 2 + 8, y - height / 2 - 13, WORDS[lang]["new"])
    end = y + height / 2 + 40
    for each in node["detail"]:
        end = canvas.lines(x, end, wrapped(each, 23, max(width + 70, 340)), 23, "quiet", "middle") + 10


# -- lanes ----------------------------------------------------------------------------------------

LABEL_WIDTH, STRIP_WIDTH, SPACE = 168.0, 110.0, 48.0


def lanes(canvas: Canvas, state: dict[str, Any]) -> float:
    """A band for each position; nothing crosses from one to the other."""
    figure = state["figure"]
    listed = figure["lanes"]
    pitch = min(210.0, 420 / max(1, len(listed)))
    height = pitch - 34
    for i, lane in enumerate(listed):
        top = TOP + 12 + i * pitch
        y = top + height / 2
        canvas.box(MARGIN, top, WIDTH - 2 * MARGIN, height, "lane", 18)
        if i:
            canvas.line((MARGIN, top - 17), (WIDTH - MARGIN, top - 17), class_="dashed")
        canvas.fitted(MARGIN + 24, y + 10, lane["label"], 28, LABEL_WIDTH - 20, "strong")
        strip_x = MARGIN + LABEL_WIDTH + 10
        canvas.strip(strip_x, y - 11, "")
        one_lane(canvas, state, lane["id"], strip_x + STRIP_WIDTH - 10, y, height)
    return TOP + 12 + len(listed) * pitch - 20


def one_lane(canvas: Canvas, state: dict[str, Any], lane: str, x: float, y: float, height: float) -> None:
    """The nodes of a lane from left to right, an arrow from each to the next."""
    nodes = [each for each in state["figure"]["nodes"] if each["lane"] == lane]
    widths = [492.0 if each["role"] == "transform" else 272.0 for each in nodes]
    room = WIDTH - MARGIN - 24 - x - SPACE * len(nodes)
    scale = min(1.0, room / sum(widths))
    place: dict[str, Place] = {}
    at = x
    for each, width in zip(nodes, widths, strict=True):
        at += SPACE
        place[each["id"]] = (at + width * scale / 2, y, width * scale, min(96.0, height - 40))
        at += width * scale
    canvas.line((x + 6, y), (x + SPACE - 4, y), class_="flow", arrow=True)
    for edge in state["figure"]["edges"]:
        if edge["from"] in place and edge["to"] in place:
            connect(canvas, place[edge["from"]], place[edge["to"]], edge, WORDS[state["lang"]])
    for each in nodes:
        with canvas.group():
            box(canvas, each, place[each["id"]], state["lang"], 28)
