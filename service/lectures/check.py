"""Is a lecture sound? Everything that is wrong with one is found here, each with the key it stands under."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from itertools import chain
from typing import Any

from .. import engine
from ..errors import BlockwalkError, InvalidRequest
from .formulas import mathml
from .lines import Key
from .model import HandOver, HeatMap, Lecture, Row, State
from .run import OWN_CHOICE, Run, Vanished, check_place, own_run
from .showing import KINDS, all_names, ids, line, texts
from .template import fill, holes

Fault = tuple[Key, str]
MOST_NAMED = 8


def faults(lecture: Lecture) -> list[Fault]:
    """Everything that is wrong with a lecture, each with its key; none if it can be served."""
    found = [
        *orders(lecture),
        *chain.from_iterable(state_faults(lecture, state) for state in lecture.states.values()),
        *edges(lecture),
        *sections(lecture),
        *links(lecture),
        *hand_overs(lecture),
        *formulas(lecture),
        *unreadable(lecture),
    ]
    planned, wrong = planned_trace(lecture)
    found += wrong
    if planned is not None:
        misplaced = list(places(lecture, planned))
        found += misplaced
        if not found:
            found += numbers(lecture, planned)
    return found


# -- names that must exist ------------------------------------------------------------------------


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


def links(lecture: Lecture) -> Iterator[Fault]:
    """Links that lead nowhere, and bodies that the engine would refuse."""
    for link in lecture.links.values():
        at: Key = ("links", link.id)
        if not link.href.startswith(("/", "https://")) or link.href.startswith("//"):
            yield (*at, "href"), "begins with / for an address of this service, or with https://"
        if link.href == "/block/trace":
            yield from refused(link.body or {}, (*at, "body"))
        elif link.body is not None and "trace" in link.body:
            yield from refused(link.body["trace"], (*at, "body", "trace"))


def refused(request: Any, at: Key) -> Iterator[Fault]:
    """Why a trace request cannot be planned."""
    try:
        engine.plan(engine.TraceRequest.from_data(request))
    except BlockwalkError as error:
        for each in error.faults:
            yield (*at, *pointed(each.pointer)), each.detail


def hand_overs(lecture: Lecture) -> Iterator[Fault]:
    for side in ("receives", "hands_on"):
        over: HandOver | None = getattr(lecture, side)
        if over is not None and over.row is not None and over.row not in lecture.rows:
            yield unknown((side, "row"), "row", over.row, lecture.rows)


def singular(kind: str) -> str:
    return kind.replace("_", " ").removesuffix("s") if kind != "statistics" else "statistic"


# -- what must be readable ------------------------------------------------------------------------


def formulas(lecture: Lecture) -> Iterator[Fault]:
    written = [(("formulas", each.id, "latex"), each.latex) for each in lecture.formulas.values()]
    for kind in ("rows", "statistics", "heat_maps"):
        written += [((kind, each.id, "symbol"), each.symbol) for each in getattr(lecture, kind).values()]
    for key, latex in written:
        try:
            mathml(latex)
        except ValueError as error:
            yield key, str(error)


def unreadable(lecture: Lecture) -> Iterator[Fault]:
    """Places for numbers that cannot be read."""
    for key, text in texts(lecture):
        for lang, words in text.each().items():
            try:
                list(holes(words))
            except ValueError as error:
                yield (*key, lang) if lang else key, str(error)


# -- numbers that must exist ----------------------------------------------------------------------


def planned_trace(lecture: Lecture) -> tuple[engine.Plan | None, list[Fault]]:
    """The plan of the lecture's own trace, or why there is none."""
    shown = [
        (("trace", name), "a lecture chooses its steps by its rows")
        for name in OWN_CHOICE
        if name in lecture.trace
    ]
    if shown:
        return None, list[Fault](shown)
    wrong = list(refused(lecture.trace, ("trace",)))
    return (None if wrong else engine.plan(engine.TraceRequest.from_data(lecture.trace))), wrong


def pointed(pointer: str) -> Key:
    """A JSON pointer as a key path."""
    parts = (part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
    return tuple(int(part) if part.isdecimal() else part for part in parts)


def places(lecture: Lecture, planned: engine.Plan) -> Iterator[Fault]:
    """Rows whose step, token or head does not exist."""
    for kind in ("rows", "statistics", "heat_maps"):
        for picture in getattr(lecture, kind).values():
            key: Key = (kind, picture.id)
            if picture.step not in planned.graph:
                yield unknown((*key, "step"), "step", picture.step, planned.graph.names())
                continue
            detail = misfit(lecture, picture, kind)
            if detail:
                yield key, detail


def misfit(lecture: Lecture, picture: Row | HeatMap, kind: str) -> str:
    """Why a picture cannot be cut out of its step; nothing if it can."""
    request = replace(engine.TraceRequest.from_data(lecture.trace), select=(picture.step,))
    try:
        planned = engine.plan(request)
        axes, shape = planned.axes(picture.step), planned.shapes[picture.step]
        check_place(picture, axes, shape)
    except InvalidRequest as error:
        return error.detail
    single = all(axis in ("token", "query", "head", "kv_head") for axis in axes)
    if kind == "statistics" and not single:
        return f"a statistic is a single number, but {picture.step} has axes {', '.join(axes)}"
    if kind == "rows" and single:
        return f"a row has several numbers, but {picture.step} has one a token; list it under statistics"
    return ""


def numbers(lecture: Lecture, planned: engine.Plan) -> Iterator[Fault]:
    """Places in prose that no number can fill."""
    block = {f"block.{name}" for name in planned.block.to_data()}
    known = {*lecture.rows, *lecture.statistics, *block, *planned.graph.names(), *planned.graph.parameters()}
    absent = [
        (
            (*key, lang) if lang else key,
            f"{{{hole.name}}}: no row, statistic, step, parameter or field of the block is called so",
        )
        for key, text in texts(lecture)
        for lang, words in text.each().items()
        for hole in holes(words)
        if hole.name not in known
    ]
    if absent:
        yield from absent
        return
    try:
        run = own_run(lecture, all_names(lecture))
    except BlockwalkError as error:
        yield ("trace",), error.detail
        return
    yield from unfillable(lecture, run)


def unfillable(lecture: Lecture, run: Run) -> Iterator[Fault]:
    for key, text in texts(lecture):
        for lang, words in text.each().items():
            try:
                fill(words, run, lang or "zh")
            except (ValueError, Vanished) as error:
                yield (*key, lang) if lang else key, str(error)
            except KeyError as error:
                yield (*key, lang) if lang else key, f"there is nothing called {error.args[0]!r} to quote"
