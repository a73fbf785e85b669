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


EXERCISE = {"topic": "pre_or_post", "seed": 11, "difficulty": 2}


def test_an_exercise_carries_the_bodies_that_judge_it_and_show_its_working(client: FlaskClient) -> None:
    exercise = post(client, "/exercises", EXERCISE)
    assert exercise["check"] == exercise["asked"][-1]["check"]
    worked = [post(client, "/block/trace", body)["steps"] for body in exercise["working"]]
    for asked in exercise["asked"]:
        steps = worked[0] if "post" in asked["label"] else worked[1]
        (value,) = (step["value"] for step in steps if step["name"] == asked["step"])
        verdict = post(client, "/checks", {**asked["check"], "answer": value})
        assert verdict["correct"] is True


def test_a_jacobian_is_judged_like_a_step(client: FlaskClient) -> None:
    body = {"topic": "jacobian_direct_path", "seed": 4, "difficulty": 2}
    check = post(client, "/exercises", body)["check"]
    right = post(client, "/block/jacobian", {
        "trace": check["trace"], "of": check["step"], **check["jacobian"],
    })["matrix"]["value"]  # fmt: skip
    assert post(client, "/checks", {**check, "answer": right})["correct"] is True
    wrong = [[1 if i == j else 0 for j in range(3)] for i in range(3)]
    (diagnosis,) = post(client, "/checks", {**check, "answer": wrong})["diagnoses"]
    assert diagnosis["misconception"] == "derivative_taken_for_one"


def test_the_exercise_s_own_language_counts_before_the_browser_s(client: FlaskClient) -> None:
    told = {}
    for lang in ("zh", "en"):
        answer = client.post("/exercises", json={**EXERCISE, "lang": lang}, headers={"Accept-Language": "en"})
        assert answer.headers["Content-Language"] == lang
        told[lang] = answer.get_json()
    assert told["zh"]["statement"] != told["en"]["statement"]
    assert told["zh"]["given"] == told["en"]["given"]
    assert client.post("/exercises", json=EXERCISE).get_json()["lang"] == "zh"


@pytest.mark.parametrize(
    ("by", "pointer"),
    [
        ({"wrt": "y"}, "/jacobian/wrt"),
        ({"wrt": "x", "of_token": 9}, "/jacobian/of_token"),
        ({"wrt": "x", "stop": ["nothing"]}, "/jacobian/stop/0"),
        ({"by": "x"}, "/jacobian/by"),
    ],
)
def test_a_derivative_that_does_not_exist_is_refused_by_pointer(
    client: FlaskClient, by: dict[str, Any], pointer: str
) -> None:
    body = {"trace": {"example": "lecture-05"}, "step": "norm_1.output", "jacobian": by, "answer": [[1]]}
    errors = post(client, "/checks", body, 422)["errors"]
    assert pointer in [each["pointer"] for each in errors]
