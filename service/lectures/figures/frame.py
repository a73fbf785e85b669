"""What every figure has: its heading above, its notes below, and its content told in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from .canvas import HEIGHT, LINE, MARGIN, WIDTH, Canvas, measure, wrapped
from .theme import style

SCOPE = "blockwalk-figure"
WORDS = {
    "zh": {
        "new": "新",
        "formula": "公式",
        "changed": "数值已改动",
        "direct": "直达路径",
        "update": "修正",
        "new_told": "（本状态新增）",
        "arrow": "到",
        "colon": "：",
        "stop": "。",
    },
    "en": {
        "new": "new",
        "formula": "formula",
        "changed": "numbers changed",
        "direct": "direct path",
        "update": "correction",
        "new_told": " (new in this state)",
        "arrow": "to",
        "colon": ": ",
        "stop": ". ",
    },
}
TOP = 158
"""Where the content of a figure begins."""


def header(canvas: Canvas, state: dict[str, Any]) -> None:
    """Which state this is, its heading, and whether its numbers were changed."""
    over = f"{state['lecture']} · {state['state']} · {state['label']}"
    canvas.text(MARGIN, 66, over, 22, "quiet")
    if state["modified"]:
        words = WORDS[state["lang"]]["changed"]
        width = measure(words, 20) + 36
        canvas.box(WIDTH - MARGIN - width, 42, width, 34, "pill", radius=17)
        canvas.text(WIDTH - MARGIN - width / 2, 66, words, 20, "on-new", "middle")
    canvas.fitted(MARGIN, 116, state["figure"]["heading"], 38, WIDTH - 2 * MARGIN, "strong")


def notes(canvas: Canvas, state: dict[str, Any], below: float) -> float:
    """Notes at the foot, or below the content if that reaches further; returns the height of the figure."""
    size = 26.0 if state["kind"] == "concept" else 23.0
    word = WORDS[state["lang"]]["new"]
    indent = measure(word, 17) + 30
    listed = [(note, note in state["figure"]["new_notes"]) for note in unattached(state["figure"])]
    room = WIDTH - 2 * MARGIN - indent
    lines = [(line, new, not i) for note, new in listed for i, line in enumerate(wrapped(note, size, room))]
    if not lines:
        return max(HEIGHT, below + MARGIN / 2)
    top = max(below + 20, HEIGHT - MARGIN + 14 - len(lines) * size * LINE)
    canvas.line((MARGIN, top), (WIDTH - MARGIN, top), class_="rule")
    left = MARGIN + (indent if any(new for _line, new, _first in lines) else 0)
    y = top + size * 1.5
    for line, new, first in lines:
        canvas.text(left, y, line, size, "" if new else "quiet")
        if new and first:
            pill(canvas, MARGIN, y - size * 0.36 - 13, word)
        y += size * LINE
    return max(HEIGHT, y - size * 0.4)


def unattached(figure: dict[str, Any]) -> list[str]:
    """The notes that do not stand beside a row or node already."""
    beside: set[str] = set()
    for each in (*figure["rows"], *figure["nodes"]):
        beside.update([each["detail"]] if isinstance(each["detail"], str) else each["detail"])
    return [note for note in figure["notes"] if note not in beside]


def pill(canvas: Canvas, x: float, y: float, word: str) -> None:
    """The word for what is new, on a ground of its own; (x, y) is its upper left corner."""
    width = measure(word, 17) + 18
    canvas.box(x, y, width, 26, "pill", 13)
    canvas.text(x + width / 2, y + 19, word, 17, "on-new", "middle")


def document(state: dict[str, Any], canvas: Canvas, height: float, theme: str) -> str:
    """The SVG document around a canvas."""
    own = f"{state['lecture']}-{state['state']}"
    lang = "zh-Hans" if state["lang"] == "zh" else "en"
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {round(height)}",
            "width": str(WIDTH),
            "height": str(round(height)),
            "class": SCOPE,
            "role": "img",
            "lang": lang,
            "aria-labelledby": f"{own}-title {own}-desc",
        },
    )
    ET.SubElement(
        svg, "title", {"id": f"{own}-title"}
    ).text = f"{state['title']} · {state['figure']['heading']}"
    ET.SubElement(svg, "desc", {"id": f"{own}-desc"}).text = "".join(told(state))
    ET.SubElement(svg, "style").text = style(SCOPE, theme)
    ground = {"width": "100%", "height": "100%", "class": "ground"}
    ET.SubElement(svg, "rect", ground)
    canvas.root.set("aria-hidden", "true")
    svg.append(canvas.root)
    return ET.tostring(svg, encoding="unicode")


def told(state: dict[str, Any]) -> Iterator[str]:
    """The figure in words: every row with its numbers, every arrow with its ends, every note."""
    figure, words = state["figure"], WORDS[state["lang"]]
    colon, stop = words["colon"], words["stop"]

    def new(each: dict[str, Any]) -> str:
        return words["new_told"] if each["new"] else ""

    for row in figure["rows"]:
        yield f"{row['label']}{new(row)}{colon}{', '.join(row['printed'])}{stop}"
    for each in figure["statistics"]:
        yield f"{each['label']}{new(each)}{colon}{plain(each['symbol'])} = {each['printed']}{stop}"
    for heat in figure["heat_maps"]:
        for label, line in zip(heat["row_labels"], heat["printed"], strict=True):
            yield f"{heat['label']}, {label}{new(heat)}{colon}{', '.join(line)}{stop}"
    for each in figure["formulas"]:
        yield f"{each['text']}{new(each)}{stop}"
    lane = {each["id"]: f"{each['label']}, " for each in figure["lanes"]}
    name = {each["id"]: f"{lane.get(each['lane'], '')}{each['label']}" for each in figure["nodes"]}
    for node in figure["nodes"]:
        yield f"{name[node['id']]}{new(node)}{stop}"
    for edge in figure["edges"]:
        yield f"{name[edge['from']]} {words['arrow']} {name[edge['to']]}{new(edge)}{stop}"
    for note in figure["notes"]:
        yield f"{note}{stop}" if note[-1] not in "。.;；" else f"{note} "


SIGNS = {r"\mu": "μ", r"\sigma^2": "σ²", r"\sigma": "σ", r"\gamma": "γ", r"\beta": "β", r"\varepsilon": "ε"}


def plain(symbol: str) -> str:
    """A LaTeX symbol as plain text, as far as plain text goes."""
    for latex, sign in SIGNS.items():
        symbol = symbol.replace(latex, sign)
    return symbol.replace("\\", "").replace("{", "").replace("}", "")
