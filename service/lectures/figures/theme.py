"""Colours and type, light and dark. Each pair of text and ground has a contrast of at least 4.5 (WCAG AA)."""

from __future__ import annotations

FONTS = '"Noto Sans CJK SC","PingFang SC","Microsoft YaHei","Source Han Sans SC",sans-serif'
THEMES = ("auto", "light", "dark")

LIGHT = {
    "ground": "#ffffff",
    "panel": "#f4f6f9",
    "ink": "#17202b",
    "quiet": "#536273",
    "rule": "#cfd8e2",
    "new": "#0a5fb8",
    "new-soft": "#e3effc",
    "on-new": "#ffffff",
    "direct": "#14724f",
    "direct-soft": "#dff3ea",
    "update": "#a34a06",
    "update-soft": "#fdeedd",
}
DARK = {
    "ground": "#11171e",
    "panel": "#1a222c",
    "ink": "#e9eef4",
    "quiet": "#a3b2c2",
    "rule": "#35424f",
    "new": "#79b8ff",
    "new-soft": "#17304d",
    "on-new": "#0c1622",
    "direct": "#63d3a6",
    "direct-soft": "#153a2d",
    "update": "#f5ae66",
    "update-soft": "#43290f",
}

RULES = """
.S text { font-family: F; fill: var(--ink); font-variant-numeric: tabular-nums }
.S .ground { fill: var(--ground) }
.S .quiet { fill: var(--quiet) }
.S .strong { font-weight: 700 }
.S .accent { fill: var(--new) }
.S .stroke { fill: none; stroke-width: 3; stroke-linejoin: round }
.S .rule { stroke: var(--rule); stroke-width: 1.5 }
.S .dashed { stroke: var(--rule); stroke-width: 2; stroke-dasharray: 8 8 }
.S .cell { fill: var(--panel); stroke: var(--rule); stroke-width: 1.5 }
.S .cell.new { fill: var(--new-soft); stroke: var(--new); stroke-width: 3 }
.S .bar, .S .pill { fill: var(--new) }
.S text.on-new { fill: var(--on-new); font-weight: 700 }
.S .lane { fill: var(--panel); stroke: none }
.S .node { fill: var(--ground); stroke: var(--ink); stroke-width: 2.5 }
.S .node.kept, .S .strip.kept { fill: var(--direct-soft); stroke: var(--direct) }
.S .node.update, .S .strip.update { fill: var(--update-soft); stroke: var(--update) }
.S .node.new { stroke-width: 4.5 }
.S .strip { fill: var(--panel); stroke: var(--quiet); stroke-width: 1.5 }
.S .direct.stroke { stroke: var(--direct); stroke-width: 7 }
.S .direct.fill { fill: var(--direct) }
.S text.direct { fill: var(--direct) }
.S .update.stroke { stroke: var(--update); stroke-width: 4; stroke-dasharray: 14 7 }
.S .update.fill { fill: var(--update) }
.S text.update { fill: var(--update) }
.S .flow.stroke { stroke: var(--ink); stroke-width: 3.5 }
.S .flow.fill { fill: var(--ink) }
.S .heat { fill: var(--new) }
.S .frame { fill: none; stroke: var(--rule); stroke-width: 1.5 }
.S .frame.new { stroke: var(--new); stroke-width: 3 }
"""


def style(scope: str, theme: str) -> str:
    """The style sheet of one figure; it touches nothing outside the elements of class `scope`."""
    base = DARK if theme == "dark" else LIGHT
    rules = RULES.replace(".S ", f".{scope} ").replace("font-family: F", f"font-family: {FONTS}")
    sheet = f".{scope} {{ {variables(base)} }}"
    if theme == "auto":
        sheet += f"\n@media (prefers-color-scheme: dark) {{ .{scope} {{ {variables(DARK)} }} }}"
    return sheet + rules


def variables(colours: dict[str, str]) -> str:
    return "; ".join(f"--{name}: {value}" for name, value in colours.items())
