"""Requests that differ in their numbers alone share one plan, which keeps none of those numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service import engine
from service.engine.plan import PLANS
from service.engine.structure import MAX_INDICES, Kept, structure

X = [[1.0, 2, 3, 4], [0, 1, 0, 1]]
BASE: dict[str, Any] = {"seed": 1, "x": X, "block": {"n_heads": 2}}
OTHER_NUMBERS: dict[str, dict[str, Any]] = {
    "x": {"x": [[4.0, 3, 2, 1], [1, 1, 0, 0]]},
    "the seed": {"seed": 2},
}
OTHER_STRUCTURES: dict[str, dict[str, Any]] = {
    "one more token": {"x": [*X, [1, 1, 1, 1]]},
    "a batch": {"x": [X]},
    "no seed": {"seed": None},
    "a weight": {"parameters": {"attention.w_o": np.ones((4, 4))}},
    "a choice": {"block": {"n_heads": 2, "activation": "silu"}},
    "another dtype": {"block": {"n_heads": 2, "dtype": "float32"}},
    "a selection": {"select": ["output"]},
    "a row": {"tokens": [0]},
    "the parameters": {"include_parameters": True},
    "an edit": {"interventions": [{"step": "ffn.hidden", "scale": 2}]},
    "a mask": {"block": {"n_heads": 2, "mask": {"keep": [[True, False], [True, True]]}}},
    "the seed of a dropout": {"block": {"n_heads": 2, "dropout": 0.5}},
}


def request(**changes: Any) -> engine.TraceRequest:
    return engine.TraceRequest.from_data(BASE | changes)


@pytest.mark.parametrize("changes", OTHER_NUMBERS.values(), ids=OTHER_NUMBERS)
def test_other_numbers_share_the_structure(changes: dict[str, Any]) -> None:
    assert structure(request(**changes)) == structure(request())


@pytest.mark.parametrize("changes", OTHER_STRUCTURES.values(), ids=OTHER_STRUCTURES)
def test_whatever_changes_the_plan_changes_the_structure(changes: dict[str, Any]) -> None:
    assert structure(request(**changes)) != structure(request())


def test_a_dropout_s_seed_is_part_of_the_structure() -> None:
    dropout = {"n_heads": 2, "dropout": 0.5}
    assert structure(request(block=dropout, seed=1)) != structure(request(block=dropout, seed=2))


def test_a_shared_plan_gives_each_request_its_own_numbers() -> None:
    masks = [[[True, True], [False, True]], [[True, False], [True, True]]]
    for keep in masks:
        asked = request(
            block={"n_heads": 2, "mask": {"keep": keep}},
            interventions=[{"step": "attention.scores", "set": [[[1.0, 2], [3, 4]]] * 2}],
        )
        np.testing.assert_array_equal(engine.trace(asked).values["attention.weights"][0] > 0, keep)
    for amount in (2.0, 3.0):
        asked = request(interventions=[{"step": "ffn.output", "set": amount}])
        assert (engine.trace(asked).values["ffn.output"] == amount).all()


def test_no_kept_plan_holds_an_array() -> None:
    engine.plan(
        request(
            block={"n_heads": 2, "mask": {"additive": np.zeros((2, 2))}, "key_padding_keep": [True, True]},
            interventions=[{"step": "ffn.hidden", "add": np.ones((2, 16))}],
        )
    )
    for kept in PLANS.values():
        assert (kept.request.x, dict(kept.request.parameters), kept.edits) == (None, {}, {})
        assert not kept.block.has_arrays


def test_a_request_that_lists_very_much_is_planned_anew() -> None:
    assert structure(request(select=["output"] * (MAX_INDICES + 1))) is None
    assert engine.plan(request(select=["output"] * (MAX_INDICES + 1))).kept == ("norm_2.output",)


def test_what_is_kept_is_made_once_and_bounded() -> None:
    made: list[int] = []
    kept: Kept[int] = Kept(2)
    for key in (1, 2, 1, 3):
        assert kept.get(key, lambda key=key: made.append(key) or key) == key
    assert made == [1, 2, 3]
    assert kept.values() == [2, 3]
