"""What is told of each request: a line in the log, counts for Prometheus, `Server-Timing` for the caller."""

from __future__ import annotations

import logging
import time

import structlog
from flask import Flask, Response, request

from ..observe import logs
from ..observe.metrics import counts
from .account import ANONYMOUS, account

METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
ROUTE = "blockwalk.route"
"""The key under which the WSGI environment learns which route answered."""
log = structlog.stdlib.get_logger("service.requests")
listening = logging.getLogger("service.requests")


def install(app: Flask) -> None:
    """Report every answer of the application."""
    app.after_request(report)


def report(response: Response) -> Response:
    """Say what was asked, what came of it and what it took; never what was in it, nor from where it came."""
    mine = account()
    route = request.url_rule.rule if request.url_rule else "none"
    method = request.method if request.method in METHODS else "other"
    request.environ[ROUTE] = route
    total = mine.total
    times = {"wait": mine.waited, "compute": mine.computing, "total": total}
    response.headers["Server-Timing"] = timing(times)
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
        **milliseconds(times),
    )
    return response


def again(request_id: str, path: str, route: str, status: str, size: int, began: float) -> str:
    """The same of an answer that is sent again as it was; returns its `Server-Timing`."""
    times = {"wait": 0.0, "compute": 0.0, "total": time.perf_counter() - began}
    code = int(status[:3])
    counts.request(method="GET", route=route, status=code, seconds=times["total"], waited=0.0)
    counts.spent(ANONYMOUS, 1)
    if listening.isEnabledFor(logging.INFO):
        logs.about(request_id=request_id)
        log.info(
            "request",
            method="GET",
            path=path[:200],
            route=route,
            status=code,
            problem=None,
            caller=ANONYMOUS,
            units=1,
            bytes_in=0,
            bytes_out=size,
            **milliseconds(times),
        )
    return timing(times)


def timing(times: dict[str, float]) -> str:
    """Seconds by name as a `Server-Timing` header."""
    return ", ".join([f"{name};dur={seconds * 1000:.2f}" for name, seconds in times.items()])


def milliseconds(times: dict[str, float]) -> dict[str, float]:
    return {f"{name}_ms": round(seconds * 1000, 3) for name, seconds in times.items()}


def begin(request_id: str) -> None:
    """Let every line that this request logs carry its id."""
    account()
    logs.about(request_id=request_id)
