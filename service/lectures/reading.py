"""From parsed TOML to a lecture, with everything that is wrong in its form told at once."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from marshmallow import ValidationError

from .lines import Key
from .model import Lecture, Variant
from .schema import NO_KEY, NO_LANGUAGE, LectureForm
from .text import LANGUAGES
from .variants import VARIANTS, half_translated, overlays, under, without_new_states


def read(lecture_id: str, data: Mapping[str, Any]) -> Lecture:
    """Make a lecture of parsed TOML. Raises `ValidationError`; `flat` lists what is in it."""
    lecture: Lecture = LectureForm(context_id=lecture_id).load(data)
    return lecture


def read_all(lecture_id: str, data: Mapping[str, Any]) -> tuple[Lecture | None, list[tuple[Key, str]]]:
    """The lecture with its variants, and everything wrong in their form, each with its key."""
    lecture, wrong = read_form(lecture_id, data)
    if lecture is None:
        return None, wrong
    known, variants = set(wrong), dict[str, Variant]()
    for name, when, varied in overlays(data):
        wrong += [(under(name, key), detail) for key, detail in without_new_states(varied, lecture.states)]
        other, faulty = read_form(lecture_id, varied)
        wrong += [(under(name, key), detail) for key, detail in faulty if (key, detail) not in known]
        if other is not None:
            variants[name] = Variant(name, when, other)
    halves = half_translated(data.get(VARIANTS, {}), (VARIANTS,))
    wrong += [fault for fault in halves if fault not in wrong]
    return replace(lecture, variants=variants), wrong


def read_form(lecture_id: str, data: Mapping[str, Any]) -> tuple[Lecture | None, list[tuple[Key, str]]]:
    """The lecture without its variants, and everything wrong in its form.

    Superfluous keys and missing translations do not stand in the way: there is a lecture even so, for further
    checks. There is none only where what remains has no form at all.
    """
    try:
        return read(lecture_id, data), []
    except ValidationError as error:
        wrong = flat(error.messages)
    try:
        return read(lecture_id, mended(data, wrong)), wrong
    except (ValidationError, LookupError, TypeError):
        return None, wrong


def mended(data: Mapping[str, Any], wrong: list[tuple[Key, str]]) -> dict[str, Any]:
    """A copy without superfluous keys, and with a dot for each missing translation."""
    copy: dict[str, Any] = deepcopy(dict(data))
    for key, detail in wrong:
        table: Any = copy
        for part in key[:-1]:
            table = table[part]
        if detail in (NO_KEY, NO_LANGUAGE):
            del table[key[-1]]
        elif key[-1] in LANGUAGES:
            table[key[-1]] = "."
    return copy


def flat(messages: Any, key: Key = ()) -> list[tuple[Key, str]]:
    """Everything that is wrong, each with the path of its key."""
    if isinstance(messages, Mapping):
        found: list[tuple[Key, str]] = []
        for part, inner in messages.items():
            found += flat(inner, key if part == "_schema" else (*key, part))
        return found
    return [(key, str(message)) for message in messages]
