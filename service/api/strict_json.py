"""Bytes -> plain data, strictly: what two parsers could read in two ways is refused.

orjson already refuses NaN, integers and floats beyond float64, invalid UTF-8, lone surrogates and byte order
marks. Added here: a depth far below its own, and a key that stands twice in one object.
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import orjson

from ..errors import NotJSON

STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
NOT_STRUCTURE = bytes(set(range(256)) - set(b'[]{}:"'))
STEP = np.zeros(256, dtype=np.int8)
STEP[list(b"[{")], STEP[list(b"]}")] = 1, -1


def read_json(body: bytes, max_depth: int) -> Any:
    """Parse one JSON text. Raises `NotJSON` saying what and where."""
    structure = STRING.sub(b"", body).translate(None, NOT_STRUCTURE)
    depth = deepest(structure)
    if depth > max_depth:
        raise NotJSON("the JSON is nested too deeply", expected=f"at most {max_depth} levels", got=depth)
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError as wrong:
        raise NotJSON(
            f"the body is not JSON: {wrong}",
            expected="one JSON text (RFC 8259) in UTF-8, numbers within float64",
            got=f"line {wrong.lineno}, column {wrong.colno}",
        ) from None
    if structure.count(b":") != count_keys(data):
        refuse_duplicates(body)
    return data


def deepest(structure: bytes) -> int:
    """The deepest nesting of a text of which only brackets are left; Python's own recursion plays no part."""
    steps = STEP[np.frombuffer(structure, dtype=np.uint8)]
    return int(np.cumsum(steps, dtype=np.int64).max(initial=0))


def count_keys(data: Any) -> int:
    """How many keys the parsed objects hold. A list that begins with a number holds nothing else."""
    keys, waiting = 0, [data]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            keys += len(part)
            waiting.extend(part.values())
        elif isinstance(part, list) and part and isinstance(part[0], dict | list):
            waiting.extend(part)
    return keys


def refuse_duplicates(body: bytes) -> None:
    """Raise `NotJSON` naming a key that stands twice in one object; the slow way, for something is amiss."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise NotJSON(f"the key {name[:100]!r} stands twice in one object", expected="each key once")
            found[name] = value
        return found

    json.loads(body, object_pairs_hook=unique, parse_int=float)
