"""POST /checks, GET /misconceptions: what a grader or a player sees."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

WRONG = [["1.014", "0.563", "−0.334", "−1.243"]]
CHECK = {"trace": {"example": "lecture-05"}, "step": "norm_1.output", "tokens": [0], "answer": WRONG}


def post(client: FlaskClient, path: str, body: Any, status: int = 200, **headers: str) -> dict[str, Any]:
    answer = client.post(path, json=body, headers=headers)
    assert answer.status_code == status, answer.get_data(as_text=True)
    found: dict[str, Any] = answer.get_json(force=True)
    return found


def test_a_wrong_number_is_told_what_was_done_what_is_right_and_why(client: FlaskClient) -> None:
    verdict = post(client, "/checks", CHECK)
    assert verdict["elements"] == [[False, False, False, False]]
    assert (verdict["correct"], verdict["score"], verdict["expected"]) == (False, 0, None)
    (diagnosis,) = verdict["diagnoses"]
    assert diagnosis["misconception"] == "sample_variance"
    assert diagnosis["steps"] == ["norm_1.variance"]
    assert diagnosis["distance"] < 5e-4


def test_the_right_values_are_shown_only_to_those_who_ask(client: FlaskClient) -> None:
    verdict = post(client, "/checks", {**CHECK, "reveal": True})
    (step,) = post(client, "/block/trace", {**CHECK["trace"], "select": [CHECK["step"]]})["steps"]  # type: ignore[dict-item]  # the trace is a mapping
    assert verdict["expected"] == step["value"]


@pytest.mark.parametrize(("lang", "word"), [("zh", "方差"), ("en", "variance")])
def test_explanations_come_in_the_caller_s_language(client: FlaskClient, lang: str, word: str) -> None:
    headers = {"Accept-Language": lang}
    assert word in post(client, "/checks", CHECK, **headers)["diagnoses"][0]["explanation"]
    assert word in post(client, f"/checks?lang={lang}", CHECK)["diagnoses"][0]["explanation"]
    answer = client.get("/misconceptions", headers=headers)
    assert answer.headers["Content-Language"] == lang
    listed = answer.get_json()["misconceptions"]
    assert word in listed[0]["done"]
    for each in listed:
        assert {each["done"], each["right"], each["why"]} & {""} == set()
        assert each["explanation"].startswith(each["done"])


def test_an_answer_with_a_decimal_comma_is_refused_with_a_hint(client: FlaskClient) -> None:
    body = {**CHECK, "answer": [["1,014", 0, 0, 0]]}
    (fault,) = post(client, "/checks", body, 422)["errors"]
    assert fault["pointer"] == "/answer/0/0"
    assert "1.014" in fault["detail"]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"answer": None}, "/answer"),
        ({"trace": {"example": "lecture-05", "x": [[1, 2], [3]]}}, "/trace/x/1"),
        ({"trace": {"example": "nowhere"}}, "/trace/example"),
        ({"answer": [[1, 2, 3]]}, "/answer"),
        ({"hint": True}, "/hint"),
    ],
)
def test_a_check_that_does_not_fit_is_refused_by_pointer(
    client: FlaskClient, change: dict[str, Any], pointer: str
) -> None:
    assert post(client, "/checks", {**CHECK, **change}, 422)["errors"][0]["pointer"] == pointer
