"""POST /block/...: what goes in and what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

OWN = {"block": {"n_heads": 2, "d_ff": 3}, "seed": 1, "x": [[1, 0, 1, 0], [0, 1, 0, 1]]}


def trace(client: FlaskClient, body: Any) -> dict[str, Any]:
    answer = client.post("/block/trace", json=body)
    assert answer.status_code == 200, answer.get_json(force=True)
    found: dict[str, Any] = answer.get_json()
    return found


def refused(client: FlaskClient, body: Any, path: str = "/block/trace") -> list[dict[str, Any]]:
    answer = client.post(path, json=body)
    assert answer.status_code == 422, answer.data
    found: list[dict[str, Any]] = answer.get_json(force=True)["errors"]
    return found


def test_a_trace_names_every_step_with_axes_formula_parents_and_value(client: FlaskClient) -> None:
    steps = trace(client, {"example": "lecture-05"})["steps"]
    assert steps[0]["name"] == "x"
    assert steps[0]["op"] == "given"
    names = set()
    for step in steps:
        assert list(np.shape(step["value"])) == step["shape"]
        assert len(step["axes"]) == len(step["shape"])
        assert step["latex"]
        names.add(step["name"])
        assert {each for each in step["inputs"] if "." not in each or each in names} <= names


def test_a_named_example_is_patched_by_the_other_fields(client: FlaskClient) -> None:
    plain = trace(client, {"example": "lecture-05", "select": ["norm_1.output"]})
    patched = trace(client, {"example": "lecture-05", "block": {"epsilon": 1}, "select": ["norm_1.output"]})
    assert (plain["provenance"], patched["provenance"]) == ("published", "modified")
    assert plain["steps"][0]["value"] != patched["steps"][0]["value"]
    assert patched["block"]["epsilon"] == 1


def test_null_removes_what_the_example_set(client: FlaskClient) -> None:
    (fault,) = refused(client, {"example": "lecture-05", "x": None})
    assert "x" in fault["detail"]


def test_masked_scores_are_json_that_every_parser_reads(client: FlaskClient) -> None:
    body = {**OWN, "block": {**OWN["block"], "mask": "causal"}, "select": ["attention.masked_scores"]}
    (step,) = trace(client, body)["steps"]
    assert step["value"][0][0][1] == "-Infinity"


@pytest.mark.parametrize(
    ("body", "pointer", "expected", "got"),
    [
        ({**OWN, "extra": 1}, "/extra", None, "number"),
        ({**OWN, "block": {"n_head": 2}}, "/block/n_head", None, "number"),
        ({**OWN, "block": {"norm": "batch_norm"}}, "/block/norm", ["layer_norm", "rms_norm"], "batch_norm"),
        ({**OWN, "block": {"n_heads": 0}}, "/block/n_heads", ">= 1", 0),
        ({**OWN, "block": {"n_heads": "2"}}, "/block/n_heads", ">= 1", "string"),
        ({**OWN, "block": {"n_heads": True}}, "/block/n_heads", ">= 1", True),
        ({**OWN, "block": {"epsilon": -1}}, "/block/epsilon", ">= 0", -1.0),
        ({**OWN, "x": [[1, 2], [3]]}, "/x/1", 2, 1),
        ({**OWN, "x": [[1, True]]}, "/x/0/1", "number", "boolean"),
        ({**OWN, "x": [["1", 2]]}, "/x/0/0", "number", "string"),
        ({**OWN, "x": [[1, None]]}, "/x/0/1", "number", "null"),
        ({**OWN, "x": [["-Infinity", 1]]}, "/x/0/0", "number", "string"),
        ({**OWN, "x": 3}, "/x", None, None),
        ({**OWN, "parameters": {"attention.w_q": [[1, 2]]}}, "/parameters/attention.w_q", None, None),
        ({**OWN, "parameters": {"attention.w~/": [1]}}, "/parameters/attention.w~0~1", None, None),
        ({**OWN, "select": ["norm_7.output"]}, "/select/0", None, "norm_7.output"),
        ({**OWN, "select": "output"}, "/select", "array", "string"),
        ({**OWN, "tokens": [-1]}, "/tokens/0", ">= 0", -1),
        ({**OWN, "interventions": [{"step": "x", "set": 0, "add": 1}]}, "/interventions/0", None, None),
        ({**OWN, "example": "lecture-99"}, "/example", None, "lecture-99"),
        ([], "", "object", "array"),
    ],
)
def test_what_is_wrong_is_told_with_pointer_expected_and_got(
    client: FlaskClient, body: Any, pointer: str, expected: Any, got: Any
) -> None:
    faults = refused(client, body)
    assert [fault["pointer"] for fault in faults] == [pointer]
    (fault,) = faults
    assert fault["detail"]
    assert expected is None or fault["expected"] == expected
    assert got is None or fault["got"] == got


def test_all_faults_are_told_at_once(client: FlaskClient) -> None:
    faults = refused(client, {"x": [[True]], "block": {"n_heads": 0, "foo": 1}, "bar": 2})
    assert [fault["pointer"] for fault in faults] == ["/bar", "/block/foo", "/block/n_heads", "/x/0/0"]


def test_a_weight_that_a_needed_step_lacks_is_named(client: FlaskClient) -> None:
    faults = refused(client, {key: value for key, value in OWN.items() if key != "seed"})
    assert any("attention.w_q" in fault["pointer"] + fault["detail"] for fault in faults)


def test_a_plan_is_the_trace_without_its_values(client: FlaskClient) -> None:
    traced = trace(client, OWN)
    answer = client.post("/block/plan", json=OWN)
    assert answer.status_code == 200
    planned = answer.get_json()
    shown = ("name", "symbol", "axes", "shape", "op", "inputs", "latex")
    assert [[step[key] for key in shown] for step in planned["steps"] if step["op"] != "parameter"] == [
        [step[key] for key in shown] for step in traced["steps"]
    ]
    assert planned["block"] == traced["block"]
    assert planned["estimate"]["elements"] == sum(
        int(np.prod(step["shape"])) for step in planned["steps"] if step["op"] != "parameter"
    )


def test_the_same_request_gives_the_same_bytes(client: FlaskClient) -> None:
    assert client.post("/block/trace", json=OWN).data == client.post("/block/trace", json=OWN).data
