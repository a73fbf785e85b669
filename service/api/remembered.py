"""Published content, answered again as it was answered before, under a new request id.

Content is the same for everybody until the next deployment (`caching.CONTENT`), so each is rendered once for
each language, media type and query, and a caller who holds it is told so without asking anyone. Whatever has
a body, names a key or wants a part passes through to the application.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from werkzeug.wsgi import ClosingIterator

from ..engine.structure import Kept
from . import headers, seen
from .caching import CONTENT

WSGI = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

MOST_ANSWERS, LONGEST_ANSWER, LONGEST_QUESTION = 256, 64 * 1024, 1024
ASKED = (
    "SCRIPT_NAME",
    "PATH_INFO",
    "QUERY_STRING",
    "HTTP_ACCEPT",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_ORIGIN",
    "HTTP_IF_NONE_MATCH",
)
"""All that an answer to GET may depend on, and with it what the request must not have."""
PASSING = ("CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING", "HTTP_AUTHORIZATION", "HTTP_X_API_KEY", "HTTP_RANGE")
FRESH = ("x-request-id", "server-timing")


@dataclass(frozen=True, slots=True)
class Answer:
    """What was sent, without the headers that belong to one request."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    route: str


class Remembered:
    """The application, with a memory for published content."""

    def __init__(self, application: WSGI) -> None:
        self.application = application
        self.kept: Kept[Answer] = Kept(MOST_ANSWERS)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        question = asked(environ)
        if question is None:
            return self.application(environ, start_response)
        known = self.kept.known(question)
        if known is None:
            return self.answered(question, environ, start_response)
        began = perf_counter()
        request_id = headers.request_id(environ.get("HTTP_X_REQUEST_ID", ""))
        timing = seen.again(
            request_id, environ["PATH_INFO"], known.route, known.status, len(known.body), began
        )
        start_response(
            known.status, [*known.headers, ("X-Request-ID", request_id), ("Server-Timing", timing)]
        )
        return (known.body,)

    def answered(
        self, question: tuple[str, ...], environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """The application's own answer, which is kept if it is published content."""
        said: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, sent: list[tuple[str, str]], exc_info: Any = None) -> Any:
            said.append((status, sent))
            return start_response(status, sent, exc_info)

        parts = self.application(environ, start)
        status, sent = said[-1]
        if ("Cache-Control", CONTENT) not in sent or status[:3] not in ("200", "304"):
            return parts
        body = b"".join(parts)
        if len(body) <= LONGEST_ANSWER:
            own = tuple((name, value) for name, value in sent if name.lower() not in FRESH)
            self.kept.get(question, lambda: Answer(status, own, body, environ[seen.ROUTE]))
        close = getattr(parts, "close", None)
        return ClosingIterator((body,), [close] if close else [])


def asked(environ: dict[str, Any]) -> tuple[str, ...] | None:
    """What the answer depends on; None where it may depend on more, or is too long to keep."""
    if environ["REQUEST_METHOD"] != "GET" or any(environ.get(name) for name in PASSING):
        return None
    question = tuple([environ.get(name, "") for name in ASKED])
    return question if sum(map(len, question)) <= LONGEST_QUESTION else None
