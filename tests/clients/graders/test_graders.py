"""The snippets for graders, run against the service as far as they can be without the systems they are for.

What those systems provide is stood in for by as little as their documentation promises: PrairieLearn's `data`
dictionary and two of its functions, Otter's decorator and its passing of variables by name, nbgrader's taking
the value of a cell's last line.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from service import grading
from service.cli import main
from service.grading import TOPICS, ExerciseRequest

GRADERS = Path(__file__).parents[3] / "clients" / "graders"
RIGHT = [[1.171, 0.650, -0.385, -1.435]]
DIVIDED_BY_3 = [[1.014, 0.563, -0.334, -1.243]]


@pytest.fixture(autouse=True)
def address(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLOCKWALK_URL", service)


# -- PrairieLearn ---------------------------------------------------------------------------------


def weighted(data: dict[str, Any]) -> None:
    scores = [each["score"] for each in data["partial_scores"].values()]
    data["score"] = sum(scores) / len(scores)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The question's server.py, with `prairielearn` stood in for."""
    pl = ModuleType("prairielearn")
    pl.from_json = lambda stored: np.array(stored["_value"])  # type: ignore[attr-defined]  # a stand-in
    pl.set_weighted_score_data = weighted  # type: ignore[attr-defined]  # likewise
    monkeypatch.setitem(sys.modules, "prairielearn", pl)
    return runpy.run_path(str(GRADERS / "prairielearn" / "server.py"))


def variant(server: dict[str, Any], topic: str) -> dict[str, Any]:
    """The data of a fresh variant."""
    server["EXERCISE"]["topic"] = topic
    data: dict[str, Any] = {"variant_seed": 51, "params": {}, "feedback": {}, "partial_scores": {}}
    server["generate"](data)
    json.dumps(data)  # PrairieLearn stores it as JSON
    return data


def submit(server: dict[str, Any], data: dict[str, Any], answers: list[Any]) -> None:
    """Answers as the matrix elements hand them over: always of two dimensions."""
    data["submitted_answers"] = {
        part["name"]: {"_value": np.reshape(answer, (part["rows"], part["columns"])).tolist()}
        for part, answer in zip(data["params"]["asked"], answers, strict=True)
    }
    server["grade"](data)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_prairielearn_variant_is_graded_full_marks_for_the_right_numbers(
    server: dict[str, Any], topic: str
) -> None:
    data = variant(server, topic)
    asked = grading.exercise(ExerciseRequest(topic, 51)).asked
    submit(server, data, [each.answer.round(3) for each in asked])
    assert data["score"] == 1
    assert data["feedback"]["why"] == []


def test_a_prairielearn_slip_costs_once_and_is_explained(server: dict[str, Any]) -> None:
    data = variant(server, "add_and_norm")
    residual, mean, variance, _ = (
        each.answer for each in grading.exercise(ExerciseRequest("add_and_norm", 51)).asked
    )
    slipped = variance * 4 / 3
    normed = (residual - mean) / np.sqrt(slipped + 1e-5)
    submit(server, data, [each.round(3) for each in (residual, mean, slipped, normed)])
    assert [each["score"] for each in data["partial_scores"].values()] == [1, 1, 0, 1]
    assert len(data["feedback"]["why"]) == 1
    assert "n − 1" in data["feedback"]["why"][0]


def test_the_prairielearn_page_shows_only_what_there_is(server: dict[str, Any]) -> None:
    page = (GRADERS / "prairielearn" / "question.html").read_text()
    data = variant(server, "multi_head_output")
    for name in re.findall(r"\{\{#params\.(\w+)\}\}", page):
        section = re.search(rf"\{{\{{#params\.{name}\}}\}}(.*?)\{{\{{/params\.{name}\}}\}}", page, re.DOTALL)
        assert section
        fields = re.findall(r"\{\{+(\w+)\}\}+", section[1])
        assert fields
        for each in data["params"][name]:
            assert set(fields) <= each.keys()
    assert "{{params.statement}}" in page
    assert data["params"]["statement"]
    assert r"\begin{bmatrix}" in data["params"]["given"][0]["latex"]


# -- Otter and nbgrader ---------------------------------------------------------------------------


@pytest.fixture
def otter(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The test file, with Otter's decorator stood in for."""
    test_files = ModuleType("otter.test_files")
    test_files.test_case = lambda **_: lambda function: function  # type: ignore[attr-defined]  # a stand-in
    monkeypatch.setitem(sys.modules, "otter", ModuleType("otter"))
    monkeypatch.setitem(sys.modules, "otter.test_files", test_files)
    return runpy.run_path(str(GRADERS / "otter" / "q1.py"))


def run_otter(test: Any, environment: dict[str, Any]) -> None:
    """Call a test case as Otter does: its arguments are the notebook's variables of these names."""
    test(*(environment.get(name) for name in inspect.signature(test).parameters))


def test_otter_passes_the_right_numbers_and_explains_the_wrong_ones(otter: dict[str, Any]) -> None:
    assert otter["OK_FORMAT"] is False
    run_otter(otter["test_u"], {"u": np.array(RIGHT)})
    with pytest.raises(AssertionError, match="n − 1"):
        run_otter(otter["test_u"], {"u": np.array(DIVIDED_BY_3)})


def value_of_last_line(source: str, variables: dict[str, Any]) -> Any:
    """Run a cell as a notebook does."""
    *body, last = ast.parse(source).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(body, []), "cell", "exec"), variables)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), variables)


@pytest.mark.parametrize(
    ("u", "points"), [(RIGHT, 4), (DIVIDED_BY_3, 0), ([[1.171, 0.650, 0.385, 1.435]], 2)]
)
def test_nbgrader_gives_points_for_the_share_that_is_right(
    u: Any, points: float, capsys: pytest.CaptureFixture[str]
) -> None:
    source = (GRADERS / "nbgrader" / "tests_for_u.py").read_text()
    assert value_of_last_line(source, {"u": np.array(u)}) == points
    assert ("n − 1" in capsys.readouterr().out) == (u == DIVIDED_BY_3)


# -- the README -----------------------------------------------------------------------------------


def test_the_file_of_submissions_shown_gives_the_table_shown(tmp_path: Path) -> None:
    shown = dict(re.findall(r"```(json|text)\n(.*?)```", (GRADERS / "README.md").read_text(), re.DOTALL))
    path = tmp_path / "submissions.json"
    path.write_text(shown["json"])
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.output == shown["text"]


def test_every_file_that_the_readme_names_exists() -> None:
    for name in re.findall(r"\]\((?!http)([^)#]+)\)", (GRADERS / "README.md").read_text()):
        assert (GRADERS / name).exists(), name
