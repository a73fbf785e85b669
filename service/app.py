"""`create_app()`: settings, rooms, JSON, and the one error handler."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import orjson
from flask import Flask
from flask.json.provider import JSONProvider
from werkzeug.middleware.proxy_fix import ProxyFix

from .access import Keys, KeysError
from .api import BLUEPRINTS, body, headers, problems, seen
from .api.limits import Slots
from .api.openapi import make_api
from .api.rates import Rates
from .api.remembered import Remembered
from .api.tensors import dumps
from .lectures import Catalogue
from .settings import PREFIX, Settings, SettingsError

log = logging.getLogger(__name__)


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
        "lectures": lectures_of(of),
    }
    headers.install(app, of)
    app.after_request(body.drain)
    seen.install(app)
    app.extensions["blockwalk"]["rates"] = Rates(app, of, keys_of(of))
    if not of.rate_units:  # otherwise each answer has to be charged
        app.wsgi_app = Remembered(app.wsgi_app)  # type: ignore[method-assign]  # as werkzeug says to
    if of.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]  # as werkzeug says to
            app.wsgi_app, x_for=of.proxies, x_proto=of.proxies, x_host=of.proxies
        )
    app.register_error_handler(Exception, problems.answer)
    api = make_api(app)
    app.extensions["blockwalk"]["api"] = api
    for blueprint in BLUEPRINTS:
        (api if hasattr(blueprint, "takes") else app).register_blueprint(blueprint)
    return app


def lectures_of(of: Settings) -> Catalogue:
    """The lectures that come with the service and those of extra folders; a line for each not served."""
    found = Catalogue.load(of.lectures)
    for broken in found.unavailable:
        others = len(broken.problems) - 1
        more = f" (and {others} more; blockwalk lectures check tells all)" if others else ""
        log.warning("lecture %s is not served: %s%s", broken.id, broken.problems[0], more)
    return found


def keys_of(of: Settings) -> Keys | None:
    """The API keys, if there is a file of them. Raises `SettingsError` where it cannot be read."""
    try:
        return Keys(Path(of.keys_file)) if of.keys_file else None
    except (OSError, KeysError) as wrong:
        raise SettingsError(f"{PREFIX}KEYS_FILE: {wrong}") from None
