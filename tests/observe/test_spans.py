"""Spans reach the collector, and carry no body."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.sdk.trace import TracerProvider

from service.app import create_app
from service.observe import spans
from service.settings import Settings


@pytest.fixture
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """The address of something that takes what is sent to it, and what it took."""
    taken: list[tuple[str, bytes]] = []

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Taker) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", taken
        server.shutdown()


def test_a_request_is_a_span_and_a_probe_is_none(
    collector: tuple[str, list[tuple[str, bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, taken = collector
    made: list[TracerProvider] = []
    monkeypatch.setattr(
        spans, "TracerProvider", lambda **said: made.append(TracerProvider(**said)) or made[0]
    )
    app = create_app(Settings())
    spans.send(app, address)
    client = app.test_client()
    client.get("/health/live")
    client.post("/block/trace", json={"example": "lecture-05", "x": [[54321.5, 0, 1, 0]]})
    (provider,) = made
    provider.shutdown()
    ((path, sent),) = taken
    assert path == "/v1/traces"
    assert b"blockwalk" in sent
    assert b"/block/trace" in sent
    assert b"/health/live" not in sent
    assert b"54321" not in sent
