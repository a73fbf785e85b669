"""What every answer carries: a request id, security headers, and leave for named origins to read it."""

from __future__ import annotations

import re
import uuid
from functools import partial

from flask import Flask, Response, g, request
from flask_cors import CORS

from ..settings import Settings
from . import seen
from .media import SVG

WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,128}")
EXPOSED = ["ETag", "Retry-After", "X-Request-ID", "Content-Language", "Server-Timing"]
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
# A view may set a policy of its own. Data may do nothing; a picture styles itself, embedded anywhere;
# a page has all from this origin, nothing inline, but for icons in data URLs.
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
POLICIES = {
    SVG: "default-src 'none'; style-src 'unsafe-inline'",
    "text/html": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
}


def install(app: Flask, of: Settings) -> None:
    """Hook request ids, security headers and CORS into the application."""
    app.before_request(begin)
    app.after_request(partial(finish, vary_by_origin=bool(of.cors_origins)))
    CORS(
        app,
        origins=list(of.cors_origins),
        methods=["GET", "HEAD", "POST", "OPTIONS"],
        allow_headers=[
            "Accept",
            "Accept-Language",
            "Authorization",
            "Content-Type",
            "If-None-Match",
            "X-Request-ID",
        ],
        expose_headers=EXPOSED,
        max_age=3600,
    )


def begin() -> None:
    g.request_id = request_id(request.headers.get("X-Request-ID", ""))
    seen.begin(g.request_id)


def request_id(sent: str) -> str:
    """The caller's own id for the request, if it is well formed, or a new one."""
    return sent if WELL_FORMED.fullmatch(sent) else uuid.uuid4().hex


def finish(response: Response, *, vary_by_origin: bool) -> Response:
    response.headers["X-Request-ID"] = g.request_id
    for name, value in SECURITY.items():
        response.headers.setdefault(name, value)
    if vary_by_origin:
        response.vary.add("Origin")
    response.headers.setdefault("Content-Security-Policy", POLICIES.get(response.mimetype or "", DATA_POLICY))
    return response
