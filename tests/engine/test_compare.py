"""Two blocks side by side."""

from __future__ import annotations

from typing import Any

import pytest

from service import engine
from service.errors import BlockwalkError


def request(**data: Any) -> engine.TraceRequest:
    return engine.TraceRequest.from_data(data)


BASE = {"example": "lecture-05-reconstructed"}


def test_pre_and_post_norm_differ_from_the_first_query_on() -> None:
    found = engine.compare(request(**BASE), {"pre": request(example="lecture-05-pre-norm")}).variants["pre"]
    assert found.first_difference == "attention.query"
    assert found.output == "residual_2"
    assert (found.only_in_base, found.only_in_variant) == ((), ())
    assert {s.name: s.max_abs_difference for s in found.steps}["x"] == 0


def test_the_causal_mask_changes_nothing_before_the_weights() -> None:
    found = engine.compare(request(**BASE), {"causal": request(example="lecture-05-causal")}).variants[
        "causal"
    ]
    assert found.first_difference == "attention.weights"
    assert found.only_in_variant == ("attention.masked_scores",)


def test_without_attention_the_steps_behind_it_are_only_in_the_base() -> None:
    without = request(**BASE, interventions=[{"step": "attention.output", "set": 0}])
    found = engine.compare(request(**BASE), {"without": without}).variants["without"]
    assert found.first_difference == "attention.output"
    assert "attention.weights" in found.only_in_base


def test_values_are_shown_where_the_base_selects_them() -> None:
    base = request(**BASE, select=["norm_1.output"], tokens=[0])
    found = engine.compare(base, {"pre": request(example="lecture-05-pre-norm", tokens=[0])}).variants["pre"]
    shown = [s for s in found.steps if s.base is not None]
    assert [s.name for s in shown] == ["norm_1.output"]
    assert shown[0].base is not None
    assert shown[0].base.value.shape == (1, 4)


def test_steps_of_other_shapes_have_no_difference_but_do_differ() -> None:
    wider = request(
        example="lecture-05", x=[[1, 0, 1, 0]] * 2, interventions=[{"step": "attention.output", "set": 0}]
    )
    found = engine.compare(request(example="lecture-05"), {"wider": wider}).variants["wider"]
    assert found.first_difference == "x"
    assert found.steps[0].max_abs_difference is None


def test_an_equal_variant_differs_nowhere() -> None:
    assert (
        engine.compare(request(**BASE), {"same": request(**BASE)}).variants["same"].first_difference is None
    )


def test_a_fault_points_into_the_variant_it_is_in() -> None:
    with pytest.raises(BlockwalkError) as refusal:
        engine.compare(request(**BASE), {"bad": request(x=[[1, 2]])})
    assert refusal.value.faults[0].pointer.startswith("/variants/bad/parameters/")
