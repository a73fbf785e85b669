"""Content negotiation."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.api.media import JSON, SAFETENSORS, SVG, chosen_language, chosen_media, language_note
from service.errors import NotAcceptable


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (SAFETENSORS, SAFETENSORS),
        (f"{SAFETENSORS}, {JSON}", JSON),
        (f"{SAFETENSORS};q=0.9, {JSON};q=0.8", SAFETENSORS),
        (f"{SAFETENSORS}, */*;q=0.1", SAFETENSORS),
        (f"{JSON};q=0, */*", SAFETENSORS),
        (f"text/html, {SAFETENSORS};q=0.001", SAFETENSORS),
        ("application/json; charset=utf-8", JSON),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", JSON),
    ],
)
def test_the_representation_that_accept_likes_best_is_chosen(
    app: Flask, accept: str | None, chosen: str
) -> None:
    headers = {} if accept is None else {"Accept": accept}
    with app.test_request_context(headers=headers):
        assert chosen_media((JSON, SAFETENSORS)) == chosen


@pytest.mark.parametrize("accept", ["image/png", f"{JSON};q=0", "*/*;q=0", "application/problem+json"])
def test_what_nobody_offers_is_refused_naming_what_there_is(app: Flask, accept: str) -> None:
    with app.test_request_context(headers={"Accept": accept}), pytest.raises(NotAcceptable) as refused:
        chosen_media((JSON, SVG))
    assert refused.value.faults[0].expected == [JSON, SVG]


@pytest.mark.parametrize(
    ("query", "accept", "chosen"),
    [
        ("", None, "zh"),
        ("", "en", "en"),
        ("", "en-GB, zh;q=0.5", "en"),
        ("", "zh-CN, en;q=0.5", "zh"),
        ("", "fr", "zh"),
        ("?lang=en", "zh", "en"),
        ("?lang=zh", "en", "zh"),
    ],
)
def test_the_language_is_asked_for_else_accepted_else_chinese(
    app: Flask, query: str, accept: str | None, chosen: str
) -> None:
    headers = {} if accept is None else {"Accept-Language": accept}
    with app.test_request_context(query, headers=headers):
        assert chosen_language() == chosen


@pytest.mark.parametrize("query", ["?lang=fr", "?lang=", "?lang=*"])
def test_a_language_that_there_is_not_is_said_and_another_served(app: Flask, query: str) -> None:
    with app.test_request_context(query, headers={"Accept-Language": "en"}):
        assert chosen_language() == "en"
        assert language_note("en")["language_note"]["available"] == ["zh", "en"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
        {"Content-Type": "application/json", "Content-Encoding": "br"},
        {},
    ],
)
def test_a_body_of_another_type_or_coding_is_refused(client: FlaskClient, headers: dict[str, str]) -> None:
    answer = client.post("/block/trace", data=b'{"example": "lecture-05"}', headers=headers)
    assert answer.status_code == 415
    readable = answer.get_json(force=True)["errors"][0]["expected"]
    header = "Accept-Encoding" if "Content-Encoding" in headers else "Accept"
    assert answer.headers[header] == ", ".join(readable)


def test_a_merge_patch_may_say_that_it_is_one(client: FlaskClient) -> None:
    path, patch = "/lectures/R44/states/b3", b'{"block": {"epsilon": 0.1}}'
    said = client.post(path, data=patch, content_type="application/merge-patch+json")
    assert said.status_code == 200
    assert said.get_json() == client.post(path, data=patch, content_type="application/json").get_json()
    assert (
        client.post("/block/trace", data=patch, content_type="application/merge-patch+json").status_code
        == 415
    )


def test_json_may_say_that_it_is_utf_8_and_uncompressed(client: FlaskClient) -> None:
    headers = {"Content-Type": "application/json; charset=UTF-8", "Content-Encoding": "identity"}
    answer = client.post("/block/trace", data=b'{"example": "lecture-05"}', headers=headers)
    assert answer.status_code == 200
