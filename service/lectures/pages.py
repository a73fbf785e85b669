"""The list of lectures, a lecture's page and the list of its states, as plain data in one language."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .. import engine
from . import figures, printing, render
from .catalogue import Catalogue, Unavailable
from .model import HandOver, Lecture, Link, Part, Section, State
from .render import formula
from .run import Run
from .template import fill
from .text import Text


def lectures(catalogue: Catalogue, lang: str) -> dict[str, Any]:
    """Every lecture: those that are served, and those that are not, with the reasons."""
    served = [entry(each, lang, catalogue.own(each.id)) for each in catalogue.lectures.values()]
    return {"lang": lang, "lectures": [*served, *map(unavailable, catalogue.unavailable)]}


def entry(lecture: Lecture, lang: str, run: Run) -> dict[str, Any]:
    return {
        "id": lecture.id,
        "available": True,
        "title": lecture.title.in_(lang),
        "lead": fill(lecture.lead.in_(lang), run, lang),
        "series": lecture.series.in_(lang),
        "default_state": lecture.default_state,
        "links": lecture_links(lecture),
    }


def unavailable(broken: Unavailable) -> dict[str, Any]:
    return {"id": broken.id, "available": False, "reasons": [each.to_data() for each in broken.problems]}


def lecture(catalogue: Catalogue, lecture_id: str, lang: str) -> dict[str, Any]:
    """A page: what it asks, its states in both orders, its sections with their numbers filled in."""
    of, run = catalogue.lecture(lecture_id), catalogue.own(lecture_id)
    texts = {name: section(each, of, lang, run) for name, each in of.sections.items()}
    return {
        **entry(of, lang, run),
        "lang": lang,
        "states": [state_entry(of, of.states[name], lang) for name in of.page_order],
        "page_order": list(of.page_order),
        "reading_order": list(of.reading_order),
        "receives": hand_over(of.receives, catalogue, lang),
        "hands_on": hand_over(of.hands_on, catalogue, lang),
        "sections": list(texts.values()),
        "references": points(texts, "references"),
        "further_reading": points(texts, "further_reading"),
        "provenance": run.provenance,
        "trace_request": dict(of.trace),
    }


@lru_cache(maxsize=256)
def state(catalogue: Catalogue, lecture_id: str, state_id: str, lang: str) -> dict[str, Any]:
    """One state with the lecture's own numbers. Made once and shared: not to be altered."""
    of, shown = catalogue.state(lecture_id, state_id)
    return {**render.state(of, shown, lang, catalogue.own(lecture_id)), "links": links(catalogue, of, shown)}


@lru_cache(maxsize=256)
def figure(catalogue: Catalogue, lecture_id: str, state_id: str, lang: str, theme: str) -> str:
    """The picture of a state with the lecture's own numbers, as an SVG document. Drawn once."""
    return figures.draw(state(catalogue, lecture_id, state_id, lang), theme)


def changed_state(
    catalogue: Catalogue, lecture_id: str, state_id: str, lang: str, patch: Any, budget: engine.Budget
) -> dict[str, Any]:
    """One state with the numbers that a merge patch of the lecture's trace request gives."""
    of, shown = catalogue.state(lecture_id, state_id)
    run = catalogue.changed(of, shown, patch, budget)
    worded = run.lecture.states[shown.id]
    return {**render.state(run.lecture, worded, lang, run), "links": links(catalogue, of, shown)}


def links(catalogue: Catalogue, of: Lecture, shown: State) -> dict[str, str | None]:
    """Where one can go from a state; previous and next follow the reading order."""
    base, order = f"/lectures/{of.id}", of.reading_order
    at = order.index(shown.id)
    first, last = at == 0, at == len(order) - 1
    return {
        "self": f"{base}/states/{shown.id}",
        "previous": None if first else f"{base}/states/{order[at - 1]}",
        "next": None if last else f"{base}/states/{order[at + 1]}",
        "default": f"{base}/states/{of.default_state}",
        "figure": f"{base}/states/{shown.id}/figure.svg",
        "lecture": base,
        "states": f"{base}/states",
        "previous_lecture": neighbour(of.receives, catalogue) if first else None,
        "next_lecture": neighbour(of.hands_on, catalogue) if last else None,
        "trace": render.TRACE,
    }


