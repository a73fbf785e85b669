"""Bytes -> plain data, strictly: what two parsers could read in two ways is refused.

orjson already refuses NaN, integers and floats beyond float64, invalid UTF-8, lone surrogates and byte order
marks. Added here: a depth far below its own, and a key that stands twice in one object. Both are looked for
in what was parsed, so that a million numbers cost no second pass over their decimals.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

import orjson

from ..errors import NotJSON

ESCAPED = b"\\u003"  # the beginning of an escaped colon


def read_json(body: bytes, max_depth: int) -> Any:
    """Parse one JSON text. Raises `NotJSON` saying what and where."""
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError as wrong:
        raise NotJSON(
            f"the body is not JSON: {wrong}",
            expected="one JSON text (RFC 8259) in UTF-8, numbers within float64",
            got=f"line {wrong.lineno}, column {wrong.colno}",
        ) from None
    depth, colons = survey(data)
    if depth > max_depth:
        refuse_depth(max_depth, depth)
    # Every colon stands in a string or after a key; where one is left over, a key was parsed away.
    if body.count(b":") != colons or (b"\\" in body and ESCAPED in body):
        refuse_duplicates(body, max_depth)
    return data


def survey(data: Any) -> tuple[int, int]:
    """The deepest nesting, and how many colons the text must have had; iterative, since depth is the danger.

    A list that begins with a number holds nothing else in any valid request and is not looked through.
    """
    deepest, colons, waiting = 0, 0, [(data, 1)]
    while waiting:
        part, depth = waiting.pop()
        if isinstance(part, str):
            colons += part.count(":")
            continue
        if isinstance(part, dict):
            colons += len(part) + sum(key.count(":") for key in part)
            inner: Any = part.values()
        elif isinstance(part, list):
            inner = part if part and isinstance(part[0], dict | list | str) else ()
        else:
            continue
        deepest = max(deepest, depth)
        waiting.extend((each, depth + 1) for each in inner)
    return deepest, colons


def refuse_duplicates(body: bytes, max_depth: int) -> None:
    """Raise `NotJSON` naming a key that stands twice in one object; the slow way, for something is amiss."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise NotJSON(f"the key {name[:100]!r} stands twice in one object", expected="each key once")
            found[name] = value
        return found

    try:
        json.loads(body, object_pairs_hook=unique, parse_int=float)
    except RecursionError:
        refuse_depth(max_depth, "deeper")


def refuse_depth(most: int, got: Any) -> NoReturn:
    raise NotJSON("the JSON is nested too deeply", expected=f"at most {most} levels", got=got)
