"""The OpenAPI document: complete, executable, and as strict as the code, neither more nor less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from marshmallow import ValidationError

from service.api import openapi
from service.api.media import JSON
from service.api.problems import PROBLEM
from service.api.schemas.requests import TraceRequest
from service.app import create_app
from service.errors import BlockwalkError
from service.settings import Settings

DOCUMENT = openapi.document(create_app(Settings()))
OPERATIONS = {
    operation["operationId"]: (method.upper(), path, item, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if method != "parameters"
}
each_operation = pytest.mark.parametrize("name", OPERATIONS)


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    """A validator for one schema of the document, its references resolved in the document."""
    return Draft202012Validator({**schema, "components": DOCUMENT["components"]})


def conforms(schema: dict[str, Any], value: Any) -> None:
    wrong = [error.message for error in validator(schema).iter_errors(value)]
    assert not wrong, wrong[:3]


def samples(name: str) -> Iterator[tuple[str, str, str, Any, dict[str, Any]]]:
    """The examples of an operation: media type, method, address, body, documented answer."""
    method, path, item, operation = OPERATIONS[name]
    known = [*item.get("parameters", []), *operation.get("parameters", [])]
    url = path.format(**{each["name"]: each["example"] for each in known if "example" in each})
    bodies = operation.get("requestBody", {}).get("content", {}).get(JSON, {}).get("examples", {})
    for media, content in operation["responses"]["200"]["content"].items():
        for key, example in content.get("examples", {}).items():
            yield media, method, url, bodies.get(key, {}).get("value"), example["value"]


def nearly(left: Any, right: Any) -> bool:
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(nearly(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(nearly, left, right))
    if isinstance(left, float):
        return bool(left == pytest.approx(right, rel=1e-8, abs=1e-12))
    return bool(left == right)


@each_operation
def test_every_operation_says_what_it_does_and_shows_an_example(name: str) -> None:
    _, path, _, operation = OPERATIONS[name]
    assert operation["summary"].endswith(".")
    assert operation["tags"]
    assert list(samples(name)), path
    if "requestBody" in operation:
        assert operation["requestBody"]["content"][JSON]["examples"]


@each_operation
def test_every_example_is_answered_as_the_document_says(name: str, client: FlaskClient) -> None:
    _, _, _, operation = OPERATIONS[name]
    for media, method, url, body, documented in samples(name):
        answer = client.open(url, method=method, json=body, headers={"Accept": media})
        assert (answer.status_code, answer.mimetype) == (200, media)
        if media != JSON:
            assert answer.get_data(as_text=True) == documented
            continue
        assert nearly(documented, answer.get_json())
        conforms(operation["responses"]["200"]["content"][media]["schema"], answer.get_json())


@each_operation
def test_every_example_of_a_body_fits_its_own_schema(name: str) -> None:
    content = OPERATIONS[name][3].get("requestBody", {}).get("content", {}).get(JSON)
    for example in content["examples"].values() if content else ():
        conforms(content["schema"], example["value"])


@each_operation
def test_every_operation_documents_its_errors_as_problems(name: str) -> None:
    _, path, _, operation = OPERATIONS[name]
    expected = {"406", "500"}
    expected |= {"400", "413", "415", "422"} if "requestBody" in operation else set()
    expected |= {"404"} if "{" in path else set()
    assert expected <= set(operation["responses"])
    for status, response in operation["responses"].items():
        if status >= "400":
            shared = DOCUMENT["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
            assert list(shared["content"]) == [PROBLEM]
            assert "X-Request-ID" in shared["headers"]


@each_operation
def test_an_answer_has_every_header_that_the_document_promises(name: str, client: FlaskClient) -> None:
    promised = set(OPERATIONS[name][3]["responses"]["200"]["headers"])
    media, method, url, body, _ = next(samples(name))
    assert promised <= set(
        client.open(url, method=method, json=body, headers={"Accept": media}).headers.keys()
    )


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/block/trace", {"x": [[1, None]], "y": 1}),
        ("POST", "/block/trace", {"block": {"n_heads": 2**40, "d_model": 2**41}, "x": [[1]], "seed": 1}),
        ("GET", "/examples/nothing", None),
        ("PUT", "/block/trace", None),
        ("GET", "/nothing", None),
    ],
)
def test_every_problem_fits_its_schema(client: FlaskClient, method: str, path: str, body: Any) -> None:
    answer = client.open(path, method=method, json=body)
    assert answer.status_code >= 400
    conforms({"$ref": "#/components/schemas/Problem"}, answer.get_json(force=True))


# -- as strict as the code ---------------------------------------------------------------------------

NUMBERS = [-1, -0.5, 0, -0.0, 1e-9, 0.5, 0.999, 1, 1.0, 1.5, 2, 7, 10000, 2**53, 2**63 - 1, 2**63, 1e300]
WORDS = [
    "",
    "1",
    "true",
    "null",
    "NaN",
    "-Infinity",
    "post",
    "pre",
    "encoder",
    "decoder",
    "layer_norm",
    "relu",
]
WORDS += ["swiglu", "float64", "float16", "int8", "causal", "top_left", "x", "*", "output"]
LISTS = [
    [],
    [1],
    [0, 1],
    [0, 0],
    [-1],
    [1.5],
    [True],
    [None],
    ["x"],
    [[1, 2]],
    [[True, False]],
    [[]],
    [[[1]]],
]
LISTS += [
    [[[True]]],
    [[[[1]]]],
    [[[[[1]]]]],
    [["-Infinity", 0]],
    [["NaN"]],
    [["Infinity"]],
    [[True, 1]],
    ["x"] * 257,
]
OBJECTS: list[Any] = [
    {},
    {"causal": True},
    {"causal": None},
    {"causal": "yes"},
    {"keep": [[True]]},
    {"keep": None},
]
OBJECTS += [
    {"keep": [[1]]},
    {"additive": [[0, "-Infinity"]]},
    {"additive": [["NaN"]]},
    {"additive": [[None]]},
]
OBJECTS += [
    {"causal": True, "keep": [[True]], "additive": [[0]]},
    {"keep": [[True]], "more": 1},
    {"causal": False},
]
OBJECTS += [{"keep": None, "additive": [[1]]}, {"rope": {}}, {"rope": {"theta": 1}}, {"rope": {"theta": 0}}]
OBJECTS += [
    {"rope": {"layout": "half"}},
    {"rope": {"layout": "full"}},
    {"rope": None},
    {"rope": {"theta": None}},
]
OBJECTS += [{"alibi": True}, {"alibi": False}, {"alibi": True, "rope": {}}, {"rope": {}, "alibi": None}]
OBJECTS += [{"a": [1]}, {"a": [[1]]}, {"a": [[[1]]]}, {"a": None}, {"a": 1}, {"a": []}]
EDITS: list[Any] = [
    {"step": "x", "set": 1},
    {"step": "x", "add": [[1]]},
    {"step": "x", "scale": [1]},
    {"set": 1},
]
EDITS += [{"step": "x"}, {"step": 1, "set": 1}, {"step": "x", "set": 1, "add": 1}, {"step": "x", "set": None}]
EDITS += [
    {"step": "x", "set": 1, "add": None},
    {"step": "x", "set": 1, "where": None},
    {"step": "x", "set": True},
]
EDITS += [{"step": "x", "set": 1, "where": {"token": [0]}}, {"step": "x", "set": 1, "where": {"token": []}}]
EDITS += [{"step": "x", "set": 1, "where": {}}, {"step": "x", "set": 1, "where": {"token": [0, 0]}}]
EDITS += [{"step": "x", "set": [[[[[[[[1]]]]]]]]}, {"step": "x", "set": []}, {"step": "x", "set": 1, "by": 1}]
POOL = [None, True, False, *NUMBERS, *WORDS, *LISTS, *OBJECTS, *([each] for each in EDITS)]

SCHEMAS = DOCUMENT["components"]["schemas"]
FIELDS = [("block", field) for field in SCHEMAS["Block"]["properties"]]
FIELDS += [("", field) for field in SCHEMAS["TraceRequest"]["properties"] if field != "example"]


@pytest.mark.parametrize(("inside", "field"), FIELDS, ids=lambda part: part or "request")
def test_the_document_accepts_exactly_what_the_code_accepts(inside: str, field: str) -> None:
    fits = validator({"$ref": "#/components/schemas/TraceRequest"}).is_valid
    taken = refused = 0
    for value in POOL:
        body = {inside: {field: value}} if inside else {field: value}
        try:
            TraceRequest().load(body)
            accepted = True
        except (BlockwalkError, ValidationError):
            accepted = False
        assert fits(body) == accepted, body
        taken, refused = taken + accepted, refused + (not accepted)
    assert taken
    assert refused


@pytest.mark.parametrize("body", [{"no_such_field": 1}, {"block": {"no_such_field": 1}}])
def test_unknown_fields_fit_neither_the_document_nor_the_code(body: dict[str, Any]) -> None:
    assert not validator({"$ref": "#/components/schemas/TraceRequest"}).is_valid(body)
    with pytest.raises(ValidationError):
        TraceRequest().load(body)
