"""Every error -> one problem document (RFC 9457), the same shape whoever raised it.

`type` is the address of the page that explains the kind (`GET /problems/<kind>`).
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

import numpy as np
from flask import Response, current_app, g, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect
from werkzeug.urls import iri_to_uri

from ..errors import BlockwalkError, BodyTooLarge, Fault, NotFound
from .account import account
from .tensors import dumps

PROBLEM = "application/problem+json"
LONGEST_TEXT, MOST_ITEMS, MOST_FAULTS = 2000, 200, 50
RENAMED = {
    413: "Content Too Large",
    414: "URI Too Long",
    416: "Range Not Satisfiable",
    422: "Unprocessable Content",
}
log = logging.getLogger(__name__)


def answer(error: Exception) -> Response:
    """The one answer to any exception; what is our own fault is logged with its trace and told without it."""
    match error:
        case RequestRedirect():
            return error.get_response()  # type: ignore[return-value]  # werkzeug's own class, as Flask sends it
        case HTTPException(response=Response() as ready):
            return ready
        case BlockwalkError():
            told, headers = error, dict(error.headers())
        case HTTPException():
            told, headers = translated(error), kept_headers(error)
        case _:
            log.error("unexpected failure", exc_info=error, extra={"request_id": request_id()})
            told, headers = BlockwalkError("the service failed; its log has the details"), {}
    account().problem = told.type
    response = current_app.response_class(dumps(document(told)), told.status, headers, content_type=PROBLEM)
    response.headers["Cache-Control"] = "no-store"
    return response


def document(error: BlockwalkError) -> dict[str, Any]:
    """The members of a problem document."""
    return {
        "type": f"/problems/{error.type}",
        "title": error.title,
        "status": error.status,
        "detail": shortened(error.detail),
        "instance": iri_to_uri(request.path),
        "request_id": request_id(),
        "errors": [member(fault) for fault in error.faults[:MOST_FAULTS]],
        **error.members(),
    }


def member(fault: Fault) -> dict[str, Any]:
    return {
        "pointer": shortened(fault.pointer),
        "detail": shortened(fault.detail),
        "expected": shortened(fault.expected),
        "got": shortened(fault.got),
    }


def request_id() -> str:
    """The id under which this request is logged and answered."""
    return str(g.get("request_id", ""))


class Refusal(BlockwalkError):
    """What the framework refuses before our code is asked: a wrong method, an unknown address, and so on."""

    def __init__(self, status: HTTPStatus, detail: str) -> None:
        self.type = slug(status)
        self.title = phrase(status)
        self.status = status.value
        super().__init__(detail)


def translated(error: HTTPException) -> BlockwalkError:
    """An exception of werkzeug's in our words."""
    where = f"{request.method} {iri_to_uri(request.path)}"
    match error.code:
        case 404:
            return Refusal(
                HTTPStatus.NOT_FOUND, f"{where}: nothing lives here; GET /openapi.json lists what does"
            )
        case 405:
            allowed = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
            return Refusal(HTTPStatus.METHOD_NOT_ALLOWED, f"{where}: this address answers to {allowed}")
        case 413:
            limit = request.max_content_length
            return BodyTooLarge(
                f"the body is longer than {limit} bytes", expected=limit, got=request.content_length
            )
        case code:
            return Refusal(HTTPStatus(code or 500), error.description or "")


def kept_headers(error: HTTPException) -> dict[str, str]:
    """Allow, Retry-After, WWW-Authenticate and the like; the body's own headers are ours."""
    ours = ("content-type", "content-length")
    return {name: value for name, value in error.get_headers() if name.lower() not in ours}


def shortened(value: Any) -> Any:
    """Expected and got are told in full where they are short: an error never carries a body back."""
    match value:
        case str() if len(value) > LONGEST_TEXT:
            return value[:LONGEST_TEXT] + "…"
        case np.ndarray():
            return f"an array of shape {list(value.shape)}"
        case Mapping() if len(value) > MOST_ITEMS or not all(map(is_scalar, value.values())):
            return f"an object with {len(value)} members"
        case Mapping():
            return {shortened(str(key)): shortened(item) for key, item in value.items()}
        case list() | tuple() if len(value) > MOST_ITEMS or not all(map(is_scalar, value)):
            return f"an array of {len(value)} elements"
        case list() | tuple():
            return [shortened(item) for item in value]
        case _ if is_scalar(value):
            return value
        case _:
            return shortened(str(value))


def is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | bool | int | float | np.generic)


def explained(kind: str) -> dict[str, Any]:
    """What one kind of problem means. Raises `NotFound` naming the kinds that there are."""
    known = {each.type: each for each in family(BlockwalkError)}
    if kind in known:
        of = known[kind]
        return {"type": kind, "title": of.title, "status": of.status, "description": inspect.getdoc(of) or ""}
    statuses = {slug(status): status for status in HTTPStatus if status >= 400}
    if kind in statuses:
        of_status = statuses[kind]
        return {
            "type": kind, "title": phrase(of_status), "status": of_status.value,
            "description": of_status.description or phrase(of_status),
        }  # fmt: skip
    raise NotFound("kind of problem", kind, sorted({*known, *statuses}))


def family(of: type[BlockwalkError]) -> Iterator[type[BlockwalkError]]:
    """A class and everything derived from it."""
    yield of
    for each in of.__subclasses__():
        yield from family(each)


def phrase(status: HTTPStatus) -> str:
    """The status in the words of RFC 9110, which older Pythons do not have."""
    return RENAMED.get(status.value, status.phrase)


def slug(status: HTTPStatus) -> str:
    return phrase(status).lower().replace(" ", "-").replace("'", "")
