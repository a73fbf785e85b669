"""The OpenAPI 3.1 document: flask-smorest collects it, this adds what marshmallow has no words for.

Fields state their own JSON schema (see `fields.py`), so constraints in the document are the validators' own.
Every answer's example is made by sending the request's example when the document is built: none is typed,
none can be stale.
"""

from __future__ import annotations

import inspect
from copy import deepcopy
from typing import Any

import orjson
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from flask_smorest import Api as SmorestApi
from werkzeug.datastructures import Headers

from .. import engine
from .components import HEADERS, RESPONSES, SCHEMAS
from .fields import Checked
from .media import JSON
from .problems import PROBLEM
from .schemas.operations import Problem

SPEC = {
    "API_TITLE": "Blockwalk",
    "API_VERSION": f"v{engine.VERSION}",
    "OPENAPI_VERSION": "3.1.0",
}
INFO = {
    "summary": "Every intermediate of a Transformer block, with its formula, parents and exact value",
    "description": (
        "Send a block, its numbers and its inputs; the answer holds every step that was computed. Unknown "
        "fields are errors; every error is a problem document (RFC 9457) that says what, where, expected and "
        'got. Non-finite numbers are the strings `"-Infinity"`, `"Infinity"` and `"NaN"`.'
    ),
    "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    "contact": {"name": "Blockwalk"},
}


class Api(SmorestApi):
    """flask-smorest without its error handler and error responses: ours stand in `problems.py` and here."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """The application has one handler of its own."""

    def _register_responses(self) -> None:
        for name, (description, headers) in RESPONSES.items():
            content = {} if name == "NotModified" else {"content": {PROBLEM: {"schema": Problem}}}
            response = {"description": description, "headers": headers, **content}
            self.spec.components.response(name, response, lazy=True)

    def _register_pagination_header(self) -> None:
        """Nothing here comes in pages."""


class Plugin(MarshmallowPlugin):
    """apispec's plugin, which takes our fields at their word from the first schema on."""

    def init_spec(self, spec: Any) -> None:
        super().init_spec(spec)
        self.converter.add_attribute_function(own_schema)  # type: ignore[union-attr]  # set by then


def name_of(schema: Any) -> str:
    """A schema is called in the document what its class is called in the code."""
    made = schema if isinstance(schema, type) else type(schema)
    return str(made.__name__)


def make_api(app: Flask) -> Api:
    """The collector of documentation, with the components that fields refer to."""
    app.config.update(SPEC)
    plugin = Plugin(schema_name_resolver=name_of)
    api = Api(
        app,
        spec_kwargs={
            "marshmallow_plugin": plugin,
            "info": INFO,
            "servers": [{"url": "/", "description": "this service"}],
            "security": [],
        },
    )
    for name, schema in SCHEMAS.items():
        api.spec.components.schema(name, schema)
    for name, header in HEADERS.items():
        api.spec.components.header(name, header)
    return api


def own_schema(_converter: Any, field: Any, ret: dict[str, Any]) -> dict[str, Any]:
    """A field that states its own schema is taken at its word, whatever apispec made of it so far."""
    if not isinstance(field, Checked):
        return {}
    ret.clear()
    return field.json_schema()


def document(app: Flask) -> dict[str, Any]:
    """The whole document, examples of answers filled in; made once for a process."""
    state = app.extensions["blockwalk"]
    if "openapi" not in state:
        api: Api = state["api"]
        state["openapi"] = with_answers(app, with_words(api, deepcopy(api.spec.to_dict())))
    made: dict[str, Any] = state["openapi"]
    return made


def with_words(api: Api, spec: dict[str, Any]) -> dict[str, Any]:
    """Each schema is described by the docstring of its class, and by what lies beyond its fields."""
    for key, name in api.ma_plugin.converter.refs.items():
        spec["components"]["schemas"][name] |= {"description": inspect.cleandoc(key[0].__doc__ or "")} | key[
            0
        ].beyond
    return spec


def with_answers(app: Flask, spec: dict[str, Any]) -> dict[str, Any]:
    """Send each operation its own examples and put the answers beside them."""
    for path, operations in spec["paths"].items():
        shared = operations.get("parameters", [])
        for method, operation in operations.items():
            if method != "parameters":
                url = path.format(
                    **{
                        p["name"]: p["example"]
                        for p in [*shared, *operation.get("parameters", [])]
                        if "example" in p
                    }
                )
                show(app, operation, method.upper(), url)
    return spec


def show(app: Flask, operation: dict[str, Any], method: str, url: str) -> None:
    """One operation's answers to its examples, in whatever text it answers with."""
    bodies = (
        operation.get("requestBody", {}).get("content", {}).get(JSON, {}).get("examples", {"default": None})
    )
    for media, content in operation["responses"]["200"]["content"].items():
        if media.endswith("safetensors"):
            continue
        shown = {}
        for name, each in bodies.items():
            body = None if each is None else each["value"]
            with app.test_request_context(url, method=method, json=body, headers=Headers({"Accept": media})):
                answer = app.ensure_sync(app.dispatch_request)()
            value = (
                rounded(orjson.loads(answer.get_data())) if media == JSON else answer.get_data(as_text=True)
            )
            shown[name] = {"value": value} if each is None else {"summary": each["summary"], "value": value}
        content["examples"] = shown


def rounded(value: Any) -> Any:
    """Nine digits: what computers agree on, so that the document is the same wherever it is made."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value
