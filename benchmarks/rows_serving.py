"""The running service: a lecture state under load, and the time to its first answer."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter, sleep
from urllib.error import URLError
from urllib.request import Request, urlopen

from .measure import Ratio, ratio
from .row import Effort, Row, Unavailable

GUNICORN = [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf"]
SERVE = [sys.executable, "-c", "from service.cli import main; main()", "serve"]
"""`blockwalk serve`, from this folder."""
CONNECTIONS = 4


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(app: str | None = None, probe: str = "/health/live", **env: str) -> Iterator[str]:
    """One worker of the service, or of another application under the same gunicorn; yields its address."""
    port = free_port()
    names = {"PORT": str(port), "WORKERS": "1", "LOG_LEVEL": "warning"}
    chosen = {f"BLOCKWALK_{name}": value for name, value in names.items()}
    process = subprocess.Popen(
        [*GUNICORN, app] if app else SERVE,
        env=os.environ | chosen | env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        base = f"http://127.0.0.1:{port}"
        first_answer(base + probe)
        yield base
    finally:
        process.terminate()
        process.wait()


def first_answer(url: str, patience: float = 60) -> bytes:
    """Ask until there is an answer."""
    began = perf_counter()
    while True:
        try:
            with urlopen(url) as answer:
                return bytes(answer.read())
        except URLError:
            if perf_counter() - began > patience:
                raise
            sleep(0.001)


def rate(url: str, seconds: float, *headers: str) -> float:
    """Requests a second, by wrk."""
    wrk = shutil.which("wrk")
    if wrk is None:
        raise Unavailable("needs wrk (a Debian package)")
    command = [wrk, "-t1", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s"]
    for header in headers:
        command += ["-H", header]
    said = subprocess.run([*command, url], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in said and not any(header.startswith("If-None-Match") for header in headers):
        raise RuntimeError(said)
    found = re.search(r"Requests/sec:\s*([\d.]+)", said)
    if found is None:
        raise RuntimeError(said)
    return float(found[1])


def lecture_state(effort: Effort, *, held: bool) -> Ratio:
    """The rate of a lecture state, or of the 304 to who holds it, over that of the bare route."""
    path = "/lectures/R44/states/b2"
    ours: list[float] = []
    theirs: list[float] = []
    with ExitStack() as stack:
        base = stack.enter_context(serving())
        with urlopen(Request(base + path)) as answer:
            body, tag = answer.read(), answer.headers["ETag"]
        file = stack.enter_context(tempfile.NamedTemporaryFile())
        Path(file.name).write_bytes(body)
        bare = stack.enter_context(serving("benchmarks.bare:app", "/", BENCH_BODY=file.name))
        headers = [f"If-None-Match: {tag}"] if held else []
        for _ in range(effort.rounds):
            ours.append(rate(base + path, effort.seconds / 2, *headers))
            theirs.append(rate(bare + "/", effort.seconds / 2))
    return ratio(ours, theirs)


def start_up(effort: Effort) -> Ratio:
    """From starting the process to its first answer, over the imports that no answer can do without."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(effort.rounds):
        began = perf_counter()
        with serving():
            ours.append(perf_counter() - began)
        began = perf_counter()
        subprocess.run([sys.executable, "-c", "import flask, numpy, scipy.special"], check=True)
        theirs.append(perf_counter() - began)
    return ratio(ours, theirs)


ROWS = [
    Row("GET a lecture state, gunicorn, 1 worker", "a bare Flask route, same bytes", (0.85, None),
        partial(lecture_state, held=False), unit="/s"),
    Row("the same, answered 304", "a bare Flask route, same bytes", (0.95, None),
        partial(lecture_state, held=True), unit="/s"),
    Row("start-up to first answer", "importing flask, numpy, scipy.special", (None, 2), start_up),
]  # fmt: skip
