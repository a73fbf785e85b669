"""When it is tried again, and what is raised in the end, against a server that says what it is told."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import requests
from blockwalk_client import (
    BlockwalkError,
    Client,
    RateLimited,
    ServiceUnavailable,
    transport,
)

OK = (200, {}, b'{"status": "ok", "engine": "1"}')
HANG_UP = (0, {}, b"")


def busy(status: int = 503, kind: str = "unavailable", **headers: str) -> tuple[int, dict[str, str], bytes]:
    problem = {"type": f"/problems/{kind}", "status": status, "detail": "busy", "errors": []}
    return (
        status,
        {name.replace("_", "-"): value for name, value in headers.items()},
        json.dumps(problem).encode(),
    )


class Scripted(ThreadingHTTPServer):
    """Gives the answers of its script one after the other, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.script: list[tuple[int, dict[str, str], bytes]] = []
        self.asked: list[Any] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answering(BaseHTTPRequestHandler):
    server: Scripted

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers))
        status, headers, body = self.server.script.pop(0)
        if status == 0:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body)), "X-Request-ID": "id-1"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_: Any) -> None:
        """Nothing: the test's output is the test's."""


@pytest.fixture
def server() -> Iterator[Scripted]:
    with Scripted() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits that were asked for, none of them waited."""
    asked: list[float] = []
    monkeypatch.setattr(transport, "sleep", asked.append)
    monkeypatch.setattr(transport, "uniform", lambda low, high: 0.0)
    return asked


def test_a_whole_class_does_not_come_back_at_once(
    server: Scripted, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "uniform", lambda low, high: high)
    server.script = [busy(Retry_After="60"), OK]
    Client(server.url).health_live()
    assert 60 < waits[0] < 61


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again_after_the_time_it_named(
    server: Scripted, waits: list[float], status: int
) -> None:
    server.script = [busy(status, Retry_After="60"), busy(status, Retry_After="1"), OK]
    assert Client(server.url).health_live()["status"] == "ok"
    assert waits == [60, 1]


def test_a_date_to_come_back_at_is_waited_for(server: Scripted, waits: list[float]) -> None:
    then = datetime.now(UTC) + timedelta(seconds=20)
    server.script = [busy(Retry_After=format_datetime(then, usegmt=True)), OK]
    Client(server.url).health_live()
    assert 0 < waits[0] <= 20


def test_without_a_time_the_waits_double(server: Scripted, waits: list[float]) -> None:
    server.script = [busy(), busy(Retry_After="soon"), busy(), OK]
    Client(server.url).health_live()
    assert waits == [0.5, 1, 2]


@pytest.mark.parametrize(("status", "expected"), [(429, RateLimited), (503, ServiceUnavailable)])
def test_patience_ends(
    server: Scripted, waits: list[float], status: int, expected: type[BlockwalkError]
) -> None:
    server.script = [busy(status, Retry_After="2")] * 10
    with pytest.raises(expected, match="busy") as caught:
        Client(server.url).health_live()
    assert len(server.asked) == transport.TRIES
    assert caught.value.retry_after == 2
    assert caught.value.request_id == "id-1"


def test_whoever_is_asked_to_wait_too_long_is_told_at_once(server: Scripted, waits: list[float]) -> None:
    server.script = [busy(429, Retry_After="3600")]
    with pytest.raises(RateLimited) as caught:
        Client(server.url).health_live()
    assert caught.value.retry_after == 3600
    assert waits == []


@pytest.mark.parametrize("status", [400, 404, 422, 500, 502, 504])
def test_nothing_else_is_tried_again(server: Scripted, waits: list[float], status: int) -> None:
    server.script = [busy(status, Retry_After="1")]
    with pytest.raises(BlockwalkError):
        Client(server.url).health_live()
    assert len(server.asked) == 1


def test_a_computation_that_takes_too_long_is_not_asked_for_again(
    server: Scripted, waits: list[float]
) -> None:
    server.script = [busy(503, "deadline-exceeded", Retry_After="1")]
    with pytest.raises(ServiceUnavailable):
        Client(server.url).trace("lecture-05")
    assert len(server.asked) == 1


def test_a_connection_that_breaks_is_made_again(server: Scripted, waits: list[float]) -> None:
    server.script = [HANG_UP, OK]
    assert Client(server.url).health_live()["status"] == "ok"
    assert waits == [0.5]


def test_an_answer_that_breaks_off_is_asked_for_again(server: Scripted, waits: list[float]) -> None:
    status, headers, whole = OK
    cut = (status, {**headers, "Transfer-Encoding": "chunked"}, b"ff\r\n" + whole)
    server.script = [cut, OK]
    assert Client(server.url).health_live()["status"] == "ok"
    server.script = [cut] * transport.TRIES
    with pytest.raises(ServiceUnavailable, match="broke off"):
        Client(server.url).health_live()


def test_an_address_that_moved_is_told_where_to(server: Scripted) -> None:
    server.script = [(301, {"Location": f"{server.url}/new/block/trace"}, b""), OK]
    with pytest.raises(BlockwalkError, match="/new/block/trace"):
        Client(server.url).trace("lecture-05")


def test_a_service_that_is_not_there_is_named(waits: list[float]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(ServiceUnavailable, match=url) as caught:
            Client(url).health_live()
    assert isinstance(caught.value.__cause__, requests.ConnectionError)
    assert len(waits) == transport.TRIES - 1


def test_a_slow_answer_is_waited_for_once(waits: list[float]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(ServiceUnavailable, match="no answer"):
            Client(url, timeout=0.05).health_live()
    assert waits == []


def test_an_answer_of_a_proxy_is_an_error_too(server: Scripted, waits: list[float]) -> None:
    server.script = [(502, {"Content-Type": "text/html"}, b"<h1>Bad gateway</h1>")]
    with pytest.raises(ServiceUnavailable, match="502") as caught:
        Client(server.url).health_live()
    assert caught.value.problem == {}


@pytest.mark.parametrize("body", [b"<html>", b"", b"[1]"])
def test_an_address_that_is_not_a_service_is_suspected(
    server: Scripted, waits: list[float], body: bytes
) -> None:
    server.script = [(404, {}, body)]
    with pytest.raises(BlockwalkError, match="404"):
        Client(server.url).health_live()


def test_an_answer_that_is_no_json_is_told_as_such(server: Scripted) -> None:
    server.script = [(200, {"Content-Type": "text/html"}, b"<html>")]
    with pytest.raises(BlockwalkError, match="JSON"):
        Client(server.url).health_live()


def test_the_session_of_the_caller_is_used_and_left_open(server: Scripted) -> None:
    server.script = [OK, OK]
    with requests.Session() as session:
        session.headers["Authorization"] = "Bearer class"
        with Client(server.url, session=session) as client:
            client.health_live()
        assert session.get(f"{server.url}/health/live").ok
    headers = server.asked[0][1]
    assert headers["Authorization"] == "Bearer class"
    assert headers["User-Agent"].startswith("blockwalk-client/")


def test_an_api_key_is_sent_and_not_shown(server: Scripted) -> None:
    server.script = [OK]
    client = Client(server.url, api_key="secret")
    client.health_live()
    assert server.asked[0][1]["Authorization"] == "Bearer secret"
    assert "secret" not in repr(client)


def test_an_address_may_have_a_path(server: Scripted) -> None:
    server.script = [OK]
    Client(f"{server.url}/course/blockwalk/").health_live()
    assert server.asked[0][0] == "/course/blockwalk/health/live"


@pytest.mark.parametrize("address", ["127.0.0.1:8000", "", "ftp://example.org", "http://"])
def test_an_address_that_cannot_be_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Client(address)


def test_the_language_is_asked_for(server: Scripted) -> None:
    listed = (200, {}, b'{"misconceptions": []}')
    server.script = [listed, listed, listed]
    client = Client(server.url, lang="en")
    client.misconceptions()
    client.misconceptions("zh")
    Client(server.url).misconceptions()
    assert [path for path, _ in server.asked] == [
        "/misconceptions?lang=en",
        "/misconceptions?lang=zh",
        "/misconceptions",
    ]


def test_a_request_that_cannot_be_json_is_refused_before_it_is_sent(server: Scripted) -> None:
    with pytest.raises(TypeError, match="JSON"):
        Client(server.url).trace(x={1, 2})
    assert server.asked == []
