"""What the lecture rooms answer with, for the document."""

from __future__ import annotations

from marshmallow import fields

from ...lectures import model
from ...lectures.text import LANGUAGES
from ..fields import as_given, choice, count, flag, ref, text, texts
from .answers import PROVENANCE, Warned
from .base import Answer, Worded

ID = text(required=True)
KIND = choice(("numbers", "concept"), required=True)
DRAWING = choice(model.DRAWINGS, required=True)
SINCE = text(required=True, says="the state that is the first to show this")
TRACE_REQUEST = as_given(
    {"$ref": "#/components/schemas/TraceRequest"},
    required=True, says="a body for POST /block/trace that gives these numbers",
)  # fmt: skip


def maybe_text(says: str = "") -> fields.Field[str]:
    return text(required=True, allow_none=True, says=says)


class Localized(Worded):
    """An answer in one language, which it names."""

    lang = choice(LANGUAGES, required=True, says="the language of this answer")


class LectureLinks(Answer):
    """Where one can go from a lecture."""

    self = text(required=True)
    states = text(required=True)
    default = text(required=True, says="the state on which the page opens")


class LectureProblem(Answer):
    """Why a lecture is not served."""

    file = text(required=True)
    line = count(required=True)
    key = text(required=True)
    detail = text(required=True)


class LectureEntry(Answer):
    """A lecture in the list; one that is not available has an id and reasons only."""

    id = ID
    available = flag(required=True)
    title = text()
    lead = text(says="the question that the page asks")
    series = text()
    default_state = text()
    links = fields.Nested(LectureLinks)
    reasons = fields.List(fields.Nested(LectureProblem))


class Lectures(Localized):
    """All lectures."""

    lectures = fields.List(fields.Nested(LectureEntry), required=True)


class StateEntryLinks(Answer):
    """Where a state and its picture are."""

    self = text(required=True)
    figure = text(required=True)


class StateEntry(Answer):
    """A state in a list."""

    id = ID
    kind = KIND
    drawing = DRAWING
    label = text(required=True, says="short, for a button")
    default = flag(required=True)
    links = fields.Nested(StateEntryLinks, required=True)


class HandOver(Answer):
    """What comes from, or goes to, a neighbouring page."""

    lecture = text(required=True)
    text = text(required=True)
    row = maybe_text("the row that is handed over")
    href = maybe_text("where that page, or what stands for it, is served")


class Formula(Answer):
    """A formula in three spellings."""

    id = ID
    latex = text(required=True)
    mathml = text(required=True)
    text = text(required=True)


class ShownFormula(Formula):
    """A formula of a figure."""

    new = flag(required=True)
    since = SINCE


class QuotedRow(Answer):
    """A row or statistic as text quotes it, at six decimals."""

    id = ID
    label = text(required=True)
    symbol = text(required=True)
    step = text(required=True)
    token = count(least=0, required=True)
    value = as_given(ref("Values"), required=True)
    printed = text(required=True)


class Link(Answer):
    """Something that the service computes when asked."""

    id = ID
    label = text(required=True)
    method = choice(("GET", "POST"), required=True)
    href = text(required=True)
    body = as_given({"type": "object"}, required=True, allow_none=True)


class Part(Answer):
    """A stretch of a section."""

    title = text(required=True)
    paragraphs = texts(required=True)
    points = texts(required=True)
    formulas = fields.List(fields.Nested(Formula), required=True)
    rows = fields.List(fields.Nested(QuotedRow), required=True)
    links = fields.List(fields.Nested(Link), required=True)


class Section(Answer):
    """A section of text under the figure, its numbers filled in."""

    id = ID
    title = text(required=True)
    subtitle = text(required=True)
    parts = fields.List(fields.Nested(Part), required=True)


class Reading(Answer):
    """A reference, or something to go on with."""

    title = text(required=True)
    text = text(required=True)
    links = fields.List(fields.Nested(Link), required=True)


class LecturePage(Localized):
    """A page: its question, its states, its sections."""

    id = ID
    available = flag(required=True)
    title = text(required=True)
    lead = text(required=True, says="the question that the page asks")
    series = text(required=True)
    default_state = text(required=True)
    links = fields.Nested(LectureLinks, required=True)
    states = fields.List(fields.Nested(StateEntry), required=True)
    page_order = texts(required=True)
    reading_order = texts(required=True)
    receives = fields.Nested(HandOver, required=True, allow_none=True)
    hands_on = fields.Nested(HandOver, required=True, allow_none=True)
    sections = fields.List(fields.Nested(Section), required=True)
    references = fields.List(fields.Nested(Reading), required=True)
    further_reading = fields.List(fields.Nested(Reading), required=True)
    provenance = PROVENANCE
    trace_request = TRACE_REQUEST


