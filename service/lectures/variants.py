"""Other words for another block: what a lecture says instead once a patch has wired it differently.

`[variants.pre]` holds `when`, choices of the block, and any of the lecture's tables, changed where they must
be. It is a merge patch of the file, so that the variant is a whole lecture again and is checked like one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .. import engine
from .lines import Key
from .text import LANGUAGES

VARIANTS, WHEN = "variants", "when"


def overlays(data: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Each variant's name, its `when`, and the file as it reads then."""
    found = data.get(VARIANTS)
    for name, overlay in found.items() if isinstance(found, Mapping) else ():
        if isinstance(overlay, Mapping) and isinstance(overlay.get(WHEN), Mapping):
            when = dict(overlay[WHEN])
            words = {key: value for key, value in overlay.items() if key != WHEN}
            base = {key: value for key, value in data.items() if key != VARIANTS}
            yield name, when, engine.merge_patch(base, {**words, "trace": {"block": when}})


def under(name: str, key: Key) -> Key:
    """The key in the file for a key of a variant: what its trace cannot be is the fault of its `when`."""
    if key[:1] == ("trace",):
        return (VARIANTS, name, WHEN, *key[2:3]) if key[1:2] == ("block",) else (VARIANTS, name, WHEN)
    return (VARIANTS, name, *key)


def without_new_states(varied: dict[str, Any], known: Iterable[str]) -> list[tuple[Key, str]]:
    """Take out of a variant the states that its lecture does not have, and say so of each."""
    states, known = varied.get("states"), list(known)
    if not isinstance(states, Mapping):
        return []
    varied["states"] = {name: state for name, state in states.items() if name in known}
    detail = f"a variant adds no state; there is {', '.join(known) or 'none'}"
    return [(("states", name), detail) for name in states if name not in known]


def half_translated(value: Any, key: Key) -> Iterator[tuple[Key, str]]:
    """Words that a variant changes in one language only: the other would keep what is not so any more."""
    if not isinstance(value, Mapping):
        return
    missing = [lang for lang in LANGUAGES if lang not in value]
    if len(missing) == 1 and all(isinstance(value[lang], str) for lang in LANGUAGES if lang in value):
        yield (*key, missing[0]), f"the {missing[0]} text is missing"
    for name, inner in value.items():
        yield from half_translated(inner, (*key, name))
