"""Walking the steps backwards: what the lecture claims about derivatives, and that every walk is right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service import engine
from service.errors import BlockwalkError

X = [[1.0, 2, -1, 0.5], [0.3, 1, -0.7, 1], [2, -0.2, 1, 0]]
RECONSTRUCTED = {"example": "lecture-05-reconstructed"}


def request(**data: Any) -> engine.TraceRequest:
    return engine.TraceRequest.from_data(data)


def test_with_the_projection_zeroed_x_passes_but_the_blocks_derivative_is_not_the_identity() -> None:
    zeroed = request(**RECONSTRUCTED, parameters={"attention.w_o": np.zeros((4, 4))})
    values = engine.trace(zeroed).values
    np.testing.assert_array_equal(values["residual_1"], values["x"])
    found = engine.jacobian(zeroed, "output", "x", 0, 0)
    assert np.abs(found.matrix.value - np.eye(4)).max() > 0.5
    assert found.max_abs_error < 1e-7


def test_with_a_stop_at_attention_the_residuals_derivative_is_exactly_the_identity() -> None:
    found = engine.jacobian(request(**RECONSTRUCTED), "residual_1", "x", 0, 0, stop=["attention.output"])
    np.testing.assert_array_equal(found.matrix.value, np.eye(4))
    assert found.max_abs_error < 1e-9


VARIANTS: list[dict[str, Any]] = [
    {"n_heads": 2},
    {"n_heads": 2, "norm_placement": "pre", "mask": "causal", "activation": "gelu"},
    {
        "n_heads": 4,
        "n_kv_heads": 2,
        "d_head": 2,
        "position": {"rope": {}},
        "norm": "rms_norm",
        "activation": "swiglu",
    },
    {"n_heads": 2, "position": {"alibi": True}, "softcap": 2.0, "activation": "gelu_tanh", "window": 2},
    {"n_heads": 2, "dropout": 0.3, "activation": "silu"},
    {"kind": "decoder", "n_heads": 2, "activation": "geglu"},
    {"kind": "decoder", "n_heads": 2, "norm_placement": "pre", "activation": "reglu"},
]


@pytest.mark.parametrize("block", VARIANTS)
def test_gradients_by_everything_agree_with_central_differences(block: dict[str, Any]) -> None:
    data: dict[str, Any] = {"block": block, "seed": 4, "x": X}
    if block.get("kind") == "decoder":
        data["memory"] = X[:2]
    asked = request(**data)
    planned = engine.plan(asked)
    names = [*(n for n in planned.graph.leaves if not n.startswith("mask.")), "residual_1"]
    rng = np.random.default_rng(0)
    cotangent = rng.standard_normal(planned.shapes[planned.graph.output])
    for found in engine.gradient(asked, "output", names, cotangent):
        direction = rng.standard_normal(found.value.shape)

        def output(shift: float, name: str = found.name, way: np.ndarray[Any, Any] = direction) -> Any:
            edit = {"step": name, "add": shift * way}
            return engine.trace(request(**data, interventions=[edit])).values[planned.graph.output]

        numeric = (cotangent * (output(1e-6) - output(-1e-6))).sum() / 2e-6
        assert (found.value * direction).sum() == pytest.approx(numeric, abs=2e-7, rel=1e-6), found.name


def test_a_jacobian_vector_product_equals_the_gradient() -> None:
    asked = request(seed=1, x=X, block={"n_heads": 2})
    matrix = engine.jacobian(asked, "output", "x").matrix.value
    assert matrix.shape == (12, 12)
    cotangent = np.random.default_rng(1).standard_normal((3, 4))
    (gradient,) = engine.gradient(asked, "output", ["x"], cotangent)
    np.testing.assert_allclose(cotangent.reshape(-1) @ matrix, gradient.value.reshape(-1), atol=1e-12)


def test_a_jacobian_by_tokens_is_a_block_of_the_whole() -> None:
    asked = request(seed=1, x=X, block={"n_heads": 2})
    whole = engine.jacobian(asked, "output", "x").matrix.value.reshape(3, 4, 3, 4)
    for i, j in ((0, 0), (2, 1)):
        part = engine.jacobian(asked, "output", "x", i, j).matrix
        np.testing.assert_allclose(part.value, whole[i, :, j], atol=1e-14)
        assert part.axes == ("of", "wrt")


def test_gradients_see_edited_values_and_pass_edits_the_way_edits_act() -> None:
    edits = [
        {"step": "residual_1", "scale": 3},
        {"step": "residual_1", "set": 0, "where": {"token": [1]}},
        {"step": "norm_1.output", "add": [[1.0, 2, 3, 4]] * 3},
    ]
    asked = request(seed=1, x=X, block={"n_heads": 2}, interventions=edits)
    found = engine.jacobian(asked, "output", "x")
    assert found.max_abs_error < 1e-7
    scaled = engine.gradient(asked, "residual_1", ["x"], stop=["attention.output"])[0].value
    np.testing.assert_array_equal(scaled, [[3] * 4, [0] * 4, [3] * 4])


@pytest.mark.parametrize(
    "edit",
    [
        {"step": "attention.weights", "scale": 0.5},
        {"step": "attention.weights", "set": 0, "where": {"key": [1]}},
        {"step": "attention.capped_scores", "add": 0.25},
        {"step": "norm_1.normalized", "scale": 2},
        {"step": "norm_2.normalized", "set": 1, "where": {"d_model": [0]}},
        {"step": "ffn.hidden", "scale": -1},
    ],
)
def test_an_edit_of_a_step_whose_backward_looks_at_its_own_answer_is_differentiated_right(
    edit: dict[str, Any],
) -> None:
    block = {"n_heads": 2, "softcap": 2.0, "activation": "gelu"}
    found = engine.jacobian(request(seed=1, x=X, block=block, interventions=[edit]), "output", "x")
    assert found.max_abs_error < 1e-7


def test_what_the_step_does_not_rest_on_has_gradient_zero() -> None:
    (found,) = engine.gradient(request(example="lecture-05"), "norm_1.output", ["ffn.w_1"])
    assert found.value.shape == (4, 6)
    assert (found.value == 0).all()


def test_a_key_bias_cancels() -> None:
    asked = request(seed=1, x=X, block={"n_heads": 2})
    (found,) = engine.gradient(asked, "attention.output", ["attention.b_k"], np.ones((3, 4)))
    np.testing.assert_allclose(found.value, 0, atol=1e-12)


def test_masked_rows_and_constant_rows_have_finite_gradients() -> None:
    asked = request(seed=1, x=[[2.0] * 4] * 3, block={"mask": {"keep": [[False] * 3] * 3}})
    for found in engine.gradient(asked, "output", ["x", "attention.w_q", "norm_1.gamma"]):
        assert np.isfinite(found.value).all()


def test_single_precision_is_attested_in_double() -> None:
    asked = request(seed=1, x=X, block={"n_heads": 2, "dtype": "float32"})
    found = engine.jacobian(asked, "output", "x", 0, 0)
    assert found.matrix.dtype == "float32"
    assert 1e-9 < found.max_abs_error < 1e-4


@pytest.mark.parametrize(
    ("arguments", "pointer"),
    [
        ({"of": "nothing", "wrt": ["x"]}, "/of"),
        ({"of": "output", "wrt": ["x", "nobody"]}, "/wrt/1"),
        ({"of": "output", "wrt": []}, "/wrt"),
        ({"of": "output", "wrt": ["x"], "stop": ["nowhere"]}, "/stop/0"),
        ({"of": "output", "wrt": ["x"], "cotangent": np.ones((3, 3))}, "/cotangent"),
    ],
)
def test_a_question_about_nothing_is_refused(arguments: dict[str, Any], pointer: str) -> None:
    with pytest.raises(BlockwalkError) as refusal:
        engine.gradient(request(seed=1, x=X), **arguments)
    assert refusal.value.faults[0].pointer == pointer


def test_a_token_that_is_not_there_is_refused() -> None:
    with pytest.raises(BlockwalkError) as refusal:
        engine.jacobian(request(**RECONSTRUCTED), "output", "x", 3, 0)
    assert refusal.value.faults[0].pointer == "/of_token"


def test_a_jacobian_at_a_kink_names_the_step_that_has_it() -> None:
    edit = {"step": "attention.weights", "set": 0, "where": {"head": [1]}}
    at_kink = engine.jacobian(request(**RECONSTRUCTED, interventions=[edit]), "output", "x", 0, 0)
    assert [(w["step"], w["code"]) for w in at_kink.warnings] == [("ffn.hidden", "kink")]
    assert at_kink.max_abs_error > 1e-3
    assert engine.jacobian(request(**RECONSTRUCTED), "output", "x", 0, 0).warnings == ()
