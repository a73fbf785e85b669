"""Request bodies: their type, coding and length are settled before a byte is parsed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from flask import Request, Response, request
from gunicorn.http.errors import ParseException
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import RequestEntityTooLarge

from ..errors import Misread, NotJSON, UnsupportedMediaType
from .binary import read_request
from .limits import settings
from .media import JSON, SAFETENSORS
from .schemas.base import faults
from .strict_json import read_json

CHUNK = 64 * 1024


class Parser(FlaskParser):
    """webargs with our reading of a body, and with faults for messages."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {}  # noqa: RUF012  # the name and type are webargs'

    def load_json(self, req: Request, schema: Schema) -> Any:
        return read_body(req, (JSON, *getattr(schema, "also", ())))

    def handle_error(self, error: ValidationError, req: Request, schema: Schema, **_: Any) -> NoReturn:
        (messages,) = error.messages_dict.values()
        found = sorted(faults(messages, error.data), key=lambda fault: fault.pointer)
        raise Misread(found[0].detail, faults=found)


def read_body(req: Request, accepted: Sequence[str]) -> Any:
    """The body as plain data. Raises `UnsupportedMediaType`, `NotJSON` or, through werkzeug, 413."""
    coding = req.headers.get("Content-Encoding", "identity")
    if coding.strip().lower() != "identity":
        raise UnsupportedMediaType(
            "bodies are read uncompressed", header="Accept-Encoding", readable=["identity"], got=coding
        )
    charset = req.mimetype_params.get("charset", "utf-8")
    if req.mimetype not in accepted or charset.lower() not in ("utf-8", "utf8"):
        raise UnsupportedMediaType(
            f"this address reads {' or '.join(accepted)}",
            header="Accept",
            readable=accepted,
            got=req.content_type,
        )
    if req.mimetype == SAFETENSORS:
        return read_request(received(req, settings().max_binary_bytes), settings())
    body = received(req, settings().max_json_bytes)
    if not body:
        raise NotJSON("the body is empty", expected="a JSON object", got="nothing")
    return read_json(body, settings().max_depth)


def received(req: Request, most: int) -> bytes:
    """The bytes of the body. Raises `NotJSON` where they break off, and werkzeug's 413 beyond `most`.

    A body in chunks states no length and is cut where reading stops, so one byte more is read than may be.
    """
    req.max_content_length = most
    if (req.content_length or 0) <= most:
        req.max_content_length = most + 1
    try:
        body = req.get_data(cache=False)
    except (OSError, ParseException) as broken:
        raise NotJSON("the body broke off, or its chunks are none", expected="a whole body") from broken
    req.max_content_length = most
    if len(body) > most:
        raise RequestEntityTooLarge
    return body


def drain(response: Response) -> Response:
    """Read what a refused request still sends: who is cut off while sending may never see the answer."""
    length = request.content_length or 0
    if response.status_code >= 400 and 0 < length <= settings().max_binary_bytes:
        stream = request.environ["wsgi.input"]
        with suppress(OSError, ParseException):
            while length > 0 and (part := stream.read(min(length, CHUNK))):
                length -= len(part)
    return response
