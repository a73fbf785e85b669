"""What a request may cost."""

from __future__ import annotations

import json
import threading
import tracemalloc
from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient

from service import engine
from service.api.media import SAFETENSORS
from service.app import create_app
from service.settings import Settings


def client_with(**settings: Any) -> FlaskClient:
    return create_app(Settings(**settings)).test_client()


def test_the_limits_in_force_are_published() -> None:
    published = client_with(max_elements=77, max_json_bytes=5000).get("/limits").get_json()
    assert (published["max_elements"], published["max_json_bytes"]) == (77, 5000)


def test_a_request_over_the_limit_is_told_its_estimate_and_the_limit() -> None:
    answer = client_with(max_elements=10).post("/block/trace", json={"example": "lecture-05"})
    problem = answer.get_json(force=True)
    assert answer.status_code == 422
    assert problem["type"].endswith("/cost-limit")
    assert problem["estimate"]["elements"] > problem["limit"]["elements"] == 10


@pytest.mark.parametrize("size", [2**31, 2**62, 1e18])
def test_sizes_that_no_machine_could_hold_are_estimated_exactly_and_refused(size: float) -> None:
    body = {"block": {"n_heads": 1, "d_head": 4, "d_ff": size}, "seed": 1, "x": [[1, 2, 3, 4]]}
    answer = client_with().post("/block/trace", json=body)
    problem = json.loads(answer.data)
    assert (answer.status_code, problem["type"]) == (422, "/problems/cost-limit")
    assert problem["estimate"]["multiply_adds"] > 8 * int(size)
    assert isinstance(problem["estimate"]["bytes"], int)


def test_a_plan_tells_the_cost_of_what_would_be_refused() -> None:
    client = client_with(max_elements=10)
    planned = client.post("/block/plan", json={"example": "lecture-05"}).get_json()
    refused = client.post("/block/trace", json={"example": "lecture-05"}).get_json(force=True)
    assert planned["estimate"] == refused["estimate"]


@pytest.mark.parametrize("setting", ["max_elements", "max_bytes", "max_multiply_adds"])
def test_each_kind_of_cost_has_its_limit(setting: str) -> None:
    answer = client_with(**{setting: 1}).post("/block/trace", json={"example": "lecture-05"})
    assert answer.get_json(force=True)["type"].endswith("/cost-limit")


def test_an_answer_with_more_numbers_than_json_should_spell_is_left_to_safetensors() -> None:
    client = client_with(max_json_numbers=20)
    refused = client.post("/block/trace", json={"example": "lecture-05"})
    problem = refused.get_json(force=True)
    assert (refused.status_code, problem["type"]) == (422, "/problems/cost-limit")
    assert problem["limit"] == {"json_numbers": 20}
    assert SAFETENSORS in problem["detail"]
    binary = client.post("/block/trace", json={"example": "lecture-05"}, headers={"Accept": SAFETENSORS})
    fewer = client.post("/block/trace", json={"example": "lecture-05", "select": ["norm_*.mean"]})
    assert (binary.status_code, fewer.status_code) == (200, 200)


def test_a_request_that_costs_too_much_is_refused_before_anything_is_allocated() -> None:
    client = client_with()
    body = {"block": {"n_heads": 16, "d_model": 16}, "seed": 1, "x": [[0.5] * 16] * 2048}
    client.post("/block/trace", json=body)  # what is loaded once is loaded now
    tracemalloc.start()
    answer = client.post("/block/trace", json=body)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    problem = answer.get_json(force=True)
    assert problem["type"].endswith("/cost-limit")
    assert problem["estimate"]["bytes"] > 2**30
    assert peak < 16 * 2**20


def test_a_computation_whose_time_is_up_is_given_up_and_says_when_to_try_again() -> None:
    answer = client_with(deadline_seconds=1e-9).post("/block/trace", json={"example": "lecture-05"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert answer.get_json(force=True)["type"].endswith("/deadline-exceeded")


def test_a_computation_that_finds_no_place_is_sent_away_with_a_time_to_come_back() -> None:
    app = create_app(Settings(max_concurrent=1, queue_seconds=0))
    with app.extensions["blockwalk"]["slots"].taken():
        answer = app.test_client().post("/block/trace", json={"example": "lecture-05"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert app.test_client().post("/block/trace", json={"example": "lecture-05"}).status_code == 200


def test_light_requests_are_answered_while_every_place_is_taken() -> None:
    app = create_app(Settings(max_concurrent=1, queue_seconds=0))
    with app.extensions["blockwalk"]["slots"].taken():
        assert app.test_client().get("/health/ready").status_code == 200
        assert app.test_client().get("/examples").status_code == 200


def test_no_more_computations_run_at_once_than_there_are_places(monkeypatch: pytest.MonkeyPatch) -> None:
    running, most = 0, 0
    lock, turn = threading.Lock(), threading.Event()
    traced = engine.trace

    def watched(*args: Any, **kwargs: Any) -> engine.Trace:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        turn.wait(0.05)
        with lock:
            running -= 1
        return traced(*args, **kwargs)

    monkeypatch.setattr(engine, "trace", watched)
    app = create_app(Settings(max_concurrent=2, queue_seconds=30))
    statuses: list[int] = []

    def ask() -> None:
        statuses.append(app.test_client().post("/block/trace", json={"example": "lecture-05"}).status_code)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 8
    assert most == 2


@pytest.mark.parametrize(("size", "status"), [(1024, 422), (1025, 413)])
def test_a_json_body_may_be_as_long_as_the_limit_and_no_longer(size: int, status: int) -> None:
    body = b'{"a": "' + b"x" * (size - 9) + b'"}'
    answer = client_with(max_json_bytes=1024).post("/block/trace", data=body, content_type="application/json")
    assert (len(body), answer.status_code) == (size, status)
    if status == 413:
        assert answer.get_json(force=True)["errors"][0]["expected"] == 1024


def test_a_body_in_chunks_is_too_large_where_one_of_that_length_is() -> None:
    body = BytesIO(b"[" + b"1," * 2**21)
    answer = client_with().post(
        "/block/trace",
        input_stream=body,
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert answer.status_code == 413
    assert answer.get_json()["errors"][0]["expected"] == Settings().max_json_bytes
