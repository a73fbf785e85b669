"""GET /lectures and below: pages as small state machines; POST recomputes a state with other numbers."""

from __future__ import annotations

from typing import Any

from flask import current_app, g, request

from ..engine.reading import as_choice
from ..lectures import Catalogue, figures, pages
from .caching import CONTENT
from .described import named
from .doorway import Blueprint
from .limits import budget
from .media import SVG
from .schemas import lectures as answers
from .schemas import requests, samples

blp = Blueprint("lectures", __name__, url_prefix="/lectures", description="Lecture pages, state by state")
LECTURE = named("lecture_id", "a lecture", "R44")
STATE = named("state_id", "one of its states", "b2")

THEME = {
    "in": "query",
    "name": "theme",
    "schema": {"type": "string", "enum": list(figures.THEMES), "default": figures.THEMES[0]},
    "description": "auto follows the reader's preference (prefers-color-scheme)",
}


def catalogue() -> Catalogue:
    """The lectures of the running service."""
    found: Catalogue = current_app.extensions["blockwalk"]["lectures"]
    return found


def chosen_theme() -> str:
    """`?theme=`, else the reader's own. Raises `InvalidRequest`."""
    return str(as_choice(request.args.get("theme", figures.THEMES[0]), "/theme", figures.THEMES))


@blp.get("")
@blp.answers(answers.Lectures, cache=CONTENT, localized=True)
def lectures() -> Any:
    """List the lectures, and those that cannot be served with what is wrong with them."""
    return pages.lectures(catalogue(), g.lang)


@blp.get("/<lecture_id>", parameters=[LECTURE])
@blp.answers(answers.LecturePage, cache=CONTENT, localized=True, refuses=[404])
def lecture(lecture_id: str) -> Any:
    """Give a page: its question, its states, its sections with their numbers filled in."""
    return pages.lecture(catalogue(), lecture_id, g.lang)


@blp.get("/<lecture_id>/states", parameters=[LECTURE])
@blp.answers(answers.LectureStates, cache=CONTENT, localized=True, refuses=[404])
def states(lecture_id: str) -> Any:
    """List the states of a page."""
    return pages.states(catalogue(), lecture_id, g.lang)


@blp.get("/<lecture_id>/states/<state_id>", parameters=[LECTURE, STATE])
@blp.answers(answers.LectureState, cache=CONTENT, localized=True, refuses=[404])
def state(lecture_id: str, state_id: str) -> Any:
    """Give one state: rows, statistics, formulas, nodes, edges, notes and links."""
    return pages.state(catalogue(), lecture_id, state_id, g.lang)


@blp.post("/<lecture_id>/states/<state_id>", parameters=[LECTURE, STATE])
@blp.takes(requests.TracePatch, examples=samples.STATE)
@blp.answers(answers.LectureState, localized=True, heavy=True, refuses=[404, 422])
def live_state(patch: dict[str, Any], lecture_id: str, state_id: str) -> Any:
    """Recompute one state with a merge patch (RFC 7396) of the lecture's trace request."""
    return pages.changed_state(catalogue(), lecture_id, state_id, g.lang, patch, budget())


@blp.get("/<lecture_id>/states/<state_id>/figure.svg", parameters=[LECTURE, STATE, THEME])
@blp.answers(media=(SVG,), cache=CONTENT, localized=True, refuses=[404, 422])
def figure_svg(lecture_id: str, state_id: str) -> Any:
    """Draw one state."""
    return pages.figure(catalogue(), lecture_id, state_id, g.lang, chosen_theme())


@blp.post("/<lecture_id>/states/<state_id>/figure.svg", parameters=[LECTURE, STATE, THEME])
@blp.takes(requests.TracePatch, examples=samples.STATE)
@blp.answers(media=(SVG,), localized=True, heavy=True, refuses=[404, 422])
def live_figure_svg(patch: dict[str, Any], lecture_id: str, state_id: str) -> Any:
    """Draw one state with the numbers that a merge patch gives."""
    drawn = pages.changed_state(catalogue(), lecture_id, state_id, g.lang, patch, budget())
    return figures.draw(drawn, chosen_theme())
