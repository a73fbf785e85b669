"""How a trace looks in a notebook: a table of steps with formulas and small heat maps of their numbers.

Text keeps the colour of the page and cells are tinted, so that light and dark themes both work. Nothing is
loaded, no script runs.

Every formula is there twice. As MathML (see `mathml.py`) browsers draw it themselves: in a notebook, in VS
Code, in an exported page. JupyterLab strips MathML and style sheets from a notebook that it does not trust
yet, but keeps inline styles and typesets LaTeX between dollar signs. So the style sheet, where it survives,
shows the MathML and hides the LaTeX; where it does not, the inline styles do the opposite.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable, Mapping
from html import escape, unescape
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from . import arrays
from .mathml import Unknown, mathml

if TYPE_CHECKING:
    from .tensor import Tensor

MOST_ROWS, MOST_COLUMNS, MOST_GRIDS = 6, 8, 4
NAMED_BY_FORMULA = ("given", "parameter", "gradient")
"""Operations whose formula is the whole name of what they give."""
STYLE = """<style>
.blockwalk{font-variant-numeric:tabular-nums;overflow-x:auto;max-width:100%}
.blockwalk>table{border-collapse:collapse;margin:0;font-size:13px}
.blockwalk>table>caption{text-align:left;padding:4px 8px;font-weight:600;white-space:nowrap}
.blockwalk>table>thead th{text-align:left;border-bottom:1px solid #8888;padding:4px 8px;font-weight:600}
.blockwalk>table>tbody>tr{background:none}
.blockwalk>table>tbody>tr>*{text-align:left;vertical-align:middle;padding:5px 8px;
border-bottom:1px solid #8883;font-weight:400;white-space:nowrap}
.blockwalk .mathml{display:inline!important}
.blockwalk .latex{display:none}
.blockwalk math{font-size:115%}
.blockwalk .axes{opacity:.75;font-size:12px}
.blockwalk .grids{display:flex;flex-wrap:wrap;gap:6px 14px;align-items:flex-start;max-width:760px}
.blockwalk .grids>table{margin:0!important}
.blockwalk .grid{border-collapse:separate;border-spacing:1px;font-size:12px;margin:0}
.blockwalk .grid caption{font-size:11px;opacity:.75;text-align:left;padding:0 0 2px;white-space:nowrap}
.blockwalk .grid td{text-align:right;padding:1px 6px;border:0;border-radius:2px}
.blockwalk .more{opacity:.75;font-size:12px}
.blockwalk .warning{margin:6px 8px;font-size:13px}
</style>"""
LEFT = 'style="text-align:left;white-space:nowrap"'
WARM, COOL = "230,120,20", "40,120,220"


def trace_html(
    tensors: Mapping[str, Tensor], title: str = "", warnings: Iterable[Mapping[str, str]] = ()
) -> str:
    """A table with a row for each tensor."""
    rows = "".join(row(name, tensor) for name, tensor in tensors.items())
    warned = "".join(
        f'<p class="warning">⚠ <code>{escape(each["step"])}</code>: {escape(each["detail"])}</p>'
        for each in warnings
    )
    caption = f"<caption {LEFT}>{escape(title)}</caption>" if title else ""
    names = "".join(f"<th {LEFT}>{name}</th>" for name in ("step", "formula", "axes", "value"))
    head = f"<thead><tr>{names}</tr></thead>"
    return f'{STYLE}<div class="blockwalk"><table>{caption}{head}<tbody>{rows}</tbody></table>{warned}</div>'


def tensor_html(of: Tensor) -> str:
    """The table of one tensor."""
    return trace_html({of.name: of})


def picture_html(svg: str) -> str:
    """A picture as wide as the page allows, told in the SVG's own words to those who cannot see it."""
    told = " ".join(re.findall(r"<(?:title|desc)\b[^>]*>(.*?)</(?:title|desc)>", svg, re.DOTALL)[:2])
    source = base64.b64encode(svg.encode()).decode()
    alt = escape(unescape(told).strip())
    return f'<img style="max-width:100%" alt="{alt}" src="data:image/svg+xml;base64,{source}">'


def row(name: str, of: Tensor) -> str:
    return (
        f'<tr><th scope="row" {LEFT}><code>{escape(name)}</code></th><td {LEFT}>{equation(of)}</td>'
        f'<td class="axes" {LEFT}>{axes(of)}</td><td {LEFT}>{numbers(of)}</td></tr>'
    )


def equation(of: Tensor) -> str:
    """The symbol, and what it is computed from."""
    latex = of.formula if of.op in NAMED_BY_FORMULA else f"{of.symbol} = {of.formula}"
    typeset = f"${escape(latex)}$"
    try:
        drawn = mathml(latex)
    except Unknown:
        return typeset
    return f'<span class="mathml" style="display:none">{drawn}</span><span class="latex">{typeset}</span>'


def axes(of: Tensor) -> str:
    sizes = [f"{escape(axis)} {size}" for axis, size in zip(of.axes, of.shape, strict=True)]
    return " × ".join(sizes) or "a number"


# -- numbers --------------------------------------------------------------------------------------


def numbers(of: Tensor) -> str:
    """Heat maps: a grid for the last two axes, side by side along the axes before them."""
    if math.prod(of.shape) == 0:
        return '<span class="more">no numbers</span>'
    outer, inner = of.shape[:-2], of.shape[-2:]
    places = list(islice(product(*map(range, outer)), MOST_GRIDS))
    corners = [corner(of.value, place) for place in places]
    look = Look([n for rows in corners for row in rows for n in row if math.isfinite(n)])
    grids = [
        grid(rows, look, inner, ", ".join(f"{axis} {i}" for axis, i in zip(of.axes, place, strict=False)))
        for rows, place in zip(corners, places, strict=True)
    ]
    if math.prod(outer) > len(places):
        grids.append(f'<span class="more">… {math.prod(outer)} in all</span>')
    return f'<div class="grids">{"".join(grids)}</div>'


def corner(value: Any, place: Iterable[int]) -> list[list[float]]:
    """The first rows and columns of the matrix at this place; a vector is one row, a number one cell."""
    for index in place:
        value = value[index]
    depth = len(arrays.shape_of(value))
    matrix = {0: [[value]], 1: [value]}.get(depth, value)
    return [[float(n) for n in row[:MOST_COLUMNS]] for row in matrix[:MOST_ROWS]]


def grid(rows: list[list[float]], look: Look, shape: tuple[int, ...], label: str) -> str:
    """One heat map; what does not fit is hinted at."""
    height, width = (1, 1, *shape)[-2:]
    right = "<td>…</td>" if width > MOST_COLUMNS else ""
    body = "".join(f"<tr>{''.join(look.cell(n) for n in row)}{right}</tr>" for row in rows)
    below = '<tr><td style="text-align:left">⋮</td></tr>' if height > MOST_ROWS else ""
    caption = f"<caption {LEFT}>{escape(label)}</caption>" if label else ""
    return f'<table class="grid" style="display:inline-block;margin:0 8px 0 0">{caption}{body}{below}</table>'


class Look:
    """How the numbers of one tensor are printed and tinted, so that they can be compared at a glance."""

    def __init__(self, numbers: list[float]) -> None:
        self.scale = max(map(abs, numbers), default=0.0)
        if all(n == int(n) for n in numbers) and self.scale < 1e6:
            self.form = ".0f"
        else:
            self.form = ".4f" if 1e-2 <= self.scale < 1e5 else ".3e"

    def cell(self, number: float) -> str:
        """A number on its tint: warm above zero, cool below, the stronger the larger."""
        share = abs(number) / self.scale if self.scale and math.isfinite(number) else 0.0
        colour = f"rgba({WARM if number > 0 else COOL},{0.55 * share:.2f})"
        tint = f' style="background:{colour}"' if share else ""
        return f'<td{tint} title="{number!r}">{self.printed(number)}</td>'

    def printed(self, number: float) -> str:
        if math.isinf(number):
            return "∞" if number > 0 else "−∞"
        return "0" if number == 0 else format(number, self.form).replace("-", "−")
