"""The client against a real server: every operation, both transfers, and the examples in its docstrings."""

from __future__ import annotations

import base64
import doctest
import inspect
import json
from pathlib import Path
from typing import Any, get_type_hints
from xml.etree import ElementTree as ET

import blockwalk_client
import numpy as np
import pytest
import requests
from blockwalk_client import Client, InvalidRequest, NotFound, TooCostly, Trace, answers, body, safetensors

DOCUMENT = json.loads((Path(__file__).parents[3] / "openapi" / "openapi.json").read_text())
OPERATIONS = {
    operation["operationId"]
    for path in DOCUMENT["paths"].values()
    for operation in path.values()
    if isinstance(operation, dict) and "operationId" in operation
}
BEYOND = {"close", "trace_torch"}
SCHEMAS = DOCUMENT["components"]["schemas"]
TOPICS = SCHEMAS["ExerciseRequest"]["properties"]["topic"]["enum"]
PLAIN = [
    each for _, each in inspect.getmembers(answers, inspect.isclass) if each.__module__ == answers.__name__
]


def test_every_operation_is_a_method_of_its_name_and_every_method_an_operation() -> None:
    methods = {name for name, _ in inspect.getmembers(Client, inspect.isfunction) if not name.startswith("_")}
    # What recomputes a page's state, or its figure, is the same method with a patch.
    operations = {name.removeprefix("live_") for name in OPERATIONS}
    assert methods - BEYOND == operations


@pytest.mark.parametrize("answer", PLAIN, ids=lambda answer: answer.__name__)
def test_a_plain_answer_has_the_fields_that_the_service_documents(answer: Any) -> None:
    schema = SCHEMAS[answer.__name__]
    assert set(get_type_hints(answer)) == set(schema["properties"])
    assert answer.__required_keys__ == set(schema["required"])


def test_a_trace_takes_the_fields_that_the_service_documents() -> None:
    assert set(get_type_hints(body.TraceFields)) == set(SCHEMAS["TraceRequest"]["properties"])


