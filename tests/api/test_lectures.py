"""GET and POST /lectures and below."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings

EXTRA = Path(__file__).parent.parent / "lectures" / "extra"


def get(client: FlaskClient, path: str, **options: Any) -> dict[str, Any]:
    answer = client.get(path, **options)
    assert answer.status_code == 200, answer.data
    found: dict[str, Any] = answer.get_json()
    return found


def test_every_lecture_is_listed_with_links_that_lead_to_its_states(client: FlaskClient) -> None:
    listed = get(client, "/lectures")["lectures"]
    assert [each["id"] for each in listed] == ["R44", "R45"]
    for each in listed:
        page = get(client, each["links"]["self"])
        states = get(client, each["links"]["states"])["states"]
        assert page["states"] == states
        for state in states:
            assert get(client, state["links"]["self"])["state"] == state["id"]


def test_following_next_reads_a_page_in_order_and_goes_on_to_the_next(client: FlaskClient) -> None:
    address: str | None = "/lectures/R44/states/b4"
    visited = []
    while address:
        state = get(client, address)
        visited.append(f"{state['lecture']}/{state['state']}")
        address = state["links"]["next"] or state["links"]["next_lecture"]
    assert visited == [
        *(f"R44/{name}" for name in ("b4", "b5", "b0", "b1", "b2", "b3")),
        *(f"R45/{name}" for name in ("b0", "b1", "b2", "b3")),
    ]


def test_the_trace_request_of_a_state_gives_the_values_of_its_rows(client: FlaskClient) -> None:
    state = get(client, "/lectures/R44/states/b3")
    traced = client.post(state["links"]["trace"], json=state["trace_request"]).get_json()
    values = {step["name"]: step["value"] for step in traced["steps"]}
    for row in [*state["figure"]["rows"], *state["figure"]["statistics"]]:
        assert values[row["step"]][row["token"]] == row["value"]


@pytest.mark.parametrize(
    ("path", "options", "lang"),
    [
        ("/lectures/R44", {}, "zh"),
        ("/lectures/R44?lang=en", {}, "en"),
        ("/lectures/R44?lang=zh", {"headers": {"Accept-Language": "en"}}, "zh"),
        ("/lectures/R44?lang=en-GB", {}, "en"),
        ("/lectures/R44", {"headers": {"Accept-Language": "en-US,en;q=0.9,zh;q=0.8"}}, "en"),
        ("/lectures/R44", {"headers": {"Accept-Language": "fr, zh-Hans;q=0.5, en;q=0.4"}}, "zh"),
        ("/lectures/R44", {"headers": {"Accept-Language": "fr"}}, "zh"),
        ("/lectures/R44", {"headers": {"Accept-Language": "zh;q=0, en;q=0.1"}}, "en"),
        ("/lectures/R44", {"headers": {"Accept-Language": "zh;q=0, *"}}, "en"),
        ("/lectures/R44", {"headers": {"Accept-Language": "*"}}, "zh"),
        ("/lectures/R44?lang=tlh", {"headers": {"Accept-Language": "en"}}, "en"),
    ],
)
def test_the_language_is_negotiated_and_named(
    client: FlaskClient, path: str, options: dict[str, Any], lang: str
) -> None:
    answer = client.get(path, **options)
    assert answer.headers["Content-Language"] == answer.get_json()["lang"] == lang
    assert "Accept-Language" in answer.headers["Vary"]


def test_an_unknown_language_is_said_and_served_in_another(client: FlaskClient) -> None:
    note = get(client, "/lectures/R44?lang=tlh")["language_note"]
    assert note == {"asked": "tlh", "served": "zh", "available": ["zh", "en"]}
    assert "language_note" not in get(client, "/lectures/R44?lang=en")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/lectures/R99", ["R44", "R45"]),
        ("/lectures/R99/states/b0", ["R44", "R45"]),
        ("/lectures/R44/states/b9", ["b4", "b5", "b0", "b1", "b2", "b3"]),
        ("/lectures/..%2FR44", None),
        ("/lectures/R44/states/..%2F..%2Fetc%2Fpasswd", None),
        ("/lectures/%2e%2e/states/b0", None),
        ("/lectures/r44", ["R44", "R45"]),
    ],
)
def test_what_does_not_exist_is_answered_with_what_does(
    client: FlaskClient, path: str, expected: list[str] | None
) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.mimetype == "application/problem+json"
    if expected is not None:
        assert answer.get_json(force=True)["errors"][0]["expected"] == expected


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("lecture", ["R44", "R45"])
def test_every_state_can_be_had_as_a_picture(client: FlaskClient, lecture: str, lang: str) -> None:
    for state in get(client, f"/lectures/{lecture}/states")["states"]:
        answer = client.get(f"{state['links']['figure']}?lang={lang}")
        assert answer.status_code == 200
        assert answer.mimetype == "image/svg+xml"
        assert answer.headers["Content-Language"] == lang
        assert "style-src 'unsafe-inline'" in answer.headers["Content-Security-Policy"]
        assert answer.text.startswith("<svg")


def test_a_picture_is_drawn_with_the_numbers_of_a_patch(client: FlaskClient) -> None:
    answer = client.post("/lectures/R44/states/b2/figure.svg", json={"block": {"epsilon": 0.1}})
    assert answer.status_code == 200
    assert "10⁻⁵ → 0.1" in answer.text


def test_a_theme_that_there_is_not_is_refused(client: FlaskClient) -> None:
    answer = client.get("/lectures/R44/states/b2/figure.svg?theme=sepia")
    assert answer.status_code == 422
    assert answer.get_json(force=True)["errors"][0]["expected"] == ["auto", "light", "dark"]


def test_extra_folders_are_served_beside_the_others(tmp_path: Path) -> None:
    (tmp_path / "BAD").mkdir()
    (tmp_path / "BAD" / "lecture.toml").write_text("title = 1")
    client = create_app(Settings(lectures=(str(EXTRA), str(tmp_path)))).test_client()
    listed = get(client, "/lectures")["lectures"]
    assert [(each["id"], each["available"]) for each in listed] == [
        ("R44", True), ("R45", True), ("C01", True), ("BAD", False),
    ]  # fmt: skip
    assert listed[-1]["reasons"][0]["file"] == "BAD/lecture.toml"
    assert client.get("/lectures/BAD").status_code == 404
    assert "cannot be served: 4 problems" in client.get("/lectures/BAD").get_json(force=True)["detail"]
    assert "C01-causal" in [each["name"] for each in get(client, "/examples")["examples"]]
    picture = client.get("/lectures/C01/states/a1/figure.svg")
    assert picture.status_code == 200
    state = get(client, "/lectures/C01/states/a1")
    traced = client.post(state["links"]["trace"], json=state["trace_request"]).get_json()
    values = {step["name"]: step["value"] for step in traced["steps"]}
    for heat_map in state["figure"]["heat_maps"]:
        assert values[heat_map["step"]][heat_map["head"]] == heat_map["value"]


def test_a_lecture_that_is_not_served_leaves_one_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "BAD").mkdir()
    (tmp_path / "BAD" / "lecture.toml").write_text("title = 1")
    with caplog.at_level(logging.WARNING, logger="service.app"):
        create_app(Settings(lectures=(str(tmp_path / "nowhere"), str(EXTRA), str(tmp_path))))
    missing, broken = [each for each in caplog.records if each.name == "service.app"]
    assert missing.levelname == broken.levelname == "WARNING"
    assert "nowhere is not served" in missing.getMessage()
    assert "No such file" in missing.getMessage()
    assert "lecture BAD is not served: BAD/lecture.toml:1: " in broken.getMessage()
    assert "3 more" in broken.getMessage()


def test_the_same_page_has_another_tag_where_other_lectures_are_served(client: FlaskClient) -> None:
    other = create_app(Settings(lectures=(str(EXTRA),))).test_client()
    tags = {each.get("/lectures").headers["ETag"] for each in (client, other)}
    assert len(tags) == 2


def test_a_row_that_vanishes_is_named_in_the_problem(client: FlaskClient) -> None:
    answer = client.post("/lectures/R44/states/b2", json={"block": {"norm": "rms_norm"}})
    assert answer.status_code == 422
    assert "row 'mean' of state b2" in answer.get_json(force=True)["detail"]


@pytest.mark.parametrize("picture", ["", "/figure.svg"])
def test_a_number_in_a_caption_that_vanishes_is_a_problem_of_the_patch(
    client: FlaskClient, picture: str
) -> None:
    eye = [[float(i == j) for i in range(4)] for j in range(4)]
    patch = {"block": {"d_ff": 4}, "parameters": {"ffn.w_1": eye, "ffn.b_1": [0] * 4, "ffn.w_2": eye}}
    answer = client.post(f"/lectures/R45/states/b0{picture}", json=patch)
    assert answer.status_code == 422
    (error,) = answer.get_json(force=True)["errors"]
    assert "row 'hidden'" in error["detail"]
    assert (error["expected"], error["got"]) == ("element 0 to 3", 4)


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({"bogus": 1}, 422, "/bogus"),
        ({"select": ["x"]}, 422, "/select"),
        ({"x": [[1, None]]}, 422, "/x/0/1"),
        ({"interventions": [{"step": "nothing", "set": 0}]}, 422, "/interventions/0/step"),
        ([1], 422, ""),
    ],
)
def test_a_patch_that_cannot_be_is_refused_by_pointer(
    client: FlaskClient, body: Any, status: int, pointer: str
) -> None:
    answer = client.post("/lectures/R44/states/b2", json=body)
    assert answer.status_code == status
    assert answer.get_json(force=True)["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize("lecture", ["R44", "R45"])
def test_every_link_of_a_page_leads_to_an_answer(client: FlaskClient, lecture: str) -> None:
    page = get(client, f"/lectures/{lecture}")
    links = [link for section in page["sections"] for part in section["parts"] for link in part["links"]]
    assert links
    for link in links:
        answer = client.open(link["href"], method=link["method"], json=link["body"])
        assert answer.status_code == 200, (link["id"], answer.data)
    for side in ("receives", "hands_on"):
        if page[side] and page[side]["href"]:
            get(client, page[side]["href"])
