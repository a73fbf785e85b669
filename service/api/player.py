"""GET /: the lecture player and its files. They ship in the package; a checkout has them beside it."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, abort, request
from werkzeug.security import safe_join

blp = Blueprint("player", __name__)
PACKAGE = Path(__file__).parent.parent
CLIENTS = next(
    (place for place in (PACKAGE / "clients", PACKAGE.parent / "clients") if place.is_dir()), PACKAGE
)
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
# Nothing inline, nothing from elsewhere. Any page may frame the player: it acts for nobody.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors *"
)


@blp.get("/")
def player() -> Response:
    """The lecture player."""
    response = file("index.html")
    response.headers["Content-Security-Policy"] = POLICY
    return response


@blp.get("/<any(player, js):part>/src/<path:name>")
def player_file(part: str, name: str) -> Response:
    """A module or style sheet of the player, or of the JavaScript client that it calls the service with."""
    return file(f"{part}/src", name)


def file(*parts: str) -> Response:
    """A file of the clients, to be asked for again only if its content changes; 404 for anything else."""
    path = Path(safe_join(str(CLIENTS), *parts) or "")
    if path.suffix not in TYPES or not path.is_file():
        abort(404)
    response = Response(path.read_bytes(), mimetype=TYPES[path.suffix])
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response
