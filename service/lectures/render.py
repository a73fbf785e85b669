"""A state as plain data: a pure function of the lecture, the state, the language and the run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import printing
from .formulas import mathml
from .model import Edge, HeatMap, Lecture, Node, Row, State
from .remarks import remarks
from .run import Run
from .showing import line, needs, shown
from .template import fill
from .text import Text

TRACE = "/block/trace"
Seen = dict[str, Any]
"""Whether something is new in a state, and the state that was the first to show it."""


def state(lecture: Lecture, of: State, lang: str, run: Run) -> dict[str, Any]:
    """Everything a state shows."""
    return {
        "lecture": lecture.id,
        "state": of.id,
        "lang": lang,
        "kind": of.kind,
        "title": lecture.title.in_(lang),
        "label": of.label.in_(lang),
        "caption": say(of.caption, lang, run, of),
        "figure": Figure(lecture, of, lang, run).data(),
        "modified": run.modified,
        "changes": [change.to_data() for change in run.changes],
        "warnings": list(run.trace.warnings),
        "provenance": run.provenance,
        "trace_request": trace_request(lecture, of, run),
    }


def say(text: Text, lang: str, run: Run, of: State) -> str:
    """A text of a state with its numbers in. Raises `Unfillable` naming the row and the state."""
    return fill(text.in_(lang), run, lang, f"state {of.id} of lecture {run.lecture.id}")


class Figure:
    """What is drawn, part by part; the words are looked up in one language and filled from one run."""

    def __init__(self, lecture: Lecture, of: State, lang: str, run: Run) -> None:
        self.lecture, self.of, self.lang, self.run = lecture, of, lang, run

    def say(self, text: Text) -> str:
        return say(text, self.lang, self.run, self.of)

    def shown(self, kind: str) -> Iterator[tuple[Any, Seen]]:
        """What the state shows of a kind, and since when."""
        defined = getattr(self.lecture, kind)
        for name, since in shown(self.lecture, self.of, kind).items():
            yield defined[name], {"new": since == self.of.id, "since": since}

    def data(self) -> dict[str, Any]:
        return {
            "drawing": self.of.drawing,
            "heading": self.say(self.of.heading),
            "builds_on": [each.id for each in line(self.lecture, self.of)[:-1]],
            "rows": [self.row(row, seen) for row, seen in self.shown("rows")],
            "statistics": [self.statistic(row, seen) for row, seen in self.shown("statistics")],
            "heat_maps": [self.heat_map(each, seen) for each, seen in self.shown("heat_maps")],
            "formulas": [
                {**formula(each.latex, each.text), "id": each.id, **seen}
                for each, seen in self.shown("formulas")
            ],
            "nodes": [self.node(node, seen) for node, seen in self.shown("nodes")],
            "edges": [self.edge(edge, seen) for edge, seen in self.shown("edges")],
            "lanes": self.lanes(),
            "notes": self.notes(),
            "new_notes": [self.say(note) for note, seen in self.shown("notes") if seen["new"]],
        }

    def source(self, picture: Row | HeatMap) -> dict[str, Any]:
        """Where numbers come from: the step, how it is computed and from what."""
        step = self.run.trace.step(picture.step)
        return {
            "step": picture.step,
            **({"token": picture.token} if isinstance(picture, Row) else {}),
            **({"head": picture.head} if picture.head is not None else {}),
            "op": step.op,
            "inputs": list(step.inputs),
            "latex": step.latex,
            "links": {"trace": TRACE},
        }

    def row(self, row: Row, seen: Seen) -> dict[str, Any]:
        value = self.run.row(row)
        return {
            "id": row.id,
            "label": self.say(row.label),
            "detail": self.say(row.detail),
            "symbol": row.symbol,
            **self.source(row),
            **seen,
            "value": value,
            "printed": [printing.in_row(each) for each in value.tolist()],
        }

    def statistic(self, row: Row, seen: Seen) -> dict[str, Any]:
        value = float(self.run.row(row))
        return {
            "id": row.id,
            "label": self.say(row.label),
            "symbol": row.symbol,
            **self.source(row),
            **seen,
            "value": value,
            "printed": printing.scalar(value),
        }

    def heat_map(self, picture: HeatMap, seen: Seen) -> dict[str, Any]:
        value = self.run.matrix(picture)
        n_rows, n_columns = value.shape
        return {
            "id": picture.id,
            "label": self.say(picture.label),
            "symbol": picture.symbol,
            **self.source(picture),
            **seen,
            "row_labels": named(picture.rows.in_(self.lang), n_rows),
            "column_labels": named(picture.columns.in_(self.lang), n_columns),
            "value": value,
            "printed": [[printing.in_row(each) for each in cells] for cells in value.tolist()],
        }

    def node(self, node: Node, seen: Seen) -> dict[str, Any]:
        return {
            "id": node.id,
            "label": node.label.in_(self.lang),
            "detail": [each.in_(self.lang) for each in node.detail],
            "role": node.role,
            "lane": node.lane,
            **seen,
        }

    def edge(self, edge: Edge, seen: Seen) -> dict[str, Any]:
        return {"from": edge.source, "to": edge.target, "role": edge.role, **seen}

    def lanes(self) -> list[dict[str, str]]:
        used = {node.lane for node, _new in self.shown("nodes")}
        return [
            {"id": name, "label": text.in_(self.lang)}
            for name, text in self.lecture.lanes.items()
            if name in used
        ]

    def notes(self) -> list[str]:
        """Every remark: first those that belong to a row or node, which repeats them as its `detail`."""
        own = [row.detail for row, _new in self.shown("rows")]
        own += [text for node, _new in self.shown("nodes") for text in node.detail]
        own += [note for note, _new in self.shown("notes")]
        return [*filter(None, map(self.say, own)), *self.remarks()]

    def remarks(self) -> list[str]:
        """What must be said beside changed numbers; a concept picture is about the whole block."""
        steps = self.run.rewired if self.of.kind == "concept" else needs(self.lecture, self.of)
        return remarks(self.run, steps, self.lang)


def named(pattern: str, n: int) -> list[str]:
    """`x{i}` -> x₁, x₂, ...; without a pattern the bare index, counted from one."""
    subscripts = [str(i).translate(printing.SUBSCRIPTS) for i in range(1, n + 1)]
    return [
        (pattern or "{n}").replace("{i}", each).replace("{n}", str(i + 1))
        for i, each in enumerate(subscripts)
    ]


def formula(latex: str, text: str) -> dict[str, Any]:
    return {"latex": latex, "mathml": mathml(latex), "text": text}


def trace_request(lecture: Lecture, of: State, run: Run) -> dict[str, Any]:
    """A complete body for POST /block/trace that answers with the steps this state shows."""
    steps = list(needs(lecture, of))
    return {**run.request, **({"select": steps} if steps else {})}
