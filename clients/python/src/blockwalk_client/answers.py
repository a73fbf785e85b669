"""The answers that are plain data, by their fields, so that editors and type checkers know them.

Each class bears the name of a schema in the service's OpenAPI document, and has its fields.
"""

from typing import Any, NotRequired, TypedDict


class Warned(TypedDict):
    """Something a reader of the numbers must know."""

    step: str
    code: str
    detail: str


class PlannedStep(TypedDict):
    """A step as it would be computed."""

    name: str
    symbol: str
    axes: list[str]
    shape: list[int]
    op: str
    inputs: list[str]
    latex: str


class Estimate(TypedDict):
    """What a trace costs."""

    elements: int
    parameter_elements: int
    bytes: int
    multiply_adds: int


class Plan(TypedDict):
    """The steps that a trace would compute, in order, and what they would cost; no values."""

    block: dict[str, Any]
    output: str
    provenance: str
    steps: list[PlannedStep]
    estimate: Estimate
    warnings: list[Warned]
    conventions: dict[str, str]
    engine: str


class ExampleEntry(TypedDict):
    """An example in the list."""

    name: str
    title: dict[str, str]
    provenance: str


class LectureEntry(TypedDict):
    """A lecture in the list; one that is not available has `reasons` and nothing to show."""

    id: str
    available: bool
    title: NotRequired[str]
    lead: NotRequired[str]
    series: NotRequired[str]
    default_state: NotRequired[str]
    links: NotRequired[dict[str, str]]
    reasons: NotRequired[list[dict[str, Any]]]


class StateEntry(TypedDict):
    """A state in the list of a page's states."""

    id: str
    kind: str
    drawing: str
    label: str
    default: bool
    links: dict[str, str]


class LectureStates(TypedDict):
    """The states of a page, in page order and in reading order."""

    lang: str
    language_note: NotRequired[dict[str, Any]]
    lecture: str
    default_state: str
    states: list[StateEntry]
    reading_order: list[str]
    links: dict[str, str]


class LecturePage(TypedDict):
    """A page: its question, its states, its sections with their numbers filled in."""

    lang: str
    language_note: NotRequired[dict[str, Any]]
    id: str
    available: bool
    title: str
    lead: str
    series: str
    default_state: str
    links: dict[str, str]
    states: list[StateEntry]
    page_order: list[str]
    reading_order: list[str]
    receives: dict[str, Any] | None
    hands_on: dict[str, Any] | None
    sections: list[dict[str, Any]]
    references: list[Any]
    further_reading: list[dict[str, Any]]
    provenance: str
    trace_request: dict[str, Any]


class LectureState(TypedDict):
    """One state of a page, with all that its figure shows."""

    lang: str
    language_note: NotRequired[dict[str, Any]]
    lecture: str
    state: str
    kind: str
    title: str
    label: str
    caption: str
    figure: dict[str, Any]
    modified: bool
    changes: list[dict[str, Any]]
    warnings: list[Warned]
    provenance: str
    trace_request: dict[str, Any]
    links: dict[str, Any]


class DiagnosisEntry(TypedDict):
    """A known mistake that gives the answer's numbers."""

    misconception: str
    misconceptions: list[str]
    explanation: str
    steps: list[str]
    distance: float


class Verdict(TypedDict):
    """An answer, judged element by element; `expected` is None unless it was to be revealed."""

    correct: bool
    score: float
    elements: Any
    expected: Any
    language_note: NotRequired[dict[str, Any]]
    diagnoses: list[DiagnosisEntry]


class GivenNumbers(TypedDict):
    """Numbers that an exercise starts from."""

    name: str
    symbol: str
    axes: list[str]
    shape: list[int]
    value: Any


class AskedFor(TypedDict):
    """One question; `client.check(**question["check"], answer=...)` has it judged."""

    step: str
    label: str
    symbol: str
    axes: list[str]
    shape: list[int]
    tokens: list[int] | None
    check: dict[str, Any]


class Exercise(TypedDict):
    """What is stated, given and asked, in the order in which it is worked."""

    language_note: NotRequired[dict[str, Any]]
    topic: str
    seed: int
    difficulty: int
    lang: str
    title: str
    statement: str
    given: list[GivenNumbers]
    asked: list[AskedFor]
    check: dict[str, Any]
    working: list[dict[str, Any]]


class MisconceptionEntry(TypedDict):
    """A known mistake: what is done, what is right, and why."""

    name: str
    done: str
    right: str
    why: str
    explanation: str
    equivalents: list[dict[str, Any]]


class Health(TypedDict):
    """That the service is there."""

    status: str
    engine: str


class ProblemKind(TypedDict):
    """What one kind of problem means."""

    type: str
    title: str
    status: int
    description: str