class LectureStates(Localized):
    """The states of a lecture."""

    lecture = text(required=True)
    default_state = text(required=True)
    states = fields.List(fields.Nested(StateEntry), required=True)
    reading_order = texts(required=True)
    links = fields.Nested(LectureLinks, required=True)


class TraceLink(Answer):
    """Where the step can be computed with everything it rests on."""

    trace = text(required=True)


class Shown(Answer):
    """What a figure shows, and the step it comes from."""

    id = ID
    label = text(required=True)
    symbol = text(required=True, says="LaTeX")
    step = text(required=True)
    head = count(least=0)
    op = text(required=True)
    inputs = texts(required=True)
    latex = text(required=True, says="how the step is computed")
    links = fields.Nested(TraceLink, required=True)
    new = flag(required=True, says="not shown by the state before")
    since = SINCE
    value = as_given(ref("Values"), required=True, says="float64, in full")


class FigureRow(Shown):
    """One token's row."""

    token = count(least=0, required=True)
    detail = text(required=True, says="what must be said beside this row; empty if nothing")
    printed = texts(required=True, says="3 decimals, whole numbers bare, the minus is U+2212")


class Statistic(Shown):
    """One number of a token's row."""

    token = count(least=0, required=True)
    printed = text(required=True, says="6 decimals")


class HeatMap(Shown):
    """A matrix of one head."""

    row_labels = texts(required=True)
    column_labels = texts(required=True)
    printed = as_given(
        {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}, required=True
    )


class Node(Answer):
    """A box of a concept picture."""

    id = ID
    label = text(required=True)
    detail = texts(required=True)
    role = choice(model.NODE_ROLES, required=True)
    lane = maybe_text()
    new = flag(required=True)
    since = SINCE


# `from` is a keyword, so the fields stand in a dictionary.
Edge = Answer.from_dict(
    {
        "from": text(required=True),
        "to": text(required=True),
        "role": choice(model.EDGE_ROLES, required=True),
        "new": flag(required=True),
        "since": SINCE,
    },
    name="Edge",
)
Edge.__doc__ = "An arrow of a concept picture."


class Lane(Answer):
    """A lane of a concept picture."""

    id = ID
    label = text(required=True)


class Figure(Answer):
    """What is drawn."""

    drawing = DRAWING
    heading = text(required=True)
    builds_on = texts(required=True, says="the states whose content this one goes on from")
    rows = fields.List(fields.Nested(FigureRow), required=True)
    statistics = fields.List(fields.Nested(Statistic), required=True)
    heat_maps = fields.List(fields.Nested(HeatMap), required=True)
    formulas = fields.List(fields.Nested(ShownFormula), required=True)
    nodes = fields.List(fields.Nested(Node), required=True)
    edges = fields.List(fields.Nested(Edge), required=True)
    lanes = fields.List(fields.Nested(Lane), required=True)
    notes = texts(required=True)
    new_notes = texts(required=True, says="those of the notes that the state before did not have")


class Change(Answer):
    """A value of the trace request that the patch changed."""

    pointer = text(required=True)
    before = as_given({}, required=True)
    after = as_given({}, required=True)


class StateLinks(Answer):
    """Where one can go from a state; previous and next follow the reading order."""

    self = text(required=True)
    previous = maybe_text()
    next = maybe_text()
    default = text(required=True)
    figure = text(required=True)
    lecture = text(required=True)
    states = text(required=True)
    previous_lecture = maybe_text("from the first state: the page before")
    next_lecture = maybe_text("from the last state: the page after")
    trace = text(required=True)


class LectureState(Localized):
    """One state of a page, everything that a player needs to show it."""

    lecture = text(required=True)
    state = text(required=True)
    kind = KIND
    title = text(required=True, says="of the page")
    label = text(required=True, says="of the state: short, for a button")
    caption = text(required=True)
    figure = fields.Nested(Figure, required=True)
    modified = flag(required=True, says="whether a patch changed any number that was sent")
    changes = fields.List(fields.Nested(Change), required=True)
    warnings = fields.List(fields.Nested(Warned), required=True)
    provenance = PROVENANCE
    trace_request = TRACE_REQUEST
    links = fields.Nested(StateLinks, required=True)
