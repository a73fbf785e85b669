"""From parsed TOML to a lecture, with everything that is wrong in its form told at once."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from marshmallow import ValidationError

from .lines import Key
from .model import Lecture
from .schema import NO_KEY, NO_LANGUAGE, LectureForm
from .text import LANGUAGES


def read(lecture_id: str, data: Mapping[str, Any]) -> Lecture:
    """Make a lecture of parsed TOML. Raises `ValidationError`; `flat` lists what is in it."""
    lecture: Lecture = LectureForm(context_id=lecture_id).load(data)
    return lecture


def read_all(lecture_id: str, data: Mapping[str, Any]) -> tuple[Lecture | None, list[tuple[Key, str]]]:
    """The lecture, and everything wrong in its form, each with its key.

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
