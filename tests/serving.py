"""The service as a user starts it: gunicorn, on a port of its own."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Served:
    """A running service."""

    host: str
    port: int
    pid: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """One request on a connection of its own: status, headers, body."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def peak_memory(self) -> int | None:
        """The most bytes that any worker has held, as Linux remembers; None elsewhere."""
        if not Path("/proc/self/status").exists():
            return None
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return max(kilobytes(Path(f"/proc/{child}/status").read_text()) for child in children) * 1024


def kilobytes(status: str) -> int:
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found
    return int(found[1])


@contextmanager
def serving(**settings: object) -> Iterator[Served]:
    """Start the service with these settings, give it, stop it; unless it was killed, it must stop cleanly."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BLOCKWALK_")}
    environment |= {
        f"BLOCKWALK_{name.upper()}": str(value) for name, value in {"port": 0, **settings}.items()
    }
    with subprocess.Popen(
        [sys.executable, "-m", "service.cli", "serve"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        lines: list[str] = []
        try:
            yield Served(*address(process, lines), process.pid)
        finally:
            process.terminate()
            code = process.wait(timeout=60)
        assert code in (0, -signal.SIGKILL), "".join(lines)


def address(process: subprocess.Popen[str], lines: list[str]) -> tuple[str, int]:
    """Where it says that it serves; what it says afterwards is read on, lest it wait for a reader."""
    assert process.stdout
    for line in process.stdout:
        lines.append(line)
        if found := re.search(r"serves on http://([\d.]+):(\d+)", line):
            threading.Thread(target=lines.extend, args=(process.stdout,), daemon=True).start()
            return found[1], int(found[2])
    raise AssertionError("the service did not start:\n" + "".join(lines))
