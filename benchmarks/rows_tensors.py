"""Arrays on the wire against bare orjson, and one request in process against what it cannot do without."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

import numpy as np
import orjson
from safetensors.numpy import save

from service import engine
from service.api import tensors, wire
from service.api.binary import read_request, write_answer
from service.api.media import SAFETENSORS
from service.api.strict_json import read_json
from service.app import create_app
from service.settings import Settings

from . import workloads
from .measure import Ratio, interleave
from .row import Effort, Row

NUMPY = orjson.OPT_SERIALIZE_NUMPY


def numbers(effort: Effort) -> Any:
    return np.random.default_rng(3).standard_normal((effort.size(1000, 10), 1000))


def encode(effort: Effort) -> Ratio:
    array = numbers(effort)
    return interleave(
        lambda: tensors.dumps({"value": array}),
        lambda: orjson.dumps({"value": array}, option=NUMPY),
        seconds=effort.seconds,
        rounds=effort.rounds,
    )


def decode(effort: Effort) -> Ratio:
    body = orjson.dumps({"x": numbers(effort)}, option=NUMPY)

    def bare() -> bool:
        return bool(np.isfinite(np.asarray(orjson.loads(body)["x"])).all())

    return interleave(
        lambda: engine.as_tensor(read_json(body, 64)["x"], "/x"),
        bare,
        seconds=effort.seconds,
        rounds=effort.rounds,
    )


class Called:
    """The application called as a server calls it, without a socket."""

    def __init__(self, body: bytes, **headers: str) -> None:
        self.app, self.body, self.headers = create_app(Settings(log_level="warning")), body, headers

    def __call__(self) -> bytes:
        said: list[str] = []
        environ = {
            "REQUEST_METHOD": "POST",
            "SCRIPT_NAME": "",
            "PATH_INFO": "/block/trace",
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(self.body),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,
            "CONTENT_LENGTH": str(len(self.body)),
            **self.headers,
        }
        answer = self.app(environ, lambda status, headers, exc_info=None: said.append(status))
        sent = b"".join(answer)
        if not said[0].startswith("200"):
            raise RuntimeError(f"{said[0]}: {sent[:300]!r}")
        return sent


def post(effort: Effort) -> Ratio:
    example = engine.examples.get(workloads.COURSE).request
    body = orjson.dumps(example, option=NUMPY)

    def bare() -> bytes:
        request = engine.TraceRequest.from_data(orjson.loads(body))
        return orjson.dumps(wire.trace(engine.trace(request)), default=np.ascontiguousarray, option=NUMPY)

    return interleave(Called(body, CONTENT_TYPE="application/json"), bare, seconds=effort.seconds)


def binary(effort: Effort, *, weights: bool) -> Ratio:
    """512 tokens, sent and answered as safetensors; the weights sent along, or drawn from a seed."""
    asked = workloads.sized(effort.size(512, 4), d_model=effort.size(768, 24))
    block = {name: value for name, value in asked.block.to_data().items() if value is not None}
    said = {"block": block} if weights else {"block": block, "seed": 7}
    sent = {"x": asked.x, **(asked.parameters if weights else {})}
    body = save(sent, {"request": orjson.dumps(said).decode()})
    request = engine.TraceRequest.from_data(read_request(body, Settings()))
    answer = write_answer(wire.trace(engine.trace(request)))
    return interleave(
        Called(body, CONTENT_TYPE=SAFETENSORS, HTTP_ACCEPT=SAFETENSORS),
        lambda: (engine.trace(request), bytearray(answer)),
        seconds=2 * effort.seconds,
        rounds=effort.rounds,
    )


ROWS = [
    Row("POST /block/trace of the course example, in process", "orjson.loads + engine + orjson.dumps",
        (None, 2), post),
    Row("POST /block/trace, 512 tokens, binary, weights drawn", "engine + one copy of the answer",
        (None, 1.25), partial(binary, weights=False)),
    Row("the same, weights sent", "engine + one copy of the answer",
        (None, 1.25), partial(binary, weights=True)),
    Row("encode 10⁶ numbers", "bare orjson", (None, 1.2), encode),
    Row("decode 10⁶ numbers", "orjson + asarray + isfinite", (None, 1.5), decode),
]  # fmt: skip
