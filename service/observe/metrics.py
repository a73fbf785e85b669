"""Counts for Prometheus, kept across worker processes in files in memory, answered on a port of their own.

Every worker counts in files named by its number, which its successor takes over: a worker that is replaced
adds no file, and a count never falls. The space of a file is taken when the worker starts, because a page
that cannot be had later would kill the process that writes to it; without space a worker serves and counts
nothing.
"""

from __future__ import annotations

import logging
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client import CollectorRegistry, Counter, Histogram, make_wsgi_app, values
from prometheus_client.exposition import ThreadingWSGIServer
from prometheus_client.multiprocess import MultiProcessCollector

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"  # where prometheus-client looks
FILE_BYTES = 1024 * 1024
KINDS = ("counter", "histogram")
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25)
log = logging.getLogger(__name__)


class Counts:
    """The metrics themselves; `on` says whether this process counts."""

    def __init__(self) -> None:
        mine = CollectorRegistry()
        self.on = False
        self.requests = Counter(
            "blockwalk_requests", "Requests answered", ("method", "route", "status"), registry=mine
        )
        self.seconds = Histogram(
            "blockwalk_request_seconds", "Seconds to answer", ("route",), buckets=SECONDS, registry=mine
        )
        self.waited = Histogram(
            "blockwalk_wait_seconds", "Seconds waited for a turn", ("route",), buckets=SECONDS, registry=mine
        )
        self.units = Counter("blockwalk_cost_units", "Cost units charged", ("caller",), registry=mine)
        self.rejections = Counter(
            "blockwalk_rejections", "Requests refused, by kind of problem", ("kind",), registry=mine
        )
        self.steps = Counter("blockwalk_steps", "Steps computed", ("op",), registry=mine)
        self.engine = Counter(
            "blockwalk_engine_seconds", "Seconds in the engine, by kind of step", ("op",), registry=mine
        )

    def request(self, *, method: str, route: str, status: int, seconds: float, waited: float) -> None:
        """Count one answered request."""
        if self.on:
            self.requests.labels(method, route, str(status)).inc()
            self.seconds.labels(route).observe(seconds)
            if waited:
                self.waited.labels(route).observe(waited)

    def spent(self, caller: str, units: int) -> None:
        """Count what a caller was charged."""
        if self.on:
            self.units.labels(caller).inc(units)

    def refused(self, kind: str) -> None:
        """Count one refusal."""
        if self.on:
            self.rejections.labels(kind).inc()

    def computed(self, times: Mapping[str, tuple[int, float]]) -> None:
        """Count steps and their seconds, by op."""
        if self.on:
            for op, (steps, seconds) in times.items():
                self.steps.labels(op).inc(steps)
                self.engine.labels(op).inc(seconds)


class Slot:
    """The number under which this process counts; the parent, which counts nothing, has none."""

    name = "parent"


values.ValueClass = values.MultiProcessValue(lambda: Slot.name)  # type: ignore[no-untyped-call]  # untyped
counts = Counts()


def keep_in(parent: str | None) -> None:
    """Make an empty directory for the counts, once for a parent process."""
    if os.environ.get(DIRECTORY, "").endswith(f"-{os.getpid()}"):
        return
    os.environ.pop(DIRECTORY, None)
    sweep(Path(parent or tempfile.gettempdir()))
    try:
        os.environ[DIRECTORY] = tempfile.mkdtemp(prefix="blockwalk-", suffix=f"-{os.getpid()}", dir=parent)
    except OSError as full:
        log.error("no metrics: %s", full)


def sweep(parent: Path) -> None:
    """Remove what services left behind that were killed: directories named for a process that is no more."""
    for left in parent.glob("blockwalk-*-*"):
        pid = left.name.rpartition("-")[2]
        if pid.isdecimal() and not lives(int(pid)):
            shutil.rmtree(left, ignore_errors=True)


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def forget() -> None:
    """Remove the directory that this process made."""
    directory = os.environ.get(DIRECTORY, "")
    if directory.endswith(f"-{os.getpid()}"):
        shutil.rmtree(directory, ignore_errors=True)


def begin(slot: int, host: str, port: int) -> None:
    """Count under this number and answer scrapes from a thread; without space, log it and do neither."""
    try:
        take_space(slot)
    except OSError as full:
        log.error("no metrics from worker %d: %s", slot, full)
        return
    Slot.name = str(slot)
    counts.on = True
    threading.Thread(target=answer, args=(host, port), name="metrics", daemon=True).start()


def take_space(slot: int) -> None:
    """Own every byte of the files that this worker will map. Raises `OSError` where there is no space."""
    if DIRECTORY not in os.environ:
        raise FileNotFoundError("there is no directory for them")
    for kind in KINDS:
        path = Path(os.environ[DIRECTORY]) / f"{kind}_{slot}.db"
        with path.open("a+b") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, FILE_BYTES)
            except OSError:
                path.unlink()
                raise


class Server(ThreadingWSGIServer):
    """Every worker answers on the same port; the kernel picks one, and any of them knows all counts."""

    allow_reuse_port = True

    def server_bind(self) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        super().server_bind()


class Quiet(WSGIRequestHandler):
    """Scrapes are not worth a line each."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name is the base's
        """Say nothing."""


def answer(host: str, port: int) -> None:
    """Answer scrapes until the process ends."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # ships no types here
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    served: type[Server] = type("Served", (Server,), {"address_family": family})
    try:
        with make_server(host, port, make_wsgi_app(registry), served, Quiet) as server:
            server.serve_forever()
    except OSError as taken:
        log.error("no metrics on %s port %d: %s", host, port, taken)
