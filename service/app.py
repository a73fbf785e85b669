"""`create_app()`: settings, rooms, JSON, and the one error handler."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Flask
from flask.json.provider import JSONProvider

from .api import BLUEPRINTS, body, headers, problems
from .api.limits import Slots
from .api.openapi import make_api
from .api.tensors import dumps
from .lectures import Catalogue
from .settings import Settings


class OrjsonProvider(JSONProvider):
    """orjson for whatever Flask itself writes or reads as JSON."""

    def dumps(self, obj: Any, **_: Any) -> str:
        return dumps(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return orjson.loads(s)


def create_app(settings: Settings | None = None) -> Flask:
    """The WSGI application. Raises `SettingsError` where the environment asks for what cannot be."""
    of = settings or Settings.from_environment()
    app = Flask("service", static_folder=None)
    app.json = OrjsonProvider(app)
    app.url_map.strict_slashes = False
    # Before any body is read by its own limit, none may be longer than the longest.
    app.config["MAX_CONTENT_LENGTH"] = max(of.max_json_bytes, of.max_binary_bytes)
    app.extensions["blockwalk"] = {
        "settings": of,
        "slots": Slots(of),
        "lectures": Catalogue.load(of.lectures),
    }
    headers.install(app, of)
    app.after_request(body.drain)
    app.register_error_handler(Exception, problems.answer)
    api = make_api(app)
    app.extensions["blockwalk"]["api"] = api
    for blueprint in BLUEPRINTS:
        (api if hasattr(blueprint, "takes") else app).register_blueprint(blueprint)
    return app
