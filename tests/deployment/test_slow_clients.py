"""Clients that send by the byte wait in nginx; everyone else is served as if they were not there."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.deployment.load import MIX, Load
from tests.deployment.stack import PATIENT, nginx
from tests.serving import serving

pytestmark = pytest.mark.deployment
HALVES = (
    b"POST /block/trace HTTP/1.1\r\nHost: x\r\nContent-Ty",
    b"POST /block/trace HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 44\r\n\r\n{",
)
N = 200


def test_two_hundred_half_sent_requests_hold_up_nobody(tmp_path: Path) -> None:
    with (
        serving(workers=1, threads=8, **PATIENT) as served,
        nginx(tmp_path, [served.port]) as port,
        ExitStack() as slow,
    ):
        sockets = [
            slow.enter_context(socket.create_connection(("127.0.0.1", port), timeout=40)) for _ in range(N)
        ]
        for i, each in enumerate(sockets):
            each.sendall(HALVES[i % 2])
        with Load(port, MIX, threads=4) as load:
            load.wait_for(200)
        assert load.lost == []
        assert load.refusals == []
        assert let_go(sockets) == N


def let_go(sockets: list[socket.socket]) -> int:
    """How many of them nginx ends, each with a problem or without a word."""
    until, ended = time.monotonic() + 40, 0
    for each in sockets:
        each.settimeout(max(0.1, until - time.monotonic()))
        try:
            said = each.recv(65536)
        except ConnectionResetError:
            said = b""
        assert said == b"" or b"application/problem+json" in said
        ended += 1
    return ended
