"""One line for each event, JSON for machines or text for people; bodies and addresses are never in it."""

from __future__ import annotations

import logging
import sys
from typing import Any

import orjson
import structlog

SHARED: tuple[Any, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)
# Without the values of variables: a request's body is one of them.
TRACEBACKS = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False, max_frames=30)
)
FORMATTER = structlog.stdlib.ProcessorFormatter
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *SHARED,
        structlog.stdlib.PositionalArgumentsFormatter(),
        FORMATTER.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
)


def configure(level: str, form: str, stream: Any = None) -> None:
    """Send everything that is logged in this process to standard error in one form, "json" or "text"."""
    machine = form == "json"
    last: list[Any] = [FORMATTER.remove_processors_meta]
    last += [TRACEBACKS] if machine else []
    last += [
        structlog.processors.JSONRenderer(dumps)
        if machine
        else structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    ]
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        FORMATTER(foreign_pre_chain=[*SHARED, structlog.stdlib.ExtraAdder()], processors=last)
    )
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)


def dumps(event: Any, **_: Any) -> str:
    return orjson.dumps(event, default=str).decode()


def about(**known: str) -> None:
    """Say these of every line that this request logs from here on, and nothing of an earlier request."""
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(**known)
