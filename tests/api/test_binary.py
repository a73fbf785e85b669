"""safetensors in and out."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from safetensors.numpy import load, save
from werkzeug.test import TestResponse

from service.api.binary import written
from service.api.media import SAFETENSORS

X = np.array([[1.0, 0, 1, 0], [0, 1, 0, 1]])
REST = {"block": {"n_heads": 2, "d_ff": 3}, "seed": 1}


def post(client: FlaskClient, body: bytes, accept: str = SAFETENSORS) -> TestResponse:
    return client.post("/block/trace", data=body, content_type=SAFETENSORS, headers={"Accept": accept})


def file(tensors: dict[str, np.ndarray], **request: Any) -> bytes:
    return save(tensors, {"request": json.dumps({**REST, **request})})


def metadata(body: bytes) -> dict[str, str]:
    (length,) = struct.unpack("<Q", body[:8])
    found: dict[str, str] = json.loads(body[8 : 8 + length])["__metadata__"]
    return found


def test_a_binary_trace_holds_what_the_json_trace_holds(client: FlaskClient) -> None:
    plain = client.post("/block/trace", json={**REST, "x": X.tolist()}).get_json()
    answer = post(client, file({"x": X}))
    assert (answer.status_code, answer.mimetype) == (200, SAFETENSORS)
    tensors = load(answer.data)
    rest = json.loads(metadata(answer.data)["trace"])
    assert [step["name"] for step in rest["steps"]] == [step["name"] for step in plain["steps"]]
    for step, described in zip(plain["steps"], rest["steps"], strict=True):
        np.testing.assert_array_equal(tensors[step["name"]], np.array(step["value"]))
        assert described == {key: value for key, value in step.items() if key != "value"}
    assert {**rest, "steps": None} == {**plain, "steps": None}


def test_parameters_masks_and_interventions_may_be_tensors(client: FlaskClient) -> None:
    keep = np.tri(2, dtype=bool)
    amount = np.full((2, 4), 0.5)
    body = file(
        {"x": X, "attention.w_q": np.eye(4), "/block/mask/keep": keep, "/interventions/0/set": amount},
        interventions=[{"step": "attention.output"}],
        select=["attention.output", "residual_1"],
    )
    answer = post(client, body)
    assert answer.status_code == 200, answer.data
    np.testing.assert_array_equal(load(answer.data)["residual_1"], X + 0.5)


def test_what_is_written_the_library_reads() -> None:
    numbers = np.arange(6).reshape(2, 3)
    tensors = {
        "half": numbers.astype("f2"),
        "single": numbers.astype("f4")[:, ::-1].copy(),
        "double, high byte first": numbers.astype(">f8"),
        "none": numbers.astype("f4")[:0],
        "one": np.array(2.5),
        "flags": numbers > 2,
    }
    body = written(tensors, {"trace": '{"Σ": 1}'})
    for name, found in load(body).items():
        np.testing.assert_array_equal(found, tensors[name])
        assert found.shape == tensors[name].shape
    assert set(load(body)) == set(tensors)
    assert metadata(body) == {"trace": '{"Σ": 1}'}


def test_minus_infinity_travels_as_it_is(client: FlaskClient) -> None:
    additive = np.where(np.tri(2) > 0, 0, -np.inf)
    answer = post(
        client, file({"x": X, "/block/mask/additive": additive}, select=["attention.masked_scores"])
    )
    assert np.isneginf(load(answer.data)["attention.masked_scores"][:, 0, 1]).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.int8, np.uint8])
def test_smaller_numbers_are_widened(client: FlaskClient, dtype: type) -> None:
    answer = post(client, file({"x": X.astype(dtype)}, select=["x"]))
    np.testing.assert_array_equal(load(answer.data)["x"], X)


def test_a_binary_request_may_be_answered_in_json(client: FlaskClient) -> None:
    answer = post(client, file({"x": X}, select=["x"]), accept="application/json")
    assert answer.get_json()["steps"][0]["value"] == X.tolist()


def header(entries: Any, data: bytes = b"", length: int | None = None) -> bytes:
    text = json.dumps(entries).encode() if not isinstance(entries, bytes) else entries
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def tensor(dtype: Any = "F64", shape: Any = (1, 1), offsets: Any = (0, 8)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


BROKEN = {
    "empty": b"",
    "shorter than its length": b"\x10\x00",
    "header longer than the body": header({}, length=10**6),
    "header of 2^64-1": header({}, length=2**64 - 1),
    "header that is no JSON": header(b"{nope"),
    "header that is no object": header([1]),
    "header nested deep": header(b"[" * 5000),
    "a tensor twice": header(b'{"x":%b,"x":%b}' % ((json.dumps(tensor()).encode(),) * 2), b"\0" * 8),
    "data too short": header({"x": tensor(shape=[2, 2], offsets=[0, 32])}, b"\0" * 8),
    "data left over": header({"x": tensor()}, b"\0" * 64),
    "a hole": header({"x": tensor(offsets=[8, 16])}, b"\0" * 16),
    "two on one place": header({"x": tensor(), "memory": tensor()}, b"\0" * 8),
}
WRONG = {
    "unknown dtype": header({"x": tensor(dtype="C64")}, b"\0" * 8),
    "dtype that is no string": header({"x": tensor(dtype=7)}, b"\0" * 8),
    "negative size": header({"x": tensor(shape=[-1, -1])}, b"\0" * 8),
    "sizes whose product overflows": header({"x": tensor(shape=[2**32, 2**32])}, b"\0" * 8),
    "size that is true": header({"x": tensor(shape=[True, 1])}, b"\0" * 8),
    "more dimensions than there may be": header({"x": tensor(shape=[1] * 99)}, b"\0" * 8),
    "no shape": header({"x": {"dtype": "F64", "data_offsets": [0, 8]}}, b"\0" * 8),
    "an entry that is no object": header({"x": 7}),
    "size that contradicts the shape": header({"x": tensor(shape=[1, 2])}, b"\0" * 8),
    "too many tensors": header({f"t{i}": tensor(shape=[0], offsets=[0, 0]) for i in range(2000)}),
    "a name too long": header({"x" * 300: tensor()}, b"\0" * 8),
    "no name": header({"": tensor()}, b"\0" * 8),
    "a place that cannot be": header({"/seed/0": tensor()}, b"\0" * 8),
    "a place beyond a list": header({"/interventions/9/set": tensor()}, b"\0" * 8),
    "request that is no object": header({"__metadata__": {"request": "[]"}, "x": tensor()}, b"\0" * 8),
    "metadata that is no object": header({"__metadata__": [], "x": tensor()}, b"\0" * 8),
    "booleans for numbers": header({"x": tensor(dtype="BOOL", offsets=[0, 1])}, b"\1"),
    "a number that is not finite": header({"x": tensor()}, struct.pack("<d", float("nan"))),
    "no tokens": header({"x": tensor(shape=[0, 4], offsets=[0, 0])}),
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_file_could_not_be_read(client: FlaskClient, body: bytes) -> None:
    answer = post(client, body)
    assert (answer.status_code, answer.mimetype) == (400, "application/problem+json"), answer.data


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_file_is_refused_before_its_data_is_used(client: FlaskClient, body: bytes) -> None:
    answer = post(client, body)
    assert (answer.status_code, answer.mimetype) == (422, "application/problem+json"), answer.data


@pytest.mark.parametrize(
    "names", [("x", "/x"), ("attention.w_q", "/parameters/attention.w_q"), ("/seed", "x")]
)
def test_what_is_said_twice_is_refused(client: FlaskClient, names: tuple[str, str]) -> None:
    answer = post(client, file(dict.fromkeys(names, X)))
    assert answer.status_code == 422
    assert "twice" in answer.get_json(force=True)["detail"]


def test_a_request_in_the_metadata_is_read_as_strictly_as_json(client: FlaskClient) -> None:
    answer = post(client, save({"x": X}, {"request": '{"seed": 1, "seed": 2}'}))
    assert answer.status_code == 400
    assert "stands twice" in answer.get_json(force=True)["detail"]


@pytest.mark.parametrize("path", ["/block/plan", "/block/trace"])
def test_pickles_and_arrays_of_numpy_are_never_read(client: FlaskClient, path: str) -> None:
    for kind in (
        "application/octet-stream",
        "application/x-npy",
        "application/x-npz",
        "application/python-pickle",
    ):
        answer = client.post(path, data=b"\x93NUMPY", content_type=kind)
        assert answer.status_code == 415
