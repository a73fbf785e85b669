"""GET /openapi.json and GET /docs: the contract for programs and for people, nothing from the network."""

from __future__ import annotations

from importlib.resources import files

from flask import Blueprint, Response, current_app, request, send_from_directory

from . import caching, openapi
from .doorway import labelled
from .media import JSON
from .tensors import dumps

blp = Blueprint("docs", __name__)
UI = files("flask_swagger_ui") / "dist"
PAGES = files(__package__) / "pages"


@blp.get("/openapi.json")
def openapi_json() -> Response:
    """The OpenAPI document."""
    document = openapi.document(current_app)
    return conditional(dumps(document), JSON)


@blp.get("/docs")
def docs() -> Response:
    """The OpenAPI document as a page on which every operation can be tried."""
    return conditional((PAGES / "docs.html").read_bytes(), "text/html")


@blp.get("/docs/<name>")
def docs_asset(name: str) -> Response:
    """Swagger UI's own files, and the few lines that start it."""
    folder = PAGES if name in ("docs.js", "docs.css") else UI
    return send_from_directory(str(folder), name, max_age=86400)


def conditional(body: bytes, mimetype: str) -> Response:
    """Published content with an ETag; 304 where the caller holds it."""
    response = current_app.response_class(body, mimetype=mimetype)
    labelled(response, caching.etag(request.path), caching.CONTENT, None)
    response.make_conditional(request)
    return response
