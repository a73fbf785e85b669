"""Numbers in and out, and the safetensors file that carries them, held against the format's own library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from blockwalk_client import arrays, safetensors
from safetensors.numpy import load, save

DTYPES = ["float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,), (2, 0, 3)])
def test_the_library_reads_what_is_written(dtype: str, shape: tuple[int, ...]) -> None:
    array = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 2).astype(dtype)
    packed = arrays.to_bytes(array)
    assert packed is not None
    read = load(safetensors.write({"ä": packed}, {"request": "{}"}))["ä"]
    assert read.dtype == array.dtype
    assert read.shape == array.shape
    assert np.array_equal(read, array)


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_the_library_writes_is_read(dtype: str) -> None:
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype)
    tensors, metadata = safetensors.read(save({"b": array, "a": array[0]}, {"trace": "x"}))
    assert metadata == {"trace": "x"}
    assert tensors["b"].dtype == array.dtype
    assert np.array_equal(tensors["b"], array)
    assert np.array_equal(tensors["a"], array[0])
    tensors["b"][0] = 1


@pytest.mark.parametrize("body", [b"", b"\xff" * 8, b"\x05\0\0\0\0\0\0\0{}"])
def test_a_file_that_is_none_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match="safetensors"):
        safetensors.read(body)


@pytest.mark.parametrize(
    "array",
    [np.arange(6.0).reshape(2, 3).T, np.arange(6.0).astype(">f8"), np.arange(8.0)[::2]],
    ids=["transposed", "big-endian", "strided"],
)
def test_an_array_is_written_as_it_reads_however_it_lies_in_memory(array: Any) -> None:
    packed = arrays.to_bytes(array)
    assert packed is not None
    assert np.array_equal(arrays.from_bytes(packed), array)


@pytest.mark.parametrize(
    "value",
    [[[1, 2], [3]], [[1], [2, 3], [4, 5, 6]], [1, True], [1, None], ["1"], [10**400], 3, "x", None, {}],
)
def test_what_is_no_array_of_numbers_has_no_bytes(value: Any) -> None:
    assert arrays.to_bytes(value) is None


def test_lists_and_arrays_give_the_same_bytes() -> None:
    array = np.random.default_rng(0).normal(size=(2, 3, 4))
    assert arrays.to_bytes(array.tolist()) == arrays.to_bytes(array)


def test_json_gets_plain_data() -> None:
    data = {
        "a": np.array([[1.5, -np.inf]]),
        "b": (np.float32(0.5), np.int64(3), np.nan),
        "c": np.array([True]),
    }
    assert arrays.to_json(data) == {"a": [[1.5, "-Infinity"]], "b": [0.5, 3, "NaN"], "c": [True]}


def test_words_for_numbers_that_are_not_finite_are_read() -> None:
    read = arrays.from_json([["-Infinity", 1.0], ["Infinity", "NaN"]], "float64")
    assert read.dtype == np.float64
    assert read[0].tolist() == [-np.inf, 1]
    assert np.isnan(read[1, 1])
