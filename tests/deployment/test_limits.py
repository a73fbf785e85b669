"""A request at each limit and one beyond it, through nginx: answered, and told the limit."""

from __future__ import annotations

import http.client
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service import engine
from tests.deployment.stack import nginx
from tests.serving import serving

pytestmark = pytest.mark.deployment
JSON, SAFETENSORS = "application/json", "application/vnd.blockwalk+safetensors"
EXAMPLE = {"example": "lecture-05-reconstructed", "select": ["output"]}
ESTIMATE = engine.plan(engine.TraceRequest.from_data(EXAMPLE)).estimate
WITHIN = {
    "max_elements": ESTIMATE.elements,
    "max_bytes": ESTIMATE.bytes,
    "max_multiply_adds": ESTIMATE.multiply_adds,
}
DEPTH = 12


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """nginx before a service whose limits on work are just those of the example."""
    with (
        serving(workers=1, max_depth=DEPTH, max_tensors=3, log_level="error", **WITHIN) as served,
        nginx(tmp_path_factory.mktemp("limits"), [served.port]) as listening,
    ):
        yield listening


def send(port: int, body: bytes, media: str = JSON, **headers: str) -> tuple[int, Any]:
    """POST to /block/trace: the status, and the problem if it is one."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request("POST", "/block/trace", body, {"Content-Type": media, **headers})
        answer = connection.getresponse()
        said = answer.read()
    finally:
        connection.close()
    return answer.status, json.loads(said) if answer.status != 200 else None


def padded(length: int) -> bytes:
    """The example as a JSON body of so many bytes."""
    body = json.dumps(EXAMPLE).encode()
    return body + b" " * (length - len(body))


def file_of(length: int | None = None, tensors: int = 1) -> bytes:
    """The example's x as a safetensors body, padded to so many bytes, in so many tensors."""
    names = ["x", "norm_1.gamma", "norm_1.beta", "norm_2.gamma"][:tensors]
    shapes = {"x": [2, 4]}
    sizes = {name: 64 if name == "x" else 32 for name in names}
    header: dict[str, Any] = {"__metadata__": {"request": json.dumps(EXAMPLE)}}
    at = 0
    for name in names:
        header[name] = {
            "dtype": "F64", "shape": shapes.get(name, [4]), "data_offsets": [at, at + sizes[name]],
        }  # fmt: skip
        at += sizes[name]
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    if length is not None:
        text += b" " * (length - 8 - len(text) - at)
    return struct.pack("<Q", len(text)) + text + struct.pack(f"<{at // 8}d", *([1.0, 0.0] * (at // 16)))


def test_a_json_body_may_be_as_long_as_the_limit_and_no_longer(port: int) -> None:
    limit = 2 * 2**20
    assert send(port, padded(limit)) == (200, None)
    status, problem = send(port, padded(limit + 1))
    assert status == 413
    assert problem["errors"][0]["expected"] == limit


def test_a_body_longer_than_nginx_lets_through_is_the_same_kind_of_problem(port: int) -> None:
    limit = 64 * 2**20
    status, problem = send(port, b"\0" * (limit + 1), SAFETENSORS, Expect="100-continue")
    assert status == problem["status"] == 413
    assert problem["type"] == "/problems/body-too-large"
    assert problem["errors"][0]["expected"] == limit


def test_json_may_be_as_deep_as_the_limit_and_no_deeper(port: int) -> None:
    at = {"parameters": {"attention.w_q": None}}
    for depth, expected in ((DEPTH, 422), (DEPTH + 1, 400)):
        nested = b"[" * (depth - 2) + b"]" * (depth - 2)
        body = json.dumps(EXAMPLE | at).encode().replace(b"null", nested)
        assert send(port, body)[0] == expected


def test_a_file_may_hold_as_many_tensors_as_the_limit_and_no_more(port: int) -> None:
    assert send(port, file_of(tensors=3), SAFETENSORS) == (200, None)
    status, problem = send(port, file_of(tensors=4), SAFETENSORS)
    assert (status, problem["errors"][0]["expected"], problem["errors"][0]["got"]) == (422, "at most 3", 4)


def test_a_computation_may_cost_as_much_as_the_limits_and_no_more(port: int) -> None:
    assert send(port, json.dumps(EXAMPLE).encode()) == (200, None)
    more = EXAMPLE | {"x": [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]]}
    status, problem = send(port, json.dumps(more).encode())
    assert status == 422
    assert problem["type"] == "/problems/cost-limit"
    assert problem["limit"] == {name.removeprefix("max_"): limit for name, limit in WITHIN.items()}
    assert all(problem["estimate"][name] > limit for name, limit in problem["limit"].items())


@pytest.mark.parametrize("extra", [0, 20_000])
def test_a_long_header_is_refused_and_a_short_one_is_not(port: int, extra: int) -> None:
    status, _ = send(port, json.dumps(EXAMPLE).encode(), **{"X-Long": "a" * (1000 + extra)})
    assert status == (400 if extra else 200)


def test_the_longest_file_is_read_to_its_end(tmp_path: Path) -> None:
    limit = 2**20
    with serving(workers=1, max_binary_bytes=limit, log_level="error") as served:
        assert send(served.port, file_of(limit), SAFETENSORS)[0] != 413
        status, problem = send(served.port, b"\0" * (limit + 1), SAFETENSORS)
    assert status == 413
    assert problem["errors"][0]["expected"] == limit
