"""A lecture as data: what its folder says, read and frozen. Nothing here computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .text import NOTHING, Text

DRAWINGS = ("table", "heat_map", "sum", "lanes")
Drawing = Literal["table", "heat_map", "sum", "lanes"]
EDGE_ROLES = ("direct", "update", "flow")
NODE_ROLES = ("kept", "update", "sum", "norm", "transform", "output")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of numbers: one token's row of one step (of one head, where the step has heads).

    A statistic is a row that holds a single number.
    """

    id: str
    step: str
    token: int
    label: Text
    symbol: str
    head: int | None = None
    detail: Text = NOTHING


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A matrix of a step, one cell a number: all rows and columns of its last two axes, for one head."""

    id: str
    step: str
    label: Text
    symbol: str
    head: int | None = None
    rows: Text = NOTHING
    """What a matrix row is called, for example "x{i}": `{i}` is the index, counted from one."""
    columns: Text = NOTHING


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula, as LaTeX and as plain text. MathML is made from the LaTeX."""

    id: str
    latex: str
    text: str


@dataclass(frozen=True, slots=True)
class Node:
    """A box of a concept picture. `role` decides how it is drawn."""

    id: str
    label: Text
    role: str
    lane: str | None = None
    detail: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow of a concept picture."""

    id: str
    source: str
    target: str
    role: str


@dataclass(frozen=True, slots=True)
class State:
    """One state of a page: what it shows, and how much of that is new since the state it comes `after`."""

    id: str
    drawing: Drawing
    label: Text
    heading: Text
    caption: Text
    after: str | None = None
    rows: tuple[str, ...] = ()
    statistics: tuple[str, ...] = ()
    heat_maps: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> Literal["numbers", "concept"]:
        return "concept" if self.drawing in ("sum", "lanes") else "numbers"


@dataclass(frozen=True, slots=True)
class Link:
    """Something the service can answer itself: an address, and the body to send where it takes one."""

    id: str
    label: Text
    href: str
    body: Mapping[str, Any] | None = None

    @property
    def method(self) -> str:
        return "GET" if self.body is None else "POST"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a section: paragraphs, formulas, rows quoted at six decimals, links."""

    title: Text = NOTHING
    text: Text = NOTHING
    points: tuple[Text, ...] = ()
    formulas: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A section of text under the figure."""

    id: str
    title: Text
    parts: tuple[Part, ...]
    subtitle: Text = NOTHING


@dataclass(frozen=True, slots=True)
class HandOver:
    """What a page receives from, or hands on to, another page."""

    lecture: str
    text: Text
    row: str | None = None
    state: str | None = None
    href: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Lecture:
    """A page: its states, what they are made of, and the trace whose numbers fill it."""

    id: str
    title: Text
    lead: Text
    series: Text
    trace: Mapping[str, Any]
    default_state: str
    page_order: tuple[str, ...]
    reading_order: tuple[str, ...]
    states: Mapping[str, State]
    rows: Mapping[str, Row] = field(default_factory=dict)
    statistics: Mapping[str, Row] = field(default_factory=dict)
    heat_maps: Mapping[str, HeatMap] = field(default_factory=dict)
    formulas: Mapping[str, Formula] = field(default_factory=dict)
    nodes: Mapping[str, Node] = field(default_factory=dict)
    edges: Mapping[str, Edge] = field(default_factory=dict)
    lanes: Mapping[str, Text] = field(default_factory=dict)
    notes: Mapping[str, Text] = field(default_factory=dict)
    links: Mapping[str, Link] = field(default_factory=dict)
    sections: Mapping[str, Section] = field(default_factory=dict)
    receives: HandOver | None = None
    hands_on: HandOver | None = None
    variants: Mapping[str, Variant] = field(default_factory=dict)

    def worded(self, block: Mapping[str, Any]) -> Lecture:
        """The lecture in the words of the first variant that is made for this block; else as it is."""
        for each in self.variants.values():
            if each.fits(block):
                return each.lecture
        return self


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """The same lecture in other words, for a block with the choices of `when`."""

    id: str
    when: Mapping[str, Any]
    lecture: Lecture

    def fits(self, block: Mapping[str, Any]) -> bool:
        """Whether a block, all its fields spelled out, has every choice of `when`."""
        return all(block.get(name) == value for name, value in self.when.items())
