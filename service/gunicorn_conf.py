"""How gunicorn runs the service: `gunicorn -c python:service.gunicorn_conf`, or `blockwalk serve`.

Threads, because NumPy lets go of the interpreter while it multiplies; few workers, because each holds its
own copy of the libraries. Code is loaded before the workers are forked, nothing is computed: a matrix product
in the parent would leave BLAS threads behind that no child has.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from .access import KeysError, read_keys
from .cores import cores
from .observe import logs, metrics
from .settings import Settings, SettingsError

try:
    settings = Settings.from_environment()
    if settings.keys_file:
        read_keys(Path(settings.keys_file))
except (SettingsError, KeysError) as wrong:
    sys.exit(f"blockwalk: {wrong}")

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # requests use the cores, and no digit depends on their number
logs.configure(settings.log_level, settings.log_format)
if settings.otlp_endpoint:
    try:
        from .observe import spans
    except ImportError as missing:
        sys.exit(f"blockwalk: BLOCKWALK_OTLP_ENDPOINT needs {missing.name}: install blockwalk[otel]")
memory = settings.memory_directory or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else "")  # noqa: S108  # meant
if settings.metrics_port:
    metrics.keep_in(memory or None)

wsgi_app = "service.app:create_app()"
bind = f"[{settings.host}]:{settings.port}" if ":" in settings.host else f"{settings.host}:{settings.port}"
workers = settings.workers or cores()
threads = settings.threads
worker_class = "service.worker.Worker"
worker_connections = settings.connections
worker_tmp_dir = memory or None
preload_app = settings.preload
backlog = settings.backlog
keepalive = settings.keepalive_seconds
timeout = settings.silence_seconds
graceful_timeout = settings.graceful_seconds
max_requests = settings.max_requests
max_requests_jitter = settings.max_requests_jitter
limit_request_line = settings.max_request_line
limit_request_fields = settings.max_headers
limit_request_field_size = settings.max_header_bytes
loglevel = settings.log_level
logger_class = "service.worker.Logger"
accesslog = None  # the service logs each request itself, with its request id
control_socket_disable = True  # it would need a disk that can be written to
proc_name = "blockwalk"

TRY = '{"example": "lecture-05", "select": ["norm_1.output"], "tokens": [0]}'


def when_ready(server: Any) -> None:
    """Say where the service is, what is open, and what to send it, once it listens."""
    host, port = server.LISTENERS[0].sock.getsockname()[:2]
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    if settings.public:
        server.log.warning("open to all who reach %s: %s", address, settings.openness())
    if settings.log_format == "json":
        server.log.info("Blockwalk serves on %s", address)
        return
    said = (
        f"Blockwalk serves on {address} (documentation: {address}/docs). Try:\n"
        f"  curl -s {address}/block/trace -H 'Content-Type: application/json' -d '{TRY}'\n"
    )
    sys.stdout.write(said)
    sys.stdout.flush()


def pre_fork(server: Any, worker: Any) -> None:
    """Give the new worker the lowest number that no living worker has; its counts go by it."""
    taken = {each.slot for each in server.WORKERS.values()}
    worker.slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)


def post_fork(_server: Any, worker: Any) -> None:
    """Count under the worker's number, and answer to Prometheus."""
    if settings.metrics_port:
        metrics.begin(worker.slot, settings.metrics_host, settings.metrics_port)


def post_worker_init(worker: Any) -> None:
    """Send traces only from workers: the sender is a thread, and threads do not outlive a fork."""
    if settings.otlp_endpoint:
        spans.send(worker.wsgi, settings.otlp_endpoint)


def on_exit(_server: Any) -> None:
    """Leave no file behind."""
    metrics.forget()