@pytest.mark.parametrize("name", ["blockwalk_client", "client", "mathml"])
def test_the_examples_in_the_docstrings_hold(name: str, client: Client, base_url: str) -> None:
    module = blockwalk_client if name == "blockwalk_client" else getattr(blockwalk_client, name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    ran = doctest.TestResults(0, 0)
    for test in finder.find(module, globs={**vars(module), "Client": lambda _: client, "client": client}):
        test.examples = [each for each in test.examples if "import Client" not in each.source]
        ran = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(test)
        assert ran.failed == 0, test.name


def test_the_first_call_gives_the_lecture_s_numbers(lecture: Trace) -> None:
    assert [round(float(number), 6) for number in lecture["norm_1.output"][0]] == [
        1.170705, 0.649589, -0.385419, -1.434875,
    ]  # fmt: skip
    assert lecture.output.name == "norm_2.output"
    assert lecture.provenance == "published"


def test_fields_go_on_top_of_an_example(client: Client) -> None:
    trace = client.trace("lecture-05", select=["output"], block={"epsilon": 0.5})
    assert list(trace) == ["norm_2.output"]
    assert trace.block["epsilon"] == 0.5
    assert trace.provenance == "modified"


def test_none_takes_away_what_an_example_has_set(client: Client) -> None:
    assert client.trace("lecture-05-causal", block={"mask": None}).block["mask"] is None


def test_a_tensor_of_one_trace_goes_into_the_next_request(client: Client, causal: Trace) -> None:
    edit = {"step": "attention.output", "set": causal["attention.output"]}
    again = client.trace("lecture-05-reconstructed", interventions=[edit])
    assert np.array_equal(again.output, causal.output)


def large_request(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "x": rng.normal(size=(2, 40, 16)),
        "seed": 3,
        "block": {"n_heads": 4, "d_ff": 32, "mask": {"keep": np.tril(np.ones((40, 40), bool))}},
        "parameters": {"norm_1.gamma": rng.normal(size=16).astype(np.float32), "ffn.b_1": [0.5] * 32},
        "interventions": [
            {"step": "attention.output", "add": rng.normal(size=(2, 40, 16))},
            {"step": "ffn.hidden", "scale": 2, "where": {"d_ff": [0, 3]}},
        ],
        "tokens": np.array([0, 39]),
    }


class Recorder(requests.Session):
    """A session that remembers what it sent and what came back."""

    def send(self, request: requests.PreparedRequest, **more: Any) -> requests.Response:
        self.answer = super().send(request, **more)
        return self.answer

    def media(self) -> tuple[str, str]:
        return self.answer.request.headers["Content-Type"], self.answer.headers["Content-Type"]


@pytest.fixture
def recorder() -> Any:
    with Recorder() as session:
        yield session


def test_large_arrays_travel_as_bytes_both_ways_and_small_ones_as_json(
    base_url: str, recorder: Recorder
) -> None:
    client = Client(base_url, session=recorder)
    client.trace("lecture-05")
    assert recorder.media() == (body.JSON, body.JSON)
    client.trace(large_request(np.random.default_rng(1)))
    assert recorder.media() == (safetensors.MEDIA_TYPE, safetensors.MEDIA_TYPE)
    client.plan(large_request(np.random.default_rng(1)))
    assert recorder.media() == (safetensors.MEDIA_TYPE, body.JSON)


def test_many_tokens_make_a_large_answer_of_a_small_request(base_url: str, recorder: Recorder) -> None:
    Client(base_url, session=recorder).trace(x=[[1, 0]] * 80, seed=1, block={"n_heads": 1, "d_ff": 2})
    assert recorder.media() == (safetensors.MEDIA_TYPE, safetensors.MEDIA_TYPE)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_both_transfers_give_the_same_trace_to_the_last_bit(client: Client, dtype: str) -> None:
    request = large_request(np.random.default_rng(2))
    request["block"]["dtype"] = dtype
    as_bytes, as_json = client.trace(request, binary=True), client.trace(request, binary=False)
    assert list(as_bytes) == list(as_json)
    assert as_bytes.to_dict() == as_json.to_dict()
    for name in as_bytes:
        assert as_bytes[name].value.dtype == as_json[name].value.dtype == as_bytes[name].dtype
    assert as_bytes.output.dtype == dtype


def test_negative_infinity_survives_both_transfers(client: Client) -> None:
    mask = {"additive": np.triu(np.full((3, 3), -np.inf), 1)}
    for binary in (True, False):
        trace = client.trace("lecture-05-reconstructed", block={"mask": mask}, binary=binary)
        assert trace["attention.masked_scores"].at(head=0, query=0, key=2) == -np.inf
        assert trace["attention.weights"].at(head=0, query=0).tolist() == [1, 0, 0]


@pytest.mark.parametrize("binary", [True, False])
def test_what_is_no_array_is_refused_by_the_service_with_its_place(client: Client, binary: bool) -> None:
    for x in ([[1, 2], [3]], [[1, True]], [[1, None]], [[1], [2, 3], [4, 5, 6]], [[1, float("nan")]]):
        with pytest.raises(InvalidRequest) as caught:
            client.trace(x=x, seed=1, block={"n_heads": 1, "d_ff": 1}, binary=binary)
        assert caught.value.pointer is not None
        assert caught.value.pointer.startswith("/x/")


def test_a_missing_name_is_told_what_there_is(client: Client) -> None:
    with pytest.raises(NotFound) as caught:
        client.example("lecture-99")
    assert caught.value.errors[0]["expected"] == [each["name"] for each in client.examples()]
    assert caught.value.request_id
    assert client.problem(caught.value.type)["status"] == caught.value.status == 404


def test_a_request_that_costs_too_much_says_what_and_how_much(client: Client) -> None:
    most = client.limits()["max_elements"]
    with pytest.raises(TooCostly) as caught:
        client.trace(x=np.zeros((6000, 1)), seed=1, block={"n_heads": 1, "d_ff": 1})
    assert caught.value.estimate["elements"] > caught.value.limit["elements"] == most


def test_an_example_is_a_whole_request(client: Client, causal: Trace) -> None:
    request = client.example("lecture-05-causal")
    assert client.trace(request).output.tolist() == causal.output.tolist()


def test_a_gradient_has_the_shapes_of_what_it_differentiates_by(client: Client) -> None:
    found = client.gradient("lecture-05-reconstructed", of="output", wrt=["x", "attention.w_o"])
    assert found.of == "norm_2.output"
    assert {name: tensor.shape for name, tensor in found.items()} == {"x": (3, 4), "attention.w_o": (4, 4)}


def test_a_stopped_gradient_passes_through_the_residual_alone(client: Client) -> None:
    ones = np.ones((3, 4))
    found = client.gradient(
        "lecture-05-reconstructed", of="residual_1", wrt="x", cotangent=ones, stop=["attention.output"]
    )
    assert np.array_equal(found["x"], ones)


def test_a_jacobian_brings_its_attestation(client: Client) -> None:
    found = client.jacobian("lecture-05", of="residual_1", wrt="x", of_token=0, wrt_token=0)
    assert np.allclose(found, np.eye(4))
    assert "central differences" in repr(found)


def test_a_comparison_tells_where_variants_part(client: Client) -> None:
    variants = {"causal": {"block": {"mask": "causal"}}, "same": {}}
    found = client.compare({"example": "lecture-05-reconstructed", "select": ["output"]}, variants)
    assert list(found) == ["causal", "same"]
    causal = found["causal"]
    assert causal.first_difference == "attention.weights"
    assert causal.only_in_variant == ["attention.masked_scores"]
    assert found["same"].first_difference is None
    output = causal["norm_2.output"]
    assert output.base is not None
    assert output.variant is not None
    assert output.max_abs_difference == np.abs(np.asarray(output.base) - np.asarray(output.variant)).max()
    assert causal["x"].base is None
    assert "attention.weights" in repr(found)


def test_a_wrong_answer_is_explained_in_the_language_asked_for(
    client: Client, base_url: str, causal: Trace
) -> None:
    wrong = causal["norm_1.variance"].value * 4 / 3
    verdict = client.check("lecture-05-causal", "norm_1.variance", wrong, reveal=True, lang="en")
    assert not verdict["correct"]
    assert verdict["expected"] == causal["norm_1.variance"].tolist()
    (diagnosis,) = verdict["diagnoses"]
    listed = {each["name"]: each for each in client.misconceptions("en")}
    assert listed[diagnosis["misconception"]]["why"]
    with Client(base_url, lang="zh") as chinese:
        other = chinese.check("lecture-05-causal", "norm_1.variance", wrong)
    assert other["diagnoses"][0]["misconception"] == diagnosis["misconception"]
    assert other["diagnoses"][0]["explanation"] != diagnosis["explanation"]


@pytest.mark.parametrize("topic", TOPICS)
def test_an_exercise_s_own_working_answers_it(client: Client, topic: str) -> None:
    exercise = client.exercise(topic, seed=7, difficulty=2, lang="en")
    assert (exercise["topic"], exercise["seed"], exercise["difficulty"]) == (topic, 7, 2)
    for question in exercise["asked"]:
        nothing = np.full(question["shape"], 99.5)
        verdict = client.check(**question["check"], answer=nothing, reveal=True)
        assert verdict["score"] == 0
        assert client.check(**question["check"], answer=verdict["expected"])["correct"]


def test_a_lecture_is_walked_through_state_by_state(client: Client) -> None:
    (first, *_) = client.lectures("en")
    page = client.lecture(first["id"], "en")
    assert page["lang"] == "en"
    assert page["title"] == first.get("title")
    listed = client.states(first["id"])
    assert [each["id"] for each in listed["states"]] == page["page_order"]
    state = client.state(first["id"], page["default_state"], lang="en")
    assert state["lecture"] == first["id"]
    assert state["state"] == page["default_state"]


def test_a_patched_state_is_recomputed(client: Client) -> None:
    published, changed = client.state("R44", "b2"), client.state("R44", "b2", {"x": [[2, 0, 1, 0]]})
    assert not published["modified"]
    assert changed["modified"]
    assert published["figure"]["rows"] != changed["figure"]["rows"]


def test_a_state_is_drawn(client: Client) -> None:
    english, chinese = client.figure_svg("R44", "b2", lang="en"), client.figure_svg("R44", "b2", lang="zh")
    assert ET.fromstring(english).tag.endswith("svg")
    assert english != chinese
    assert client.figure_svg("R44", "b2", {"x": [[2, 0, 1, 0]]}, lang="en") != english
    shown = ET.fromstring(f"{english._repr_html_()[:-1]}/>")
    assert base64.b64decode(shown.attrib["src"].partition(",")[2]).decode() == english
    titled = ET.fromstring(english).find("{http://www.w3.org/2000/svg}title")
    assert titled is not None
    assert shown.attrib["alt"].startswith(str(titled.text))


def test_the_service_says_how_it_is(client: Client) -> None:
    assert client.health_live()["status"] == client.health_ready()["status"] == "ok"


def test_a_client_says_where_it_asks(base_url: str) -> None:
    assert repr(Client(f"{base_url}/")) == f"Client({base_url!r})"
