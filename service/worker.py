"""gunicorn's threaded worker and its logger: its own refusals as problems, its log lines in our form."""

from __future__ import annotations

import socket
import uuid
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import orjson
from gunicorn import util
from gunicorn.glogging import Logger as GunicornLogger
from gunicorn.workers.gthread import ThreadWorker

LINGER_SECONDS, LINGER_READS = 0.2, 16


def write_problem(sock: Any, status_int: int, reason: str, mesg: str) -> None:
    """Answer on a socket whose request never became one; same arguments as gunicorn's own `write_error`."""
    request_id = uuid.uuid4().hex
    # Part of what gunicorn refuses with 5xx is the caller's own doing: an unknown transfer coding, for one.
    status = HTTPStatus(400 if status_int == HTTPStatus.NOT_IMPLEMENTED else status_int)
    detail = mesg[:300] or status.description
    body = orjson.dumps(
        {
            "type": f"/problems/{reason.lower().replace(' ', '-')}",
            "title": reason,
            "status": status.value,
            "detail": detail,
            "instance": "",
            "request_id": request_id,
            "errors": [{"pointer": "", "detail": detail, "expected": "an HTTP/1.1 request", "got": None}],
        }
    )
    head = (
        f"HTTP/1.1 {status.value} {reason}\r\nConnection: close\r\n"
        f"Content-Type: application/problem+json\r\nContent-Length: {len(body)}\r\n"
        f"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-ID: {request_id}\r\n\r\n"
    )
    util.write_nonblock(sock, head.encode("latin-1") + body)
    linger(sock)


def linger(sock: Any) -> None:
    """Read on for a moment: to close on bytes that are still coming in would take the answer back."""
    with suppress(OSError):
        sock.settimeout(LINGER_SECONDS)
        sock.shutdown(socket.SHUT_WR)
        for _ in range(LINGER_READS):
            if not sock.recv(64 * 1024):
                return


class Worker(ThreadWorker):
    """The threaded worker; gunicorn offers no other place to say how it refuses, and how it stops."""

    def init_process(self) -> None:
        util.write_error = write_problem
        super().init_process()

    def set_accept_enabled(self, enabled: bool) -> None:
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            self.close_the_door()

    def close_the_door(self) -> None:
        """Take in who has knocked already, then close while the last requests are still being answered.

        Who comes later is refused at once and may go to another replica. With the door left open the kernel
        would let them in, and drop them unanswered when this process ends.
        """
        for listener in self.sockets:
            listener.setblocking(False)
            known = -1
            while known != self.nr_conns:
                known = self.nr_conns
                self.accept(listener)
            listener.close()


class Logger(GunicornLogger):
    """gunicorn's log, sent where the service sends its own."""

    def setup(self, cfg: Any) -> None:
        """Leave form and destination to the root logger; keep the level."""
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True
