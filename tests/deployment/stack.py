"""The real parts on loopback: nginx with the configuration that ships, Redis, gunicorn with the service."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.serving import ROOT, Served

NGINX = ROOT / "deploy" / "nginx"
PATIENT: dict[str, object] = {"queue_seconds": 15, "graceful_seconds": 45, "log_level": "warning"}
"""Settings with which a slow machine is not taken for a full house."""


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, seconds: float = 20) -> None:
    """Wait until someone listens on a port."""
    until = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


def workers(served: Served) -> set[int]:
    """The processes that serve."""
    return {int(pid) for pid in Path(f"/proc/{served.pid}/task/{served.pid}/children").read_text().split()}


def wait_for_workers(served: Served, n: int, seconds: float = 20) -> set[int]:
    """Wait until there are so many workers, and they answer."""
    until = time.monotonic() + seconds
    while len(found := workers(served)) != n:
        assert time.monotonic() < until, f"{len(found)} workers, not {n}"
        time.sleep(0.05)
    served.send("GET", "/health/ready")
    return found


@dataclass
class Redis:
    """A Redis server that can be stopped, held and started again."""

    port: int
    directory: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(command, cwd=self.directory, stdout=subprocess.DEVNULL)
        wait_for(self.port)

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=10)
            self.process = None

    def counted(self) -> int:
        """How many callers Redis counts."""
        asked = ["redis-cli", "-p", str(self.port), "--no-raw", "dbsize"]
        said = subprocess.run(asked, capture_output=True, text=True, timeout=10, check=True).stdout
        return int(said.split()[-1])


@contextmanager
def redis(directory: Path) -> Iterator[Redis]:
    """A Redis server of one's own."""
    made = Redis(free_port(), directory)
    made.start()
    try:
        yield made
    finally:
        made.stop()


@contextmanager
def nginx(directory: Path, replicas: Sequence[int], *, tls: bool = False) -> Iterator[int]:
    """nginx as it ships, in front of these ports; gives the port that it listens on."""
    conf, port = directory / "nginx", free_port()
    shutil.copytree(NGINX, conf)
    (conf / "upstream.conf").write_text(upstream(replicas))
    listen = (conf / ("listen-tls.conf" if tls else "listen.conf")).read_text()
    (conf / "listen.conf").write_text(
        listen.replace("listen 8443", f"listen 127.0.0.1:{port}").replace(
            "listen 8080", f"listen 127.0.0.1:{port}"
        )
    )
    if tls:
        certify(conf / "tls")
    log = (directory / "nginx.log").open("wb")
    command = ["nginx", "-p", str(directory), "-c", str(conf / "nginx.conf"), "-g", "daemon off; user root;"]
    with log, subprocess.Popen(command, stderr=log, start_new_session=True) as process:
        try:
            wait_for(port)
            yield port
        finally:
            process.send_signal(signal.SIGQUIT)
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def upstream(replicas: Sequence[int]) -> str:
    """The shipped upstream.conf, naming these ports in place of the replicas."""
    lines = (NGINX / "upstream.conf").read_text().splitlines()
    (model, *_) = servers = [line for line in lines if line.strip().startswith("server service-")]
    named = [model.replace("service-1:8000", f"127.0.0.1:{port}") for port in replicas]
    at = lines.index(servers[0])
    return "\n".join([*lines[:at], *named, *lines[at + len(servers) :]]) + "\n"


def certify(directory: Path) -> None:
    """A certificate for localhost that its own key has signed."""
    directory.mkdir()
    command = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout", "tls.key", "-out", "tls.crt",
    ]  # fmt: skip
    subprocess.run(command, cwd=directory, check=True, capture_output=True, timeout=60)
