"""Is a lecture sound? Everything that is wrong with one is found here, each with the key it stands under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .. import engine
from ..errors import BlockwalkError, InvalidRequest
from .formulas import mathml
from .lines import Key
from .model import HeatMap, Lecture, Row, Variant
from .references import Fault, references, unknown
from .run import OWN_CHOICE, check_place, own_run
from .showing import all_names, plain_texts, texts
from .template import Hole, Unfillable, fill, holes
from .text import LANGUAGES
from .variants import VARIANTS, WHEN, under


def faults(lecture: Lecture) -> list[Fault]:
    """Everything that is wrong with a lecture and its variants, each with its key; none if it is sound."""
    found = faults_of_words(lecture)
    known = set(found)
    for each in lecture.variants.values():
        found += misfits(lecture, each)
        wrong = (fault for fault in faults_of_words(each.lecture) if fault not in known)
        found += [(under(each.id, key), detail) for key, detail in wrong]
    return found


def misfits(lecture: Lecture, variant: Variant) -> Iterator[Fault]:
    """A variant that says when nobody asks, or that has other states than its lecture."""
    at: Key = (VARIANTS, variant.id)
    planned, _wrong = planned_trace(lecture)
    if planned is not None and variant.fits(planned.request.block.to_data()):
        yield (*at, WHEN), "this is the lecture's own block; a variant is for another"
    for name, state in variant.lecture.states.items():
        if state.kind != lecture.states[name].kind:
            yield (*at, "states", name), f"is a {lecture.states[name].kind} state, and stays one in a variant"


def faults_of_words(lecture: Lecture) -> list[Fault]:
    """Everything that is wrong with a lecture as it reads for one block."""
    found = [*references(lecture), *links(lecture), *formulas(lecture), *unreadable(lecture)]
    planned, wrong = planned_trace(lecture)
    found += wrong
    if planned is not None:
        found += [*places(lecture, planned), *unknown_names(lecture, planned)]
    return found or list(unfillable(lecture))


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


def prose(lecture: Lecture) -> Iterator[tuple[Key, str]]:
    """Every text in each of its languages, with its key."""
    for key, text in texts(lecture):
        for lang, words in text.each().items():
            yield (*key, lang) if lang else key, words


def unreadable(lecture: Lecture) -> Iterator[Fault]:
    """Places for numbers that cannot be read."""
    for key, words in prose(lecture):
        try:
            list(holes(words))
        except ValueError as error:
            yield key, str(error)
    for key, text in plain_texts(lecture):
        for lang, words in text.each().items():
            if re.search("[{}]", words):
                yield (*key, lang) if lang else key, "no number can be quoted here: leave out the braces"


def readable(words: str) -> list[Hole]:
    """The places for numbers in a text; none in one that cannot be read, which is told elsewhere."""
    try:
        return list(holes(words))
    except ValueError:
        return []


# -- what the engine must take ---------------------------------------------------------------------


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


def unknown_names(lecture: Lecture, planned: engine.Plan) -> Iterator[Fault]:
    """Names in prose that no number has."""
    block = {f"block.{name}" for name in planned.block.to_data()}
    known = {*lecture.rows, *lecture.statistics, *block, *planned.graph.names(), *planned.graph.parameters()}
    exists = sorted(known)
    for key, words in prose(lecture):
        for hole in readable(words):
            if hole.name not in known:
                yield unknown(key, "row, statistic, step, parameter or field of the block", hole.name, exists)


def unfillable(lecture: Lecture) -> Iterator[Fault]:
    """Places in prose that have a name but no number: an element too far, a matrix that is no row."""
    try:
        run = own_run(lecture, all_names(lecture))
    except BlockwalkError as error:
        yield ("trace",), error.detail
        return
    for key, words in prose(lecture):
        for lang in LANGUAGES if key[-1] not in LANGUAGES else (str(key[-1]),):
            try:
                fill(words, run, lang)
            except Unfillable as error:
                yield key, error.detail
                break
