"""The application as a whole: one problem shape for every error, request ids, headers."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.errors import Unavailable
from service.settings import Settings

MEMBERS = {"type", "title", "status", "detail", "instance", "request_id", "errors"}


@pytest.mark.parametrize(
    ("method", "path", "options", "status"),
    [
        ("GET", "/nowhere", {}, 404),
        ("GET", "/examples/lecture-99", {}, 404),
        ("DELETE", "/block/trace", {}, 405),
        ("GET", "/examples", {"headers": {"Accept": "image/png"}}, 406),
        ("POST", "/block/trace", {"data": b"x" * (3 * 1024 * 1024), "content_type": "application/json"}, 413),
        ("POST", "/block/trace", {"data": b"x=1", "content_type": "text/plain"}, 415),
        ("POST", "/block/trace", {"data": b"{", "content_type": "application/json"}, 400),
        ("POST", "/block/trace", {"json": {"x": [[None]]}}, 422),
    ],
)
def test_every_error_is_a_problem_document_of_one_shape(
    client: FlaskClient, method: str, path: str, options: dict[str, Any], status: int
) -> None:
    answer = client.open(path, method=method, **options)
    problem = answer.get_json(force=True)
    assert answer.status_code == problem["status"] == status
    assert answer.mimetype == "application/problem+json"
    assert set(problem) == MEMBERS
    assert problem["instance"] == path
    assert problem["request_id"] == answer.headers["X-Request-ID"]
    assert problem["errors"]
    assert all(set(each) == {"pointer", "detail", "expected", "got"} for each in problem["errors"])


def test_a_wrong_method_is_told_which_methods_are_allowed(client: FlaskClient) -> None:
    assert {"POST", "OPTIONS"} == set(client.get("/block/trace").headers["Allow"].split(", "))


def test_a_missing_example_is_told_which_examples_exist(client: FlaskClient) -> None:
    listed = [each["name"] for each in client.get("/examples").get_json()["examples"]]
    (fault,) = client.get("/examples/lecture-99").get_json(force=True)["errors"]
    assert fault["expected"] == listed
    assert fault["got"] == "lecture-99"


def test_the_explanation_of_a_problem_stands_at_its_type(client: FlaskClient) -> None:
    problem = client.post("/block/trace", data=b"{", content_type="application/json").get_json(force=True)
    explained = client.get(problem["type"]).get_json()
    assert (explained["title"], explained["status"]) == (problem["title"], 400)
    assert explained["description"]


@pytest.fixture
def breakable() -> Flask:
    """A service of its own with two views that fail."""
    app = create_app()

    @app.get("/broken")
    def broken() -> str:
        raise RuntimeError("a secret of the inside")

    @app.get("/busy")
    def busy() -> str:
        raise Unavailable("no place", retry_after=7)

    return app


def test_an_unexpected_failure_is_logged_with_its_trace_and_told_without_it(
    breakable: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = breakable.test_client().get("/broken")
    assert answer.status_code == 500
    assert answer.get_json(force=True)["type"] == "/problems/internal-error"
    assert b"secret" not in answer.data
    (record,) = (each for each in caplog.records if each.exc_info)
    assert "a secret of the inside" in str(record.exc_info)


def test_retry_after_survives_the_error_handler(breakable: Flask) -> None:
    answer = breakable.test_client().get("/busy")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "7")


def test_a_well_formed_request_id_is_echoed(client: FlaskClient) -> None:
    assert client.get("/limits", headers={"X-Request-ID": "lab-7.a_B"}).headers["X-Request-ID"] == "lab-7.a_B"


@pytest.mark.parametrize("sent", ["", "a b", "x" * 129, "<script>", "ä"])
def test_a_malformed_request_id_is_replaced(client: FlaskClient, sent: str) -> None:
    made = client.get("/limits", headers={"X-Request-ID": sent}).headers["X-Request-ID"]
    assert made != sent
    assert len(made) == 32


def test_a_request_is_logged_with_its_id(client: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="service.requests"):
        client.get("/limits", headers={"X-Request-ID": "find-me"})
    assert any("find-me" in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("path", ["/limits", "/docs", "/nowhere", "/openapi.json"])
def test_every_answer_forbids_sniffing_and_has_a_policy(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy or "script-src 'self';" in policy


def test_a_named_origin_may_read_answers_and_another_may_not() -> None:
    client = create_app(Settings(cors_origins=("https://lecture.example",))).test_client()
    named = client.get("/limits", headers={"Origin": "https://lecture.example"})
    assert named.headers["Access-Control-Allow-Origin"] == "https://lecture.example"
    assert {"ETag", "Retry-After", "X-Request-ID"} <= set(
        named.headers["Access-Control-Expose-Headers"].split(", ")
    )
    assert "Origin" in named.headers["Vary"]
    other = client.get("/limits", headers={"Origin": "https://lecture.example.evil"})
    assert "Access-Control-Allow-Origin" not in other.headers


def test_a_browser_may_ask_before_it_posts() -> None:
    client = create_app(Settings(cors_origins=("https://lecture.example",))).test_client()
    asked = {
        "Origin": "https://lecture.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type, if-none-match",
    }
    answer = client.options("/block/trace", headers=asked)
    assert answer.status_code == 200
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    assert answer.headers["Access-Control-Allow-Headers"].lower() == "content-type, if-none-match"


def test_without_a_setting_no_other_origin_may_read_answers(client: FlaskClient) -> None:
    answer = client.get("/limits", headers={"Origin": "https://lecture.example"})
    assert "Access-Control-Allow-Origin" not in answer.headers
