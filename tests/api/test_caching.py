"""ETags, conditional requests, Cache-Control."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from safetensors.numpy import save

from service.api.media import SAFETENSORS

BODY: dict[str, Any] = {"block": {"n_heads": 1, "d_ff": 2}, "seed": 1, "x": [[1, 2]], "select": ["x"]}
GETS = ["/examples", "/examples/lecture-05", "/limits", "/openapi.json", "/docs", "/problems/cost-limit"]


def tag(client: FlaskClient, body: Any, **headers: str) -> str:
    return client.post("/block/trace", json=body, headers=headers).headers["ETag"]


@pytest.mark.parametrize("path", GETS)
def test_what_the_caller_holds_already_is_not_sent_again(client: FlaskClient, path: str) -> None:
    first = client.get(path)
    assert first.headers["ETag"].startswith('W/"')
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for name in ("ETag", "Cache-Control", "Vary"):
        assert again.headers[name] == first.headers[name]
    assert "Content-Type" not in again.headers


def test_a_computation_too_is_not_done_again_for_who_holds_its_answer(client: FlaskClient) -> None:
    again = client.post("/block/trace", json=BODY, headers={"If-None-Match": f'"other", {tag(client, BODY)}'})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("held", ['W/"other"', "*", "garbage"])
def test_another_tag_gets_the_answer(client: FlaskClient, held: str) -> None:
    assert client.post("/block/trace", json=BODY, headers={"If-None-Match": held}).status_code == 200


def test_spelling_does_not_change_the_tag(client: FlaskClient) -> None:
    spelled = json.dumps(BODY, indent=3).replace("[1,", "[1.0,").replace('"seed": 1', '"seed": 1.0')
    other = client.post("/block/trace", data=spelled, content_type="application/json")
    assert other.headers["ETag"] == tag(client, BODY)
    assert tag(client, dict(reversed(BODY.items()))) == tag(client, BODY)


def test_a_binary_spelling_does_not_change_the_tag(client: FlaskClient) -> None:
    rest = {key: value for key, value in BODY.items() if key != "x"}
    body = save({"x": np.array([[1.0, 2.0]])}, {"request": json.dumps(rest)})
    binary = client.post("/block/trace", data=body, content_type=SAFETENSORS)
    assert binary.headers["ETag"] == tag(client, BODY)


@pytest.mark.parametrize(
    "change", [{"x": [[1, 2.5]]}, {"x": [[1], [2]]}, {"seed": 2}, {"select": ["residual_1"]}, {"tokens": [0]}]
)
def test_another_request_has_another_tag(client: FlaskClient, change: dict[str, Any]) -> None:
    block = {"n_heads": 1, "d_ff": 2}
    assert tag(client, {**BODY, "block": block, **change}) != tag(client, BODY)


def test_another_representation_has_another_tag_and_vary_says_so(client: FlaskClient) -> None:
    assert tag(client, BODY, Accept=SAFETENSORS) != tag(client, BODY)
    assert "Accept" in client.post("/block/trace", json=BODY).headers["Vary"]


def test_the_tag_does_not_depend_on_computed_numbers(client: FlaskClient) -> None:
    full = {**BODY, "select": ["output"], "block": {"n_heads": 1, "d_ff": 2, "dtype": "float32"}}
    held = tag(client, full)
    assert client.post("/block/trace", json=full, headers={"If-None-Match": held}).status_code == 304


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("/examples", "public, max-age=300"),
        ("/limits", "public, max-age=300"),
        ("/health/live", "no-store"),
        ("/health/ready", "no-store"),
        ("/nowhere", "no-store"),
    ],
)
def test_each_route_says_how_long_it_may_be_kept(client: FlaskClient, path: str, policy: str) -> None:
    assert client.get(path).headers["Cache-Control"] == policy


def test_a_computed_answer_is_asked_for_again_each_time(client: FlaskClient) -> None:
    assert client.post("/block/trace", json=BODY).headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("path", GETS)
def test_head_has_the_headers_of_get_and_no_body(client: FlaskClient, path: str) -> None:
    got, head = client.get(path), client.head(path)
    assert (head.status_code, head.data) == (200, b"")
    for name in ("Content-Type", "Content-Length", "ETag", "Cache-Control"):
        assert head.headers[name] == got.headers[name]


@pytest.mark.parametrize(
    ("path", "allowed"), [("/block/trace", "OPTIONS, POST"), ("/limits", "GET, HEAD, OPTIONS")]
)
def test_options_says_what_is_allowed(client: FlaskClient, path: str, allowed: str) -> None:
    answer = client.options(path)
    assert answer.status_code == 200
    assert ", ".join(sorted(answer.headers["Allow"].split(", "))) == allowed
