"""How gunicorn runs the service: `gunicorn -c python:service.gunicorn_conf`, or `blockwalk serve`.

Threads, because NumPy lets go of the interpreter while it multiplies; few workers, because each holds its
own copy of the libraries. Our request lines and headers are short: long ones are refused early.
"""

from __future__ import annotations

import sys
from typing import Any

from .settings import Settings, SettingsError

try:
    settings = Settings.from_environment()
except SettingsError as wrong:
    sys.exit(f"blockwalk: {wrong}")

wsgi_app = "service.app:create_app()"
bind = f"[{settings.host}]:{settings.port}" if ":" in settings.host else f"{settings.host}:{settings.port}"
workers = settings.workers
threads = settings.threads
worker_class = "service.worker.Worker"
loglevel = settings.log_level
accesslog = None  # the service logs each request itself, with its request id
timeout = int(settings.deadline_seconds + settings.queue_seconds) + 30
graceful_timeout = int(settings.deadline_seconds + settings.queue_seconds) + 5
keepalive = 5
limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 8190
control_socket_disable = True
proc_name = "blockwalk"

TRY = '{"example": "lecture-05", "select": ["norm_1.output"], "tokens": [0]}'


def when_ready(server: Any) -> None:
    """Say where the service is and what to send it, once it listens."""
    host, port = server.LISTENERS[0].sock.getsockname()[:2]
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    said = (
        f"Blockwalk serves on {address} (documentation: {address}/docs). Try:\n"
        f"  curl -s {address}/block/trace -H 'Content-Type: application/json' -d '{TRY}'\n"
    )
    sys.stdout.write(said)
    sys.stdout.flush()
