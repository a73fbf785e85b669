"""Hostile input against the service as it runs: each a 4xx problem, in bounded memory, and life goes on."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.hostile import bodies
from tests.serving import Served, serving

JSON = {"Content-Type": "application/json"}
NOT_JSON = list(bodies.not_json())
WRONG = list(bodies.wrong())
MEBIBYTE = 2**20


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(workers=1, log_level="error") as running:
        yield running


@pytest.fixture(autouse=True)
def answers_the_next_request_in_bounded_memory(served: Served) -> Iterator[None]:
    yield
    status, _, body = served.send("POST", "/block/trace", b'{"example":"lecture-05","select":["x"]}', JSON)
    assert (status, json.loads(body)["steps"][0]["value"]) == (200, [[1, 0, 1, 0]])
    peak = served.peak_memory()
    assert peak is None or peak < 400 * MEBIBYTE


def problem(status: int, headers: object, body: bytes) -> dict[str, object]:
    told = json.loads(body)
    assert told["status"] == status
    assert {"type", "title", "detail", "instance", "request_id", "errors"} <= set(told)
    assert len(body) < 64 * 1024
    assert b"Traceback" not in body
    return told


def test_there_are_more_than_a_hundred_hostile_bodies() -> None:
    names = [name for name, _ in [*NOT_JSON, *WRONG]]
    assert len(set(names)) == len(names) > 150


@pytest.mark.parametrize("body", [body for _, body in NOT_JSON], ids=[name for name, _ in NOT_JSON])
def test_what_is_not_json_is_a_400(served: Served, body: bytes) -> None:
    status, headers, answer = served.send("POST", "/block/trace", body, JSON)
    assert status == 400, answer
    assert headers["Content-Type"] == "application/problem+json"
    problem(status, headers, answer)


@pytest.mark.parametrize("path", ["trace", "plan", "compare"])
@pytest.mark.parametrize("body", [body for _, body in WRONG], ids=[name for name, _ in WRONG])
def test_what_is_no_request_is_a_422(served: Served, body: bytes, path: str) -> None:
    if path == "compare":
        body = b'{"variants":{"same":{}},"base":' + body + b"}"
    status, headers, answer = served.send("POST", f"/block/{path}", body, JSON)
    if path == "plan" and status == 200:  # a plan only says what the rest would cost
        assert json.loads(answer)["estimate"]["elements"] > 1000
        return
    assert status == 422, answer
    assert headers["Content-Type"] == "application/problem+json"
    problem(status, headers, answer)


@pytest.mark.parametrize(
    "path",
    [
        "/examples/..%2f..%2fetc%2fpasswd",
        "/examples/%2e%2e/%2e%2e/etc/passwd",
        "/examples/" + "a" * 3000,
        "/examples/lecture-05%00",
        "/examples/%ff%fe",
        "/docs/..%2f..%2fapp.py",
        "/docs/../app.py",
        "/docs/%2e%2e%2fdocs.py",
        "/problems/%3Cscript%3E",
        "/block/trace/",
        "//block//trace",
        "/%00",
        "/.env",
        "/.git/config",
    ],
)
def test_a_path_that_leads_nowhere_is_a_problem(served: Served, path: str) -> None:
    status, headers, answer = served.send("GET", path)
    assert 400 <= status < 500, answer
    assert headers["Content-Type"] == "application/problem+json"
    problem(status, headers, answer)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "FOO"])
def test_another_method_is_a_405_that_says_which_are_allowed(served: Served, method: str) -> None:
    status, headers, answer = served.send(method, "/block/trace")
    assert status == 405
    assert "POST" in headers["Allow"]
    problem(status, headers, answer)


def test_a_body_over_the_limit_is_a_413_that_says_the_limit(served: Served) -> None:
    status, headers, answer = served.send("POST", "/block/trace", b"[" + b"1," * 2 * MEBIBYTE, JSON)
    assert status == 413
    assert str(2 * MEBIBYTE) in str(problem(status, headers, answer)["detail"])


def spoken(served: Served, *parts: bytes) -> tuple[int, bytes, bytes]:
    """Say bytes on a socket and read what comes back: status, head, body."""
    with socket.create_connection((served.host, served.port), timeout=60) as connection:
        for part in parts:
            try:
                connection.sendall(part)
            except (BrokenPipeError, ConnectionResetError):
                break
        received = b""
        with suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                received += part
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), head, body


POST = b"POST /block/trace HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
GET = b"GET /limits HTTP/1.1\r\nHost: x\r\n"
SPOKEN = {
    "no http": b"hello\r\n\r\n",
    "no version": b"GET /limits\r\n\r\n",
    "version 9": b"GET /limits HTTP/9.9\r\nHost: x\r\n\r\n",
    "a method with a space": b"GE T /limits HTTP/1.1\r\n\r\n",
    "a request line of 100,000 bytes": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a header of 100,000 bytes": GET + b"X-A: " + b"a" * 100_000 + b"\r\n\r\n",
    "a thousand headers": GET + b"".join(b"X-%d: 1\r\n" % i for i in range(1000)) + b"\r\n",
    "a header without a colon": GET + b"nonsense\r\n\r\n",
    "a header name with a space": GET + b"X A: 1\r\n\r\n",
    "a folded header": GET + b"X-A: 1\r\n 2\r\n\r\n",
    "a nul in a header": GET + b"X-A: a\x00b\r\n\r\n",
    "two lengths": POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length below zero": POST + b"Content-Length: -1\r\n\r\n",
    "a length that is text": POST + b"Content-Length: two\r\n\r\n{}",
    "length and chunks": POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "an unknown coding": POST + b"Transfer-Encoding: rot13\r\n\r\n{}",
    "chunks of nonsense": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "chunks that end early": POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{}",
    "a chunk of 2^64 bytes": POST + b"Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n{}",
    "a body shorter than its length": POST + b"Content-Length: 100\r\n\r\n{}",
    "a length over the limit": POST + b"Content-Length: 99999999999\r\n\r\n{}",
    "an expectation": POST + b"Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}",
    "gzip announced": POST + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
    "chunks over the limit": POST
    + b"Transfer-Encoding: chunked\r\n\r\n"
    + b"".join(b"10000\r\n" + b"1" * 65536 + b"\r\n" for _ in range(40))
    + b"0\r\n\r\n",
}


@pytest.mark.parametrize("said", SPOKEN.values(), ids=SPOKEN.keys())
def test_what_is_hardly_http_is_a_problem_too(served: Served, said: bytes) -> None:
    status, head, body = spoken(served, said)
    assert 400 <= status < 500, head
    assert b"application/problem+json" in head
    told = problem(status, head, body)
    explained, _, _ = served.send("GET", str(told["type"]))
    assert explained == 200, told["type"]


def test_a_reset_in_the_middle_of_a_body_harms_nobody(served: Served) -> None:
    for _ in range(5):
        with socket.create_connection((served.host, served.port), timeout=10) as connection:
            connection.sendall(POST + b"Content-Length: 1000000\r\n\r\n" + b"[" * 1000)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
