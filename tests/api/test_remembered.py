"""Published content is answered again as it was, to exactly those who asked for exactly that."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from flask import Flask

from service.api.remembered import LONGEST_QUESTION, Remembered
from service.app import create_app
from service.settings import Settings

STATE = "/lectures/R44/states/b2"
OWN = {"X-Request-ID", "Server-Timing"}


@pytest.fixture
def app() -> Flask:
    return create_app(Settings(cors_origins=("https://course.example",)))


@pytest.fixture
def asked(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths for which the application itself was asked."""
    paths: list[str] = []
    memory: Any = app.wsgi_app
    inner = memory.application

    def noted(environ: dict[str, Any], start_response: Any) -> Any:
        paths.append(environ["PATH_INFO"])
        return inner(environ, start_response)

    monkeypatch.setattr(memory, "application", noted)
    return paths


def test_the_second_answer_is_the_first_under_a_new_request_id(app: Flask, asked: list[str]) -> None:
    first, second = (app.test_client().get(STATE) for _ in range(2))
    assert asked == [STATE]
    assert (second.status, second.data) == (first.status, first.data)
    assert sorted(second.headers.keys()) == sorted(first.headers.keys())
    differing = {name for name, value in first.headers if second.headers[name] != value}
    assert "X-Request-ID" in differing
    assert differing <= OWN


def test_the_caller_s_own_request_id_comes_back(app: Flask) -> None:
    client = app.test_client()
    for sent in ("mine-1", "mine-2"):
        assert client.get(STATE, headers={"X-Request-ID": sent}).headers["X-Request-ID"] == sent
    assert client.get(STATE, headers={"X-Request-ID": "not\tgood"}).headers["X-Request-ID"] != "not\tgood"


def test_who_holds_it_is_told_so_again(app: Flask, asked: list[str]) -> None:
    client = app.test_client()
    tag = client.get(STATE).headers["ETag"]
    answers = [client.get(STATE, headers={"If-None-Match": tag}) for _ in range(2)]
    assert [(each.status_code, each.data) for each in answers] == [(304, b"")] * 2
    assert len(asked) == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"Accept-Language": "zh"},
        {"Accept": "application/json;q=0.5"},
        {"Origin": "https://course.example"},
        {"If-None-Match": "*"},
    ],
    ids=lambda headers: next(iter(headers)),
)
def test_whatever_an_answer_depends_on_is_asked_for_itself(
    app: Flask, asked: list[str], headers: dict[str, str]
) -> None:
    client = app.test_client()
    client.get(STATE, headers={"Accept-Language": "en"})
    first = client.get(STATE, headers=headers)
    assert len(asked) == 2
    fresh = create_app(Settings(cors_origins=("https://course.example",))).test_client()
    alone = fresh.get(STATE, headers=headers)
    assert (first.status, first.data) == (alone.status, alone.data)
    assert {n: v for n, v in first.headers if n not in OWN} == {
        n: v for n, v in alone.headers if n not in OWN
    }


@pytest.mark.parametrize(
    "request_of",
    [
        {"method": "HEAD", "path": STATE},
        {"method": "GET", "path": STATE, "headers": {"Authorization": "Bearer x"}},
        {"method": "GET", "path": STATE, "headers": {"X-API-Key": "x"}},
        {"method": "GET", "path": STATE, "data": b"{}"},
        {"method": "GET", "path": STATE, "query_string": "q=" + "x" * LONGEST_QUESTION},
        {"method": "GET", "path": "/lectures/R44/states/none"},
        {"method": "GET", "path": "/health/live"},
    ],
    ids=["head", "key", "another key", "body", "long", "refused", "not content"],
)
def test_everything_else_is_answered_by_the_application(
    app: Flask, asked: list[str], request_of: dict[str, Any]
) -> None:
    client = app.test_client()
    client.get(STATE)
    for _ in range(2):
        client.open(**request_of)
    assert len(asked) == 3


def test_a_remembered_answer_is_logged_like_any_other(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    client = app.test_client()
    lines = []
    with caplog.at_level(logging.INFO, "service.requests"):
        for _ in range(2):
            client.get(STATE)
            lines.append(caplog.records[-1].msg)
    first, second = ({k: v for k, v in line.items() if not k.endswith(("_ms", "_id"))} for line in lines)
    first.pop("timestamp"), second.pop("timestamp")
    assert first == second


def test_nothing_is_remembered_where_every_answer_is_charged() -> None:
    assert not isinstance(create_app(Settings(rate_units=100)).wsgi_app, Remembered)
