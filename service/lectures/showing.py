"""What a state shows: everything of the states it comes after, then its own; and which numbers that takes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .model import HeatMap, Lecture, Row, State
from .template import holes
from .text import Text

KINDS = ("rows", "statistics", "heat_maps", "formulas", "nodes", "edges", "notes")


def line(lecture: Lecture, state: State) -> list[State]:
    """The states from the first one this comes after down to itself; a circle is cut."""
    chain = [state]
    while (before := lecture.states.get(chain[0].after or "")) is not None and before not in chain:
        chain.insert(0, before)
    return chain


def shown(lecture: Lecture, state: State, kind: str) -> dict[str, str]:
    """The ids of this kind in order of appearance, each with the state that is the first to show it."""
    seen: dict[str, str] = {}
    for each in line(lecture, state):
        for name in getattr(each, kind):
            seen.setdefault(name, each.id)
    return seen


def ids(lecture: Lecture, state: State, kind: str) -> list[str]:
    return list(shown(lecture, state, kind))


def pictures(lecture: Lecture, state: State) -> list[Row | HeatMap]:
    """Every row, statistic and heat map of a state."""
    return [
        *(lecture.rows[name] for name in ids(lecture, state, "rows")),
        *(lecture.statistics[name] for name in ids(lecture, state, "statistics")),
        *(lecture.heat_maps[name] for name in ids(lecture, state, "heat_maps")),
    ]


def prose(lecture: Lecture, state: State) -> Iterator[tuple[str, Text]]:
    """Every text of a state that may quote numbers, with the name of the place it stands in."""
    yield "the heading", state.heading
    yield "the caption", state.caption
    for name in ids(lecture, state, "notes"):
        yield f"note {name!r}", lecture.notes[name]
    for each in pictures(lecture, state):
        yield f"the label of {each.id!r}", each.label
        if isinstance(each, Row):
            yield f"the label of {each.id!r}", each.detail


def quoted(lecture: Lecture, text: Text) -> list[str]:
    """The steps and parameters whose numbers a text quotes."""
    return [
        known.step
        if (known := lecture.rows.get(hole.name) or lecture.statistics.get(hole.name))
        else hole.name
        for words in text.each().values()
        for hole in holes(words)
        if not hole.name.startswith("block.")
    ]


def quoted_rows(lecture: Lecture, text: Text) -> list[Row]:
    """The rows and statistics that a text quotes."""
    return [
        known
        for words in text.each().values()
        for hole in holes(words)
        if (known := lecture.rows.get(hole.name) or lecture.statistics.get(hole.name))
    ]


def needs(lecture: Lecture, state: State) -> dict[str, str]:
    """Each step and parameter a state needs, and the part of the page that needs it first."""
    needed: dict[str, str] = {}
    for picture in pictures(lecture, state):
        name = "heat map" if isinstance(picture, HeatMap) else "row"
        needed.setdefault(picture.step, f"{name} {picture.id!r} of state {state.id}")
    for where, text in prose(lecture, state):
        for step in quoted(lecture, text):
            needed.setdefault(step, f"a number in {where} of state {state.id}")
    return needed


def looked_at(lecture: Lecture, state: State) -> list[Row | HeatMap]:
    """Every row and heat map whose place must exist: those shown, and those quoted."""
    quotes = (row for _where, text in prose(lecture, state) for row in quoted_rows(lecture, text))
    return list(dict.fromkeys([*pictures(lecture, state), *quotes]))


def texts(lecture: Lecture) -> Iterator[tuple[tuple[str | int, ...], Text]]:
    """Every text of a lecture in which numbers may be quoted, with its key."""
    yield ("lead",), lecture.lead
    for state in lecture.states.values():
        yield ("states", state.id, "heading"), state.heading
        yield ("states", state.id, "caption"), state.caption
    for name, note in lecture.notes.items():
        yield ("notes", name), note
    for kind in ("rows", "statistics"):
        for row in getattr(lecture, kind).values():
            yield (kind, row.id, "label"), row.label
            yield (kind, row.id, "detail"), row.detail
    for heat_map in lecture.heat_maps.values():
        yield ("heat_maps", heat_map.id, "label"), heat_map.label
    for section in lecture.sections.values():
        for i, part in enumerate(section.parts):
            at = ("sections", section.id, "parts", i)
            yield (*at, "text"), part.text
            for j, point in enumerate(part.points):
                yield (*at, "points", j), point


def plain_texts(lecture: Lecture) -> Iterator[tuple[tuple[str | int, ...], Text]]:
    """Every text of a lecture that is printed as it stands, with its key."""
    yield ("title",), lecture.title
    yield ("series",), lecture.series
    for state in lecture.states.values():
        yield ("states", state.id, "label"), state.label
    for link in lecture.links.values():
        yield ("links", link.id, "label"), link.label
    for side, over in (("receives", lecture.receives), ("hands_on", lecture.hands_on)):
        if over is not None:
            yield (side, "text"), over.text
    yield from plain_titles(lecture)
    yield from plain_pictures(lecture)


def plain_titles(lecture: Lecture) -> Iterator[tuple[tuple[str | int, ...], Text]]:
    for section in lecture.sections.values():
        yield ("sections", section.id, "title"), section.title
        yield ("sections", section.id, "subtitle"), section.subtitle
        for i, part in enumerate(section.parts):
            yield ("sections", section.id, "parts", i, "title"), part.title


def plain_pictures(lecture: Lecture) -> Iterator[tuple[tuple[str | int, ...], Text]]:
    for name, lane in lecture.lanes.items():
        yield ("lanes", name), lane
    for node in lecture.nodes.values():
        yield ("nodes", node.id, "label"), node.label
        for i, detail in enumerate(node.detail):
            yield ("nodes", node.id, "detail", i), detail
    for heat_map in lecture.heat_maps.values():
        for side, pattern in (("rows", heat_map.rows), ("columns", heat_map.columns)):
            without = (re.sub(r"\{[in]\}", "", words) for words in (pattern.zh, pattern.en))
            yield ("heat_maps", heat_map.id, side), Text(*without)


def all_names(lecture: Lecture) -> list[str]:
    """Every step and parameter whose numbers the lecture shows or quotes anywhere."""
    names = [
        each.step for kind in (lecture.rows, lecture.statistics, lecture.heat_maps) for each in kind.values()
    ]
    for _key, text in texts(lecture):
        names += quoted(lecture, text)
    return list(dict.fromkeys(names))
