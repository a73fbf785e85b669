"""What the README shows is what the service does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask.testing import FlaskClient

README = (Path(__file__).parent.parent / "README.md").read_text()


def test_the_request_shown_has_the_answer_shown(client: FlaskClient) -> None:
    request = re.search(r"curl -s http://127\.0\.0\.1:8000(\S+) .*?-d '(.*?)'", README, flags=re.DOTALL)
    shown = re.search(r"```json\n(.*?)```", README, flags=re.DOTALL)
    assert request is not None
    assert shown is not None
    answer = client.post(request[1], json=json.loads(request[2]))
    assert answer.get_json()["steps"] == json.loads(shown[1])


def test_the_refusal_shown_is_the_refusal_made(client: FlaskClient) -> None:
    section = README.partition("## Over HTTP")[2]
    request = re.search(r"curl -s http://127\.0\.0\.1:8000(\S+) .*?-d '(.*?)'", section, flags=re.DOTALL)
    shown = re.search(r"```json\n(.*?)```", section, flags=re.DOTALL)
    assert request is not None
    assert shown is not None
    made = client.post(request[1], json=json.loads(request[2])).get_json(force=True)
    assert {**made, "request_id": None} == {**json.loads(shown[1]), "request_id": None}


def test_the_table_of_requests_is_the_whole_service(client: FlaskClient) -> None:
    table = set(re.findall(r"`((?:GET|POST) /\S*)`", README))
    document = client.get("/openapi.json").get_json()
    described = {
        f"{method.upper()} {path}"
        for path, each in document["paths"].items()
        for method in each.keys() & {"get", "post"}
    }
    shared = {f"POST {path}" for method, path in (each.split() for each in table) if method == "GET"}
    assert described - shared <= table
    assert {each for each in table if each not in described} == {"GET /", "GET /openapi.json", "GET /docs"}
