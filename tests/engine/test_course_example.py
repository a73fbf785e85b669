"""Every number the course prints, to its last printed digit, from O₁ on and from X on."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
import pytest

from service import engine

# The published figures, six decimals, token 1.
PUBLISHED = {
    "attention.output": [1.000000, 1.598888, -0.197776, -0.005560],
    "x": [1, 0, 1, 0],
    "residual_1": [2.000000, 1.598888, 0.802224, -0.005560],
    "norm_1.mean": 1.098888,
    "norm_1.variance": 0.592455,
    "norm_1.output": [1.170705, 0.649589, -0.385419, -1.434875],
    "ffn.hidden": [1.170705, 0.649589, 0, 0, 0.521116, 0],
    "ffn.output": [0.585353, 0.324795, 0.130279, 0],
    "residual_2": [1.756058, 0.974384, -0.255140, -1.434875],
    "norm_2.output": [1.233154, 0.588798, -0.424732, -1.397220],
}
# The same as the figures print them, three decimals.
DRAWN = {
    "attention.output": [1, 1.599, -0.198, -0.006],
    "residual_1": [2, 1.599, 0.802, -0.006],
    "norm_1.output": [1.171, 0.650, -0.385, -1.435],
    "ffn.hidden": [1.171, 0.650, 0, 0, 0.521, 0],
    "ffn.output": [0.585, 0.325, 0.130, 0],
    "residual_2": [1.756, 0.974, -0.255, -1.435],
    "norm_2.output": [1.233, 0.589, -0.425, -1.397],
}
BOTH = pytest.mark.parametrize("example", ["lecture-05", "lecture-05-reconstructed"])


@pytest.fixture(scope="module")
def traces() -> dict[str, engine.Trace]:
    return {
        name: engine.trace(engine.TraceRequest.from_data({"example": name}))
        for name in ("lecture-05", "lecture-05-reconstructed")
    }


@BOTH
@pytest.mark.parametrize("step", PUBLISHED)
def test_the_first_token_has_the_published_numbers(
    traces: dict[str, engine.Trace], example: str, step: str
) -> None:
    np.testing.assert_array_equal(np.round(traces[example].values[step][0], 6), PUBLISHED[step])


@BOTH
@pytest.mark.parametrize("step", DRAWN)
def test_the_first_token_has_the_numbers_in_the_figures(
    traces: dict[str, engine.Trace], example: str, step: str
) -> None:
    np.testing.assert_array_equal(np.round(traces[example].values[step][0], 3), DRAWN[step])


def test_the_reconstruction_gives_the_closed_form_of_the_heads_output(
    traces: dict[str, engine.Trace],
) -> None:
    w = 1 / (2 + exp(-1 / sqrt(2)))
    values = traces["lecture-05-reconstructed"].values
    np.testing.assert_allclose(values["attention.output"][0], [1, 2 - w, 2 * w - 1, 2 - 5 * w], atol=1e-15)
    np.testing.assert_allclose(values["attention.weights"][:, 0], [[w, 1 - 2 * w, w]] * 2, atol=1e-15)
    np.testing.assert_allclose(values["attention.concat"][0], [2 * w, 1 - w, 2 * w, 1 - 2 * w], atol=1e-15)


def test_given_o_the_attention_is_pruned_and_its_weights_are_not_needed(
    traces: dict[str, engine.Trace],
) -> None:
    steps = [step.name for step in traces["lecture-05"].steps]
    assert steps[:3] == ["x", "attention.output", "residual_1"]
    assert steps[-1] == traces["lecture-05"].output == "norm_2.output"
    assert not any("query" in name for name in steps)


def test_the_ffn_maps_u_as_the_lecture_writes_it(traces: dict[str, engine.Trace]) -> None:
    values = traces["lecture-05"].values
    u = values["norm_1.output"][0]
    h = np.maximum([u[0], u[1], u[2], u[3], u[0] - u[1], u[1] - u[0]], 0)
    np.testing.assert_array_equal(values["ffn.hidden"][0], h)
    f = [0.5 * h[0], 0.5 * h[1], 0.5 * h[2] + 0.25 * h[4], 0.5 * h[3] + 0.25 * h[5]]
    np.testing.assert_array_equal(values["ffn.output"][0], f)


def test_the_examples_say_where_their_numbers_come_from(traces: dict[str, engine.Trace]) -> None:
    assert traces["lecture-05"].provenance == "published"
    assert traces["lecture-05-reconstructed"].provenance == "reconstructed"


def test_the_causal_example_shows_the_first_token_only_itself() -> None:
    causal = engine.trace(engine.TraceRequest.from_data({"example": "lecture-05-causal"}))
    np.testing.assert_array_equal(causal.values["attention.weights"][:, 0], [[1, 0, 0]] * 2)
    assert causal.provenance == "reconstructed"
