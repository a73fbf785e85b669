"""What the doorway does, said in the OpenAPI document: noted beside each view, collected by flask-smorest."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from .caching import NEVER
from .media import JSON, LANGUAGES, SAFETENSORS, SVG
from .schemas.base import Worded

View = Callable[..., Any]

LANGUAGE = {
    "in": "query",
    "name": "lang",
    "schema": {"type": "string", "examples": list(LANGUAGES)},
    "description": "language of the answer; without one of these the best of Accept-Language, else zh",
}
FORMS: dict[str, Any] = {
    SAFETENSORS: {"type": "string", "contentMediaType": SAFETENSORS, "description": "one safetensors file"},
    SVG: {"type": "string", "contentMediaType": SVG},
}


@dataclass(frozen=True, slots=True)
class Contract:
    """What a route promises of its answers."""

    schema: Any
    media: tuple[str, ...]
    cache: str
    heavy: bool
    localized: bool
    refuses: tuple[int, ...]

    @property
    def headers(self) -> dict[str, str]:
        """Each by the name of its component."""
        names = ["X-Request-ID", "Cache-Control", "Vary"]
        names += ["ETag"] if self.cache != NEVER else []
        names += ["Content-Language"] if self.localized else []
        return {name: name for name in names}

    @property
    def errors(self) -> dict[int, str]:
        """Status -> the named response that describes it."""
        also = {401: "Unauthorized", 406: "NotAcceptable", 429: "TooManyRequests", 500: "InternalError"}
        also |= {304: "NotModified"} if self.cache != NEVER else {}
        also |= {404: "NotFound"} if 404 in self.refuses else {}
        also |= {422: "InvalidRequest"} if 422 in self.refuses else {}
        also |= {503: "Unavailable"} if self.heavy else {}
        return also


def describe_answer(view: View, contract: Contract) -> View:
    """Write down the answers of a view; its operationId is its name."""
    if contract.localized and contract.schema and not issubclass(contract.schema, Worded):
        raise TypeError(f"{view.__name__}: the answer of a localized route is a Worded")
    found = notes(view)
    for media in contract.media:
        schema = contract.schema if media == JSON else FORMS[media]
        note(found, 200, {
            "schema": schema() if isinstance(schema, type) else schema,
            "description": "OK", "headers": contract.headers, "content_type": media,
        })  # fmt: skip
    for status, name in contract.errors.items():
        note(found, status, name)
    manual = {"operationId": view.__name__} | ({"parameters": [LANGUAGE]} if contract.localized else {})
    found["manual_doc"] = found.get("manual_doc", {}) | manual
    return view


def describe_body(view: View, schema: Any) -> View:
    """Write down how a body can be refused, and what types it may have beside JSON."""
    found = notes(view)
    for status, name in (
        (400, "NotJSON"),
        (413, "BodyTooLarge"),
        (415, "UnsupportedMediaType"),
        (422, "InvalidRequest"),
    ):
        note(found, status, name)
    if also := getattr(schema, "also", ()):
        body = {"content": {media: {"schema": FORMS.get(media) or schema()} for media in also}}
        found["manual_doc"] = found.get("manual_doc", {}) | {"requestBody": body}
    return view


def named(name: str, description: str, example: str) -> dict[str, Any]:
    """The documentation of a path parameter, with a value that exists."""
    return {"in": "path", "name": name, "required": True, "description": description, "example": example}


def notes(view: View) -> dict[str, Any]:
    """flask-smorest's notes on a view, where it looks for them."""
    found: dict[str, Any] = deepcopy(getattr(view, "_apidoc", {}))
    view._apidoc = found  # type: ignore[attr-defined]  # where flask-smorest keeps them
    return found


def note(found: dict[str, Any], status: int, response: Any) -> None:
    found.setdefault("response", {}).setdefault("responses", {})[status] = [
        *found.get("response", {}).get("responses", {}).get(status, []),
        response,
    ]
