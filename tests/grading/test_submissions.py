"""A file of submissions in, a table of verdicts out."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from service import grading
from service.cli import main
from service.errors import InvalidRequest
from service.grading import submissions

RIGHT = [["1.171", "0.650", "−0.385", "−1.435"]]
DIVIDED_BY_3 = [[1.014, 0.563, -0.334, -1.243]]
CHECK = {"trace": {"example": "lecture-05"}, "step": "norm_1.output", "tokens": [0]}
FILE = {
    "check": CHECK,
    "submissions": [
        {"student": "a1", "answer": RIGHT},
        {"student": "a2", "answer": DIVIDED_BY_3},
        {"student": "a3", "answer": [[1.171, 0.650, 0.385, 1.435]]},
        {"student": "a4", "step": "residual_1", "answer": [[2, 1.599, 0.802, -0.006]]},
    ],
}


def table(data: Any) -> list[tuple[str, ...]]:
    return [each.cells() for each in submissions.grade(data)]


def test_every_submission_gets_its_score_and_first_diagnosis() -> None:
    assert table(FILE) == [
        ("a1", "1", ""),
        ("a2", "0", "sample_variance"),
        ("a3", "0.5", ""),
        ("a4", "1", ""),
    ]


def test_a_row_says_what_a_check_of_its_own_says() -> None:
    rng_answers = [[[0.1 * i, 0.65, -0.385, -1.435]] for i in range(8)]
    data = {
        "check": CHECK,
        "submissions": [{"student": str(i), "answer": a} for i, a in enumerate(rng_answers)],
    }
    for row, answer in zip(submissions.grade(data), rng_answers, strict=True):
        verdict = grading.check(grading.Check.from_data({**CHECK, "answer": answer}))
        assert row.score == verdict.score
        assert row.diagnosis == (verdict.diagnoses[0].name if verdict.diagnoses else "")


def test_a_question_is_worked_out_once_however_many_answer_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        submissions, "question", lambda check: asked.append(check.step) or grading.question(check)
    )
    data = {"check": CHECK, "submissions": [{"student": str(i), "answer": DIVIDED_BY_3} for i in range(30)]}
    assert {row.diagnosis for row in submissions.grade(data)} == {"sample_variance"}
    assert asked == ["norm_1.output"]
    carried = [{"norm_1.mean": [i]} for i in range(3)]
    data["submissions"] = [{"student": "b", "answer": RIGHT, "carried": each} for each in carried]
    list(submissions.grade(data))
    assert len(asked) == 4


def test_an_answer_that_cannot_be_read_has_no_score_and_its_fault_is_kept() -> None:
    data = {"check": CHECK, "submissions": [{"student": "b1", "answer": [["1,171", 0, 0, 0]]}]}
    (row,) = submissions.grade(data)
    assert row.cells() == ("b1", "", "")
    assert row.faults[0].pointer == "/submissions/0/answer/0/0"
    assert "1.171" in row.faults[0].detail


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@x"])
def test_a_student_s_name_is_never_a_formula(name: str) -> None:
    data = {"check": CHECK, "submissions": [{"student": name, "answer": RIGHT}]}
    assert table(data)[0][0] == f"'{name}"


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ([], ""),
        ({"check": CHECK}, "/submissions"),
        ({"submissions": {}}, "/submissions"),
        ({"submissions": [], "answers": []}, "/answers"),
        ({"check": [1], "submissions": []}, "/check"),
        ({"submissions": [1]}, "/submissions/0"),
        ({"submissions": [{"answer": RIGHT}]}, "/submissions/0/student"),
        ({"submissions": [{"student": 7}]}, "/submissions/0/student"),
    ],
)
def test_a_file_that_is_wrong_is_refused_where_it_is(data: Any, pointer: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        list(submissions.grade(data))
    assert refusal.value.faults[0].pointer == pointer


def test_the_command_writes_csv(tmp_path: Path) -> None:
    path = tmp_path / "submissions.json"
    path.write_text(json.dumps(FILE))
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 0
    rows = list(csv.DictReader(StringIO(result.stdout)))
    assert [row["student"] for row in rows] == ["a1", "a2", "a3", "a4"]
    assert rows[1]["diagnosis"] == "sample_variance"
    out = tmp_path / "scores.csv"
    result = CliRunner().invoke(main, ["check", "-", "--output", str(out)], input=json.dumps(FILE))
    assert result.exit_code == 0
    assert list(csv.DictReader(StringIO(out.read_text()))) == rows


def test_the_command_tells_what_could_not_be_judged(tmp_path: Path) -> None:
    path = tmp_path / "submissions.json"
    path.write_text(json.dumps({"check": CHECK, "submissions": [{"student": "c1", "answer": [["1,2"]]}]}))
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 1
    assert "c1: /submissions/0/answer/0/0" in result.stderr
    path.write_text("{")
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 1
    assert "is not JSON" in result.stderr
