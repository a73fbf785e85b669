"""Arrays on the wire."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from service.api.tensors import dumps


def refuse(constant: str) -> float:
    raise AssertionError(f"{constant} is not JSON")


@given(
    hnp.arrays(
        st.sampled_from([np.float64, np.float32, np.float16, np.dtype(">f8")]),
        hnp.array_shapes(max_dims=4, max_side=4),
    )
)
def test_every_number_comes_back_as_it_was_whatever_its_layout(array: np.ndarray) -> None:
    for laid_out in (array, np.asfortranarray(array), array[::-1], array.T):
        read = np.array(json.loads(dumps(laid_out), parse_constant=refuse), dtype=float)
        np.testing.assert_array_equal(read.astype(laid_out.dtype), laid_out)


def test_non_finite_numbers_are_the_words_that_number_and_float_read() -> None:
    read = json.loads(dumps({"value": np.array([[1.5, -np.inf], [np.inf, np.nan]])}), parse_constant=refuse)
    assert read["value"] == [[1.5, "-Infinity"], ["Infinity", "NaN"]]
    assert [float(word) for word in ("-Infinity", "Infinity")] == [-math.inf, math.inf]


def test_a_mask_of_minus_infinities_keeps_its_shape() -> None:
    masked = np.where(np.tri(3) > 0, 0.5, -np.inf)
    read = np.array(json.loads(dumps(masked), parse_constant=refuse), dtype=float)
    np.testing.assert_array_equal(read, masked)


def test_float32_prints_as_float32() -> None:
    assert dumps(np.array([0.1], dtype=np.float32)) == b"[0.1]"


@pytest.mark.parametrize("whole", [2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**40])
def test_an_integer_of_any_length_is_written_in_full(whole: int) -> None:
    assert json.loads(dumps([whole])) == [whole]


@pytest.mark.parametrize("scalar", [math.inf, np.float64("nan"), np.array(-np.inf)])
def test_a_lone_non_finite_number_is_a_word_too(scalar: float) -> None:
    assert json.loads(dumps({"a": scalar}), parse_constant=refuse)["a"] in ("Infinity", "NaN", "-Infinity")
