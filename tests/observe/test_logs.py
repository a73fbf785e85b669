"""One JSON object a line, whoever logs, and never a body."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from service.app import create_app
from service.observe import logs
from service.settings import Settings


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("info", "json", stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.contextvars.clear_contextvars()


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_request_is_one_line_with_what_it_took_and_nothing_that_was_in_it(written: io.StringIO) -> None:
    body = {"example": "lecture-05", "x": [[12345.678, 0, 1, 0]]}
    create_app(Settings()).test_client().post(
        "/block/trace", json=body, headers={"X-Request-ID": "find-me", "User-Agent": "Mozilla"}
    )
    (line,) = lines(written)
    assert line["event"] == "request"
    assert (line["route"], line["status"], line["request_id"]) == ("/block/trace", 200, "find-me")
    assert line["total_ms"] >= line["compute_ms"] > 0
    assert not any(told in written.getvalue() for told in ("12345", "Mozilla", "127.0.0.1"))


def test_a_refusal_names_its_kind(written: io.StringIO) -> None:
    create_app(Settings()).test_client().post("/block/trace", data="{", content_type="application/json")
    assert lines(written)[0]["problem"] == "not-json"


def test_an_unexpected_failure_carries_the_id_of_its_request_and_its_trace(written: io.StringIO) -> None:
    app = create_app(Settings())

    @app.get("/broken")
    def broken() -> str:
        body = "private " * 2
        raise RuntimeError(f"the inside of {len(body)} letters")

    app.test_client().get("/broken", headers={"X-Request-ID": "find-me"})
    assert "private private" not in written.getvalue()
    failure, request = lines(written)
    assert failure["level"] == "error"
    assert failure["request_id"] == request["request_id"] == "find-me"
    assert "the inside" in json.dumps(failure["exception"])


def test_an_id_does_not_stay_for_the_next_request_of_the_thread(written: io.StringIO) -> None:
    client = create_app(Settings()).test_client()
    client.get("/limits", headers={"X-Request-ID": "first"})
    client.get("/limits")
    first, second = lines(written)
    assert first["request_id"] != second["request_id"]


def test_lines_of_the_standard_library_have_the_same_form(written: io.StringIO) -> None:
    logging.getLogger("gunicorn.error").warning("worker %d", 7)
    (line,) = lines(written)
    assert (line["event"], line["level"], line["logger"]) == ("worker 7", "warning", "gunicorn.error")
    assert str(line["timestamp"]).endswith("Z")


def test_text_is_for_people_and_holds_no_more(written: io.StringIO) -> None:
    stream = io.StringIO()
    logs.configure("info", "text", stream)
    body = "private " * 2
    try:
        raise RuntimeError(len(body))
    except RuntimeError:
        logging.getLogger("x").exception("hello")
    assert "hello" in stream.getvalue()
    assert "RuntimeError: 16" in stream.getvalue()
    assert "private private" not in stream.getvalue()