def states(catalogue: Catalogue, lecture_id: str, lang: str) -> dict[str, Any]:
    """The states in page order, and the order in which they are read."""
    of = catalogue.lecture(lecture_id)
    return {
        "lecture": of.id,
        "lang": lang,
        "default_state": of.default_state,
        "states": [state_entry(of, of.states[name], lang) for name in of.page_order],
        "reading_order": list(of.reading_order),
        "links": lecture_links(of),
    }


def state_entry(of: Lecture, state: State, lang: str) -> dict[str, Any]:
    address = f"/lectures/{of.id}/states/{state.id}"
    return {
        "id": state.id,
        "kind": state.kind,
        "drawing": state.drawing,
        "label": state.label.in_(lang),
        "default": state.id == of.default_state,
        "links": {"self": address, "figure": f"{address}/figure.svg"},
    }


def lecture_links(of: Lecture) -> dict[str, str]:
    base = f"/lectures/{of.id}"
    return {"self": base, "states": f"{base}/states", "default": f"{base}/states/{of.default_state}"}


# -- sections -------------------------------------------------------------------------------------


def section(of: Section, lecture: Lecture, lang: str, run: Run) -> dict[str, Any]:
    return {
        "id": of.id,
        "title": of.title.in_(lang),
        "subtitle": of.subtitle.in_(lang),
        "parts": [part(each, lecture, lang, run) for each in of.parts],
    }


def part(of: Part, lecture: Lecture, lang: str, run: Run) -> dict[str, Any]:
    def say(text: Text) -> str:
        return fill(text.in_(lang), run, lang)

    return {
        "title": of.title.in_(lang),
        "paragraphs": [each.strip() for each in say(of.text).split("\n\n") if each.strip()],
        "points": [say(each) for each in of.points],
        "formulas": [
            {"id": name, **formula(lecture.formulas[name].latex, lecture.formulas[name].text)}
            for name in of.formulas
        ],
        "rows": [quoted(name, lecture, lang, run) for name in of.rows],
        "links": [link(lecture.links[name], lang) for name in of.links],
    }


def quoted(name: str, lecture: Lecture, lang: str, run: Run) -> dict[str, Any]:
    """A row or statistic as text quotes it, at six decimals, with where it comes from."""
    row = lecture.rows.get(name) or lecture.statistics[name]
    value = run.row(row)
    return {
        "id": row.id,
        "label": fill(row.label.in_(lang), run, lang),
        "symbol": row.symbol,
        "step": row.step,
        "token": row.token,
        "value": value if value.ndim else float(value),
        "printed": printing.in_text(value.tolist()) if value.ndim else printing.scalar(float(value)),
    }


def link(of: Link, lang: str) -> dict[str, Any]:
    return {
        "id": of.id,
        "label": of.label.in_(lang),
        "method": of.method,
        "href": of.href,
        "body": None if of.body is None else dict(of.body),
    }


def points(texts: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The references, or the further reading, as a plain list: each point and each part with a text."""
    listed = []
    for each in texts.get(name, {}).get("parts", ()):
        text = "\n\n".join(each["paragraphs"])
        listed += [{"title": each["title"], "text": text, "links": each["links"]}] if text else []
        listed += [{"title": each["title"], "text": point, "links": []} for point in each["points"]]
    return listed


def hand_over(of: HandOver | None, catalogue: Catalogue, lang: str) -> dict[str, Any] | None:
    """The neighbouring page; its address is known if this service serves it."""
    if of is None:
        return None
    href = neighbour(of, catalogue) or of.href
    return {"lecture": of.lecture, "text": of.text.in_(lang), "row": of.row, "href": href}


def neighbour(of: HandOver | None, catalogue: Catalogue) -> str | None:
    """The address of a neighbouring page, at the state where it is entered; None if it is not served here."""
    other = None if of is None else catalogue.lectures.get(of.lecture)
    if of is None or other is None:
        return None
    state = of.state if of.state in other.states else other.default_state
    return f"/lectures/{other.id}/states/{state}"
