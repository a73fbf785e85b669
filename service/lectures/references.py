"""Do the names in a lecture lead anywhere? States, rows, nodes and links, each with its key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from .lines import Key
from .model import HandOver, Lecture, State
from .showing import KINDS, ids, line

Fault = tuple[Key, str]
MOST_NAMED = 8


def references(lecture: Lecture) -> Iterator[Fault]:
    """Every name that leads nowhere, and every part that stands where it cannot be shown."""
    yield from orders(lecture)
    for state in lecture.states.values():
        yield from state_faults(lecture, state)
    yield from edges(lecture)
    yield from sections(lecture)
    yield from hand_overs(lecture)


def unknown(key: Key, kind: str, name: str, exists: Iterable[str]) -> Fault:
    known = list(exists)
    if len(known) > MOST_NAMED:
        known = get_close_matches(name, known, MOST_NAMED, 0.5) or known
    return key, f"there is no {kind} {name!r}; there is {', '.join(known) or 'none'}"


def missing(key: Key, kind: str, names: Iterable[str], exists: Mapping[str, Any]) -> Iterator[Fault]:
    """A fault for each name of a list that is not defined, and for each that stands twice."""
    seen: set[str] = set()
    for i, name in enumerate(names):
        if name not in exists:
            yield unknown((*key, i), kind, name, exists)
        elif name in seen:
            yield (*key, i), f"{name!r} stands here twice"
        seen.add(name)


def orders(lecture: Lecture) -> Iterator[Fault]:
    if not lecture.states:
        yield ("states",), "a lecture has at least one state"
    if lecture.default_state not in lecture.states:
        yield unknown(("default_state",), "state", lecture.default_state, lecture.states)
    for order in ("page_order", "reading_order"):
        listed = getattr(lecture, order)
        yield from missing((order,), "state", listed, lecture.states)
        for name in lecture.states:
            if name not in listed:
                yield ("states", name), f"no reader can reach this state: {order} leaves it out"


def state_faults(lecture: Lecture, state: State) -> Iterator[Fault]:
    at: Key = ("states", state.id)
    for kind in KINDS:
        yield from missing((*at, kind), singular(kind), getattr(state, kind), getattr(lecture, kind))
    if state.after is not None:
        if state.after not in lecture.states:
            yield unknown((*at, "after"), "state", state.after, lecture.states)
        elif line(lecture, state)[0].after is not None:
            yield (*at, "after"), "goes round in a circle: a state cannot come after itself"
        elif lecture.states[state.after].kind != state.kind:
            yield (
                (*at, "after"),
                f"a {state.kind} state cannot go on from a {lecture.states[state.after].kind} one",
            )
    yield from misplaced_kinds(lecture, state, at)


def misplaced_kinds(lecture: Lecture, state: State, at: Key) -> Iterator[Fault]:
    """What a drawing has no place for, and what it cannot do without."""
    foreign = ("rows", "statistics", "heat_maps") if state.kind == "concept" else ("nodes", "edges")
    for kind in foreign:
        if getattr(state, kind):
            yield (*at, kind), f"a {state.drawing} drawing shows no {kind}"
    wanted = {"table": "rows", "heat_map": "heat_maps"}.get(state.drawing, "nodes")
    if not ids(lecture, state, wanted):
        yield at, f"a {state.drawing} drawing shows {wanted}; this state has none"


def edges(lecture: Lecture) -> Iterator[Fault]:
    for edge in lecture.edges.values():
        for end, name in (("from", edge.source), ("to", edge.target)):
            if name not in lecture.nodes:
                yield unknown(("edges", edge.id, end), "node", name, lecture.nodes)
    for node in lecture.nodes.values():
        if node.lane is not None and node.lane not in lecture.lanes:
            yield unknown(("nodes", node.id, "lane"), "lane", node.lane, lecture.lanes)
    for state in lecture.states.values():
        yield from loose_ends(lecture, state)


def loose_ends(lecture: Lecture, state: State) -> Iterator[Fault]:
    """Edges that touch nodes the state does not show, and nodes without the lane that a drawing needs."""
    nodes = ids(lecture, state, "nodes")
    for i, name in enumerate(state.edges):
        edge = lecture.edges.get(name)
        for end in () if edge is None else (edge.source, edge.target):
            if end in lecture.nodes and end not in nodes:
                key: Key = ("states", state.id, "edges", i)
                yield key, f"{name!r} touches {end!r}, which this state does not show"
    for name in state.nodes if state.drawing == "lanes" else ():
        if name in lecture.nodes and lecture.nodes[name].lane is None:
            yield ("nodes", name), "a lanes drawing needs to know the lane of each node"


def sections(lecture: Lecture) -> Iterator[Fault]:
    numbered = {**lecture.rows, **lecture.statistics}
    for section in lecture.sections.values():
        for i, part in enumerate(section.parts):
            at: Key = ("sections", section.id, "parts", i)
            yield from missing((*at, "formulas"), "formula", part.formulas, lecture.formulas)
            yield from missing((*at, "rows"), "row", part.rows, numbered)
            yield from missing((*at, "links"), "link", part.links, lecture.links)


def hand_overs(lecture: Lecture) -> Iterator[Fault]:
    for side in ("receives", "hands_on"):
        over: HandOver | None = getattr(lecture, side)
        if over is not None and over.row is not None and over.row not in lecture.rows:
            yield unknown((side, "row"), "row", over.row, lecture.rows)


def singular(kind: str) -> str:
    return kind.replace("_", " ").removesuffix("s") if kind != "statistics" else "statistic"
