"""A bounded load: a few threads, each with one kept connection, that note what became of every request."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

LONGEST_SECONDS = 900


@dataclass(frozen=True)
class Request:
    """What is sent, again and again."""

    method: str
    path: str
    body: Any = None

    @property
    def encoded(self) -> bytes | None:
        return None if self.body is None else json.dumps(self.body).encode()


TRACE = Request("POST", "/block/trace", {"example": "lecture-05"})
ROW = Request("POST", "/block/trace", {"example": "lecture-05", "select": ["norm_1.output"], "tokens": [0]})
STATE = Request("GET", "/lectures/R44/states/b2")
LIVE = Request("POST", "/lectures/R44/states/b2", {"block": {"epsilon": 0.001}})
CHECK = Request(
    "POST",
    "/checks",
    {"trace": {"example": "lecture-05"}, "step": "norm_1.mean", "tokens": [0], "answer": [1.1]},
)
GRADIENT = Request(
    "POST",
    "/block/gradient",
    {"trace": {"example": "lecture-05-reconstructed"}, "of": "output", "wrt": ["x"]},
)
PAGE = Request("GET", "/lectures/R44")
MIX = (TRACE, ROW, STATE, LIVE, CHECK, GRADIENT, PAGE, STATE)
LONG = Request(
    "POST",
    "/block/trace",
    {
        "block": {"n_heads": 8, "d_model": 1024, "d_ff": 4096},
        "seed": 1,
        "x": [[0.25] * 1024 for _ in range(200)],
        "select": ["norm_2.mean"],
        "tokens": [0],
    },
)
"""Takes a second or more: long enough to be under way when something happens."""


@dataclass
class Load:
    """`with Load(port, [TRACE]) as load: ...` sends until the block ends, and no longer than `seconds`."""

    port: int
    requests: Sequence[Request]
    threads: int = 8
    seconds: float = 60
    pause: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    refusals: list[str] = field(default_factory=list)
    """what was said in every answer but a 200"""
    lost: list[str] = field(default_factory=list)
    """requests that were sent on an open connection and not answered"""
    refused: int = 0
    """connections that nobody accepted; a thread that meets one waits a little"""

    def __enter__(self) -> Self:
        assert self.seconds <= LONGEST_SECONDS
        self.until = time.monotonic() + self.seconds
        self.lock, self.ended = threading.Lock(), threading.Event()
        self.running = [threading.Thread(target=self.send, args=(i,)) for i in range(self.threads)]
        for thread in self.running:
            thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.ended.set()
        for thread in self.running:
            thread.join(timeout=90)

    @property
    def answered(self) -> int:
        return sum(self.statuses.values())

    def wait_for(self, more: int, seconds: float = 60) -> None:
        """Go on until so many more requests have been answered."""
        goal, until = self.answered + more, time.monotonic() + seconds
        while self.answered < goal:
            assert time.monotonic() < until, (
                f"{goal - self.answered} of {more} answers are missing: {self.lost}"
            )
            time.sleep(0.01)

    def send(self, first: int) -> None:
        """One thread: request after request on one connection, a new one where that has ended."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for request in itertools.islice(itertools.cycle(self.requests), first, None):
            if self.ended.wait(self.pause) or time.monotonic() > self.until:
                break
            self.one(connection, request)
        connection.close()

    def one(self, connection: http.client.HTTPConnection, request: Request) -> None:
        try:
            if connection.sock is None:
                connection.connect()
        except OSError:
            with self.lock:
                self.refused += 1
            time.sleep(0.05)
            return
        try:
            connection.request(
                request.method, request.path, request.encoded, {"Content-Type": "application/json"}
            )
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            with self.lock:
                self.lost.append(f"{request.method} {request.path}: {error!r}")
            return
        with self.lock:
            self.statuses[answer.status] += 1
            if answer.status != 200:
                self.refusals.append(said.decode())
