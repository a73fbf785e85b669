"""Named examples: complete trace requests, kept as data beside this file and, for lectures, in their folders.

An example is a TOML file: titles, provenance, the request, and optionally `extends`, another example that it
patches (RFC 7396). A number may be written as a closed form in a string, `"2 - w"`, with the names that
`[where]` defines; see `closed_form.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from ...errors import InvalidRequest, NotFound, UnknownName
from ..closed_form import evaluate
from ..merge import merge_patch

PRESENTATION = {"select", "tokens", "include_parameters"}
"""Fields that choose what is shown; changing them leaves the example's numbers as they are."""


@dataclass(frozen=True, slots=True)
class Example:
    """A complete body for `POST /block/trace`, what it is called, and where its numbers come from."""

    name: str
    title: Mapping[str, str]
    provenance: str
    request: Mapping[str, Any]


def names() -> list[str]:
    """The examples that exist, in alphabetical order."""
    return sorted(_sources())


def get(name: str) -> Example:
    """Return one example; raises `NotFound` naming those that exist."""
    if name not in _sources():
        raise NotFound("example", name, names())
    example = _load(name)
    return Example(name, example.title, example.provenance, deepcopy(example.request))


def register(name: str, source: Traversable) -> None:
    """Make a TOML file available as an example under this name; a lecture folder brings its own this way.

    Raises `ValueError` where another file has the name already.
    """
    if name in _shipped() or str(_extra.setdefault(name, source)) != str(source):
        raise ValueError(f"there is an example {name!r} already")


def expand(data: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Put the named example under the request's own fields; return the whole, and its provenance."""
    if data.get("example") is None:
        return {name: value for name, value in data.items() if name != "example"}, "user"
    name = data["example"]
    if not isinstance(name, str):
        raise InvalidRequest(
            "should name an example", pointer="/example", expected="string", got=type(name).__name__
        )
    if name not in _sources():
        raise UnknownName("example", name, names(), pointer="/example")
    example = _load(name)
    patch = {key: value for key, value in data.items() if key != "example"}
    provenance = example.provenance if set(patch) <= PRESENTATION else "modified"
    return merge_patch(example.request, patch), provenance


# -- loading --------------------------------------------------------------------------------------

_extra: dict[str, Traversable] = {}


@cache
def _shipped() -> dict[str, Traversable]:
    found = (each for each in files(__package__).iterdir() if each.name.endswith(".toml"))
    return {each.name.removesuffix(".toml"): each for each in found}


def _sources() -> dict[str, Traversable]:
    return _shipped() | _extra


@cache
def _load(name: str) -> Example:
    return read(name, tomllib.loads(_sources()[name].read_text(encoding="utf-8")))


def read(name: str, data: Mapping[str, Any]) -> Example:
    """Make an example of a parsed TOML file: closed forms worked out, the extended example merged in."""
    where: dict[str, float] = {}
    for symbol, form in data.get("where", {}).items():
        where[symbol] = evaluate(form, where)
    request = _numbers(data.get("request", {}), where)
    title, provenance = data.get("title", {}), data.get("provenance", "user")
    if "extends" in data:
        base = get(data["extends"])
        request = merge_patch(base.request, request)
        title, provenance = {**base.title, **title}, data.get("provenance", base.provenance)
    return Example(name, title, provenance, request)


def _numbers(value: Any, where: Mapping[str, float]) -> Any:
    """Work out closed forms wherever a string stands in an array."""
    if isinstance(value, Mapping):
        return {key: _numbers(each, where) for key, each in value.items()}
    if isinstance(value, list):
        return [_number(each, where) for each in value]
    return value


def _number(value: Any, where: Mapping[str, float]) -> Any:
    if isinstance(value, str):
        try:
            return evaluate(value, where)
        except ValueError:
            return value
    return _numbers(value, where)
