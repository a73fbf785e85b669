r"""LaTeX -> MathML, for the formulas that the service writes.

MathML is what browsers draw by themselves: in Jupyter, in VS Code, in an exported page, with no script and no
network. Known here is what formulas of blocks are made of; anything else raises `Unknown`, and the formula is
then shown as LaTeX between dollar signs, which Jupyter typesets.

>>> mathml(r"\frac{S}{\sqrt{d}}")
'<math displaystyle="true"><mfrac><mi>S</mi><msqrt><mi>d</mi></msqrt></mfrac></math>'
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, tostring

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|\S", re.DOTALL)
LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "eta": "η",
    "theta": "θ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "ϕ", "varphi": "φ", "omega": "ω", "Delta": "Δ", "Phi": "Φ", "Sigma": "Σ", "infty": "∞", "ell": "ℓ",
    "partial": "∂", "top": "⊤",
}  # fmt: skip
OPERATORS = {
    "odot": "⊙", "cdot": "·", "times": "×", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "neq": "≠", "approx": "≈", "in": "∈", "to": "→", "sum": "∑", "prod": "∏", "ldots": "…", "cdots": "⋯",
    "mid": "|", "{": "{", "}": "}", "|": "‖",
}  # fmt: skip
NAMES = {"tanh", "exp", "log", "ln", "max", "min", "sin", "cos"}
ACCENTS = {"hat": "^", "tilde": "~", "bar": "¯", "overline": "‾", "vec": "→"}
SPACES = {"\\!": "0", "\\,": "0.17em", "\\:": "0.22em", "\\;": "0.28em", "\\ ": "0.3em", "\\quad": "1em"}
MISPLACED = set("_^}&#%$~")


class Unknown(ValueError):
    """Something that this module cannot read."""


def mathml(latex: str) -> str:
    """One `<math>` element. Raises `Unknown`."""
    formula = Element("math", displaystyle="true")
    formula.extend(Reader(latex).row(until=None))
    return tostring(formula, encoding="unicode")


class Reader:
    """The tokens of one formula, read once from left to right."""

    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.tokens: list[str] = TOKEN.findall(latex)[::-1]

    def peek(self) -> str | None:
        return self.tokens[-1] if self.tokens else None

    def take(self) -> str:
        if not self.tokens:
            raise Unknown(f"{self.latex!r} ends too early")
        return self.tokens.pop()

    def row(self, until: str | None) -> list[Element]:
        """Everything before `until`, which is taken too."""
        parts = []
        while self.peek() != until:
            parts.append(self.scripted())
        if until is not None:
            self.take()
        return parts

    def scripted(self) -> Element:
        """One atom with what stands below and above it."""
        under, over = ("munder", "mover") if self.peek() in ("\\sum", "\\prod") else ("msub", "msup")
        base, scripts = self.atom(), dict[str, Element]()
        while (mark := self.peek()) is not None and mark in "_^":
            if mark in scripts:
                raise Unknown(f"{self.latex!r} has two {mark} on one base")
            self.take()
            scripts[mark] = self.argument()
        if len(scripts) == 2:
            return node(f"{under}{over[1:]}", base, scripts["_"], scripts["^"])
        for mark, script in scripts.items():
            return node(under if mark == "_" else over, base, script)
        return base

    def argument(self) -> Element:
        """What a command takes: a group in braces, or a single piece; of `\\frac12`, one digit each."""
        piece = self.peek()
        if piece is not None and piece[0].isdigit() and len(piece) > 1:
            self.tokens[-1] = piece[1:]
            return leaf("mn", piece[0])
        return self.atom()

    def atom(self) -> Element:
        piece = self.take()
        if piece == "{":
            parts = self.row(until="}")
            return parts[0] if len(parts) == 1 else node("mrow", *parts)
        if piece in SPACES:
            return node("mspace", width=SPACES[piece])
        if piece.startswith("\\"):
            return self.command(piece[1:])
        if piece[0].isdigit():
            return leaf("mn", piece)
        if piece.isalpha():
            return leaf("mi", piece)
        if piece in MISPLACED:
            raise Unknown(f"{self.latex!r}: {piece} has no meaning here")
        return leaf("mo", "−" if piece == "-" else piece)

    def command(self, name: str) -> Element:
        if name in LETTERS:
            return leaf("mi", LETTERS[name])
        if name in OPERATORS:
            return leaf("mo", OPERATORS[name])
        if name in NAMES:
            return leaf("mi", name)
        if name in ACCENTS:
            accent = leaf("mo", ACCENTS[name], stretchy="true" if name == "overline" else "false")
            return node("mover", self.argument(), accent, accent="true")
        match name:
            case "frac" | "tfrac" | "dfrac":
                return node("mfrac", self.argument(), self.argument())
            case "sqrt":
                return node("msqrt", self.argument())
            case "operatorname" | "mathrm":
                return leaf("mi", self.words(), mathvariant="normal")
            case "text":
                return leaf("mtext", self.words())
            case "left" | "right":
                return self.fence()
        raise Unknown(f"{self.latex!r}: \\{name} is not known here")

    def fence(self) -> Element:
        """A bracket that grows with what it holds; `.` stands for none."""
        mark = self.take()
        sign = OPERATORS.get(mark[1:], mark) if mark.startswith("\\") else mark
        return leaf("mo", "" if sign == "." else sign, stretchy="true")

    def words(self) -> str:
        """The text of a group."""
        if self.take() != "{":
            raise Unknown(f"{self.latex!r}: a name stands in braces")
        text = ""
        while (piece := self.take()) != "}":
            text += piece
        return text


def node(tag: str, *children: Element, **attributes: str) -> Element:
    made = Element(tag, attributes)
    made.extend(children)
    return made


def leaf(tag: str, text: str, **attributes: str) -> Element:
    made = Element(tag, attributes)
    made.text = text
    return made
