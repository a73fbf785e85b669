"""What is told of each request: a line in the log, counts for Prometheus, `Server-Timing` for the caller."""

from __future__ import annotations

import structlog
from flask import Flask, Response, request

from ..observe import logs
from ..observe.metrics import counts
from .account import account

METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
log = structlog.stdlib.get_logger("service.requests")


def install(app: Flask) -> None:
    """Report every answer of the application."""
    app.after_request(report)


def report(response: Response) -> Response:
    """Say what was asked, what came of it and what it took; never what was in it, nor from where it came."""
    mine = account()
    route = request.url_rule.rule if request.url_rule else "none"
    method = request.method if request.method in METHODS else "other"
    total = mine.total
    times = {"wait": mine.waited, "compute": mine.computing, "total": total}
    response.headers["Server-Timing"] = ", ".join(f"{name};dur={s * 1000:.2f}" for name, s in times.items())
    counts.request(method=method, route=route, status=response.status_code, seconds=total, waited=mine.waited)
    counts.spent(mine.caller, mine.units)
    counts.computed(mine.computed)
    if mine.problem:
        counts.refused(mine.problem)
    log.info(
        "request",
        method=method,
        path=request.path[:200],
        route=route,
        status=response.status_code,
        problem=mine.problem or None,
        caller=mine.caller,
        units=mine.units,
        bytes_in=request.content_length or 0,
        bytes_out=response.calculate_content_length() or 0,
        **{f"{name}_ms": round(s * 1000, 3) for name, s in times.items()},
    )
    return response


def begin(request_id: str) -> None:
    """Let every line that this request logs carry its id."""
    account()
    logs.about(request_id=request_id)
