"""Reading plain data strictly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service import engine
from service.errors import InvalidRequest


@pytest.mark.parametrize(
    ("value", "pointer", "expected", "got"),
    [
        ([[1, 2], [3]], "/x/1", 2, 1),
        ([[1, True]], "/x/0/1", "number", "boolean"),
        ([[True, True]], "/x/0/0", "number", "boolean"),
        ([[1, "2"]], "/x/0/1", "number", "string"),
        ([[1, None]], "/x/0/1", "number", "null"),
        ([[1, {}]], "/x/0/1", "number", "object"),
        ([1, [2]], "/x/1", "number", "array"),
        ([[1], 2], "/x/1", "array", "number"),
        ([[1, float("nan")]], "/x/0/1", "finite number", "nan"),
        ([[1, float("inf")]], "/x/0/1", "finite number", "inf"),
        ([[1, "-Infinity"]], "/x/0/1", "number", "string"),
        ([[10**400]], "/x/0/0", "finite number", "an integer of 401 digits"),
        ([], "/x", "at least one element", [0]),
        ([[]], "/x", "at least one element", [1, 0]),
        ([1, 2], "/x", [2, 3], 1),
        (3, "/x", "array", "number"),
        ("abc", "/x", "array", "string"),
        ({"a": 1}, "/x", "array", "object"),
    ],
)
def test_what_is_no_array_of_numbers_is_refused_at_the_element_at_fault(
    value: Any, pointer: str, expected: Any, got: Any
) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        engine.as_tensor(value, "/x", ranks=(2, 3))
    fault = refusal.value.faults[0]
    assert (fault.pointer, fault.expected, fault.got) == (pointer, expected, got)


def test_nesting_without_end_is_refused_without_recursion() -> None:
    deep: Any = 1.0
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(InvalidRequest, match="deep"):
        engine.as_tensor(deep, "/x")


def test_whole_numbers_of_any_size_that_a_float_can_hold_are_read() -> None:
    np.testing.assert_array_equal(engine.as_tensor([[2**70, -1]], "/x"), [[2.0**70, -1]])


def test_words_for_infinity_are_numbers_where_a_mask_allows_them() -> None:
    read = engine.as_tensor([[0, "-Infinity"], ["Infinity", "NaN"]], "/m", infinite=True)
    np.testing.assert_array_equal(read, [[0, -np.inf], [np.inf, np.nan]])
    with pytest.raises(InvalidRequest):
        engine.as_tensor([["inf"]], "/m", infinite=True)


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({"blok": {}}, "/blok"),
        ({"block": {"heads": 2}}, "/block/heads"),
        ({"block": {"n_heads": 0}}, "/block/n_heads"),
        ({"block": {"n_heads": 1.5}}, "/block/n_heads"),
        ({"block": {"n_heads": True}}, "/block/n_heads"),
        ({"block": {"epsilon": -1}}, "/block/epsilon"),
        ({"block": {"epsilon": "1e-5"}}, "/block/epsilon"),
        ({"block": {"dropout": 1}}, "/block/dropout"),
        ({"block": {"softcap": 0}}, "/block/softcap"),
        ({"block": {"activation": "tanh"}}, "/block/activation"),
        ({"block": {"mask": "future"}}, "/block/mask"),
        ({"block": {"mask": {}}}, "/block/mask"),
        ({"block": {"mask": {"keep": [[1, 0]]}}}, "/block/mask/keep/0/0"),
        ({"block": {"mask": {"keep": [[True], [True, False]]}}}, "/block/mask/keep/1"),
        ({"block": {"mask": {"causal": 1}}}, "/block/mask/causal"),
        ({"block": {"position": {"rope": {}, "alibi": True}}}, "/block/position"),
        ({"block": {"position": {"alibi": False}}}, "/block/position/alibi"),
        ({"block": {"position": {"rope": {"layout": "both"}}}}, "/block/position/rope/layout"),
        ({"block": {"position": {"rope": {"theta": 0}}}}, "/block/position/rope/theta"),
        ({"seed": -1}, "/seed"),
        ({"seed": 2**64}, "/seed"),
        ({"parameters": []}, "/parameters"),
        ({"parameters": {"a/b~c": [[1, "x"]]}}, "/parameters/a~1b~0c/0/1"),
        ({"interventions": {}}, "/interventions"),
        ({"interventions": [{"set": 1}]}, "/interventions/0/step"),
        ({"interventions": [{"step": "x"}]}, "/interventions/0"),
        ({"interventions": [{"step": "x", "set": 1, "add": 1}]}, "/interventions/0"),
        ({"interventions": [{"step": "x", "scale": [1]}]}, "/interventions/0/scale"),
        ({"interventions": [{"step": "x", "set": 1, "where": []}]}, "/interventions/0/where"),
        (
            {"interventions": [{"step": "x", "set": 1, "where": {"token": []}}]},
            "/interventions/0/where/token",
        ),
        (
            {"interventions": [{"step": "x", "set": 1, "where": {"token": [0, 0]}}]},
            "/interventions/0/where/token",
        ),
        (
            {"interventions": [{"step": "x", "set": 1, "where": {"token": [-1]}}]},
            "/interventions/0/where/token/0",
        ),
        ({"select": "output"}, "/select"),
        ({"select": [1]}, "/select/0"),
        ({"tokens": [-1]}, "/tokens/0"),
        ({"include_parameters": 1}, "/include_parameters"),
        ({"example": "lecture-99"}, "/example"),
        ({"example": 5}, "/example"),
    ],
)
def test_a_request_that_is_not_one_is_refused_where_it_is_wrong(data: Any, pointer: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        engine.TraceRequest.from_data(data)
    assert refusal.value.faults[0].pointer == pointer


def test_an_unknown_example_names_those_that_exist() -> None:
    with pytest.raises(InvalidRequest, match="lecture-05-reconstructed"):
        engine.TraceRequest.from_data({"example": "lecture-99"})
