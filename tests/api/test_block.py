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
        ({**OWN, "parameters": {"a/b": [[1, True]]}}, "/parameters/a~1b/0/1", "number", "boolean"),
        ({**OWN, "parameters": [1]}, "/parameters", "object", "array"),
        ({**OWN, "parameters": {f"p{i}": [1] for i in range(257)}}, "/parameters", "at most 256", 257),
        ({**OWN, "select": ["x"] * 257}, "/select", "at most 256 items", 257),
        (
            {**OWN, "interventions": [{"step": "x", "add": 1}] * 257},
            "/interventions",
            "at most 256 items",
            257,
        ),
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


def test_an_edit_that_names_no_axis_touches_everything(client: FlaskClient) -> None:
    everywhere = {**OWN, "interventions": [{"step": "x", "scale": 2, "where": {}}], "select": ["x"]}
    assert trace(client, everywhere)["steps"][0]["value"] == (2 * np.array(OWN["x"])).tolist()


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


# -- compare, gradient, jacobian --------------------------------------------------------------------


def test_variants_are_compared_step_by_step_with_the_base(client: FlaskClient) -> None:
    body = {
        "base": {"example": "lecture-05-reconstructed", "select": ["residual_1"]},
        "variants": {
            "same": {},
            "pre_norm": {"block": {"norm_placement": "pre"}},
            "no_attention": {"interventions": [{"step": "attention.output", "set": 0}]},
        },
    }
    found = client.post("/block/compare", json=body).get_json()["variants"]
    assert found["same"]["first_difference"] is None
    assert found["no_attention"]["first_difference"] == "attention.output"
    assert found["pre_norm"]["only_in_variant"] or found["pre_norm"]["first_difference"]
    shown = {each["name"]: each for each in found["no_attention"]["steps"]}
    residual = shown["residual_1"]
    apart = np.abs(np.subtract(residual["base"]["value"], residual["variant"]["value"])).max()
    assert residual["max_abs_difference"] == apart > 0
    assert "base" not in shown["norm_1.output"]


def test_null_in_a_variant_removes_what_the_base_took_from_its_example(client: FlaskClient) -> None:
    body = {"base": {"example": "lecture-05"}, "variants": {"bare": {"x": None}}}
    faults = refused(client, body, "/block/compare")
    assert all(fault["pointer"].startswith("/variants/bare") for fault in faults)


def test_a_gradient_has_the_shape_of_what_it_differentiates_by(client: FlaskClient) -> None:
    body = {
        "trace": OWN,
        "of": "output",
        "wrt": ["x", "attention.w_o"],
        "cotangent": [[1, 0, 0, 0], [0, 0, 0, 0]],
    }
    answer = client.post("/block/gradient", json=body).get_json()
    assert answer["of"] == "norm_2.output"
    assert [each["shape"] for each in answer["gradients"]] == [[2, 4], [4, 4]]


def test_a_jacobian_comes_with_its_attestation(client: FlaskClient) -> None:
    body = {"trace": OWN, "of": "norm_2.output", "of_token": 0, "wrt": "x", "wrt_token": 1}
    answer = client.post("/block/jacobian", json=body).get_json()
    assert (answer["matrix"]["axes"], answer["matrix"]["shape"]) == (["of", "wrt"], [4, 4])
    assert answer["finite_difference"]["max_abs_error"] < 1e-6


def test_with_attention_stopped_the_first_sum_passes_its_input_straight_through(client: FlaskClient) -> None:
    body = {
        "trace": OWN,
        "of": "residual_1",
        "of_token": 0,
        "wrt": "x",
        "wrt_token": 0,
        "stop": ["attention.output"],
    }
    answer = client.post("/block/jacobian", json=body).get_json()
    assert answer["matrix"]["value"] == np.eye(4).tolist()


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("compare", {}, "/base"),
        ("compare", {"base": {"x": [[True]]}, "variants": {}}, "/base/x/0/0"),
        ("compare", {"base": {"example": "no"}, "variants": {}}, "/base/example"),
        ("compare", {"base": OWN, "variants": {"a/b": {"seed": "x"}}}, "/variants/a~1b/seed"),
        ("compare", {"base": OWN, "variants": {"v": {"example": "no"}}}, "/variants/v/example"),
        ("compare", {"base": OWN, "variants": {str(i): {} for i in range(17)}}, "/variants"),
        ("gradient", {"trace": {"x": [[None]]}, "of": "x", "wrt": ["x"]}, "/trace/x/0/0"),
        ("gradient", {"trace": {"example": "no"}, "of": "x", "wrt": ["x"]}, "/trace/example"),
        (
            "gradient",
            {"trace": {"x": [[1]]}, "of": "residual_1", "wrt": ["x"]},
            "/trace/parameters/attention.w_q",
        ),
        ("gradient", {"trace": OWN, "of": "nope", "wrt": ["x"]}, "/of"),
        ("gradient", {"trace": OWN, "of": "output", "wrt": ["x", "nope"]}, "/wrt/1"),
        ("gradient", {"trace": OWN, "of": "output", "wrt": []}, "/wrt"),
        ("gradient", {"trace": OWN, "of": "output", "wrt": ["x"], "stop": ["nope"]}, "/stop/0"),
        ("gradient", {"trace": OWN, "of": "output", "wrt": ["x"], "cotangent": [[1]]}, "/cotangent"),
        ("jacobian", {"trace": OWN, "of": "output", "wrt": "nope"}, "/wrt"),
        ("jacobian", {"trace": OWN, "of": "output", "wrt": "x", "of_token": 2}, "/of_token"),
        ("jacobian", {"trace": OWN, "of": "output", "wrt": "x", "wrt_token": -1}, "/wrt_token"),
        ("jacobian", {"of": "output", "wrt": "x"}, "/trace"),
    ],
)
def test_refusals_point_into_the_body_that_was_sent(
    client: FlaskClient, path: str, body: dict[str, Any], pointer: str
) -> None:
    assert pointer in [fault["pointer"] for fault in refused(client, body, f"/block/{path}")]
