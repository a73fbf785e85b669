"""Given values, interventions, selection, freeing, warnings, and the variants of the block."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

from service import engine
from service.engine.graph import Graph
from service.engine.ops import Op
from service.errors import DeadlineExceeded

X = [[1.0, 2, 3, 4], [0, 1, 0, 1], [2, 0, 1, 0]]


def test_zeroing_the_projection_leaves_x_on_the_residual_path(ask: Any) -> None:
    trace = ask(example="lecture-05-reconstructed", interventions=[{"step": "attention.w_o", "set": 0}])
    np.testing.assert_array_equal(trace.values["residual_1"], trace.values["x"])
    assert trace.interventions == [{"step": "attention.w_o", "elements": 16}]


def test_a_step_set_outright_prunes_what_only_it_needed(ask: Any) -> None:
    trace = ask(example="lecture-05-reconstructed", interventions=[{"step": "attention.output", "set": 0}])
    assert "attention.weights" not in trace.values
    assert trace.interventions == [{"step": "attention.output", "elements": 12}]
    given = next(step for step in trace.steps if step.name == "attention.output")
    assert (given.op, given.inputs) == ("given", ())


def test_ancestors_of_a_given_step_are_computed_when_they_are_selected(ask: Any) -> None:
    trace = ask(
        example="lecture-05-reconstructed",
        interventions=[{"step": "attention.output", "set": 0}],
        select=["attention.*", "output"],
    )
    names = [step.name for step in trace.steps]
    assert "attention.weights" in names
    assert names[-1] == "norm_2.output"


def test_a_glob_takes_what_can_be_computed(ask: Any) -> None:
    names = [step.name for step in ask(example="lecture-05", select=["attention.*", "norm_1.*"]).steps]
    assert names == [
        "attention.output",
        "norm_1.mean",
        "norm_1.variance",
        "norm_1.normalized",
        "norm_1.output",
    ]


def test_interventions_follow_each_other_in_order(ask: Any) -> None:
    trace = ask(
        example="lecture-05",
        interventions=[
            {"step": "attention.output", "set": [[1, 1, 1, 1]]},
            {"step": "residual_1", "add": [1, 1, 1, 1]},
            {"step": "residual_1", "scale": 2, "where": {"d_model": [0, 3]}},
            {"step": "residual_1", "set": 9, "where": {"token": [0], "d_model": [1]}},
        ],
        select=["residual_1"],
    )
    np.testing.assert_array_equal(trace.values["residual_1"], [[6, 9, 3, 4]])
    assert [count["elements"] for count in trace.interventions] == [4, 4, 2, 1]


def test_an_intervention_on_a_step_that_is_not_needed_changes_nothing(ask: Any) -> None:
    trace = ask(
        example="lecture-05-reconstructed",
        interventions=[{"step": "ffn.output", "scale": 0}],
        select=["norm_1.output"],
    )
    assert trace.interventions == [{"step": "ffn.output", "elements": 0}]


def test_editing_a_step_does_not_reach_back_into_its_inputs(ask: Any) -> None:
    plain = ask(example="lecture-05-reconstructed")
    edited = ask(
        example="lecture-05-reconstructed",
        interventions=[{"step": "attention.concat", "set": 0, "where": {"token": [0]}}],
    )
    np.testing.assert_array_equal(
        edited.values["attention.head_outputs"], plain.values["attention.head_outputs"]
    )
    assert (edited.values["attention.concat"][0] == 0).all()


def test_ablating_a_head_is_not_ablating_a_slice_of_the_output(ask: Any) -> None:
    trace = ask(
        example="lecture-05-reconstructed",
        interventions=[{"step": "attention.head_outputs", "set": 0, "where": {"head": [0]}}],
    )
    w_o = trace.values["attention.w_o"]
    np.testing.assert_allclose(
        trace.values["attention.output"], trace.values["attention.head_outputs"][1] @ w_o[2:], atol=1e-15
    )


def test_tokens_keep_rows_of_token_and_query_axes_and_change_no_number(ask: Any) -> None:
    whole = {step.name: step.value for step in ask(example="lecture-05-reconstructed").steps}
    for step in ask(example="lecture-05-reconstructed", tokens=[2, 0]).steps:
        rows = next((i for i, axis in enumerate(step.axes) if axis in ("token", "query")), None)
        expected = whole[step.name] if rows is None else whole[step.name].take([2, 0], axis=rows)
        np.testing.assert_array_equal(step.value, expected)


def test_parameters_come_along_only_when_asked_for(ask: Any) -> None:
    assert not any(s.op == "parameter" for s in ask(example="lecture-05").steps)
    names = [s.name for s in ask(example="lecture-05", include_parameters=True).steps if s.op == "parameter"]
    assert names == [
        "norm_1.gamma",
        "norm_1.beta",
        "ffn.w_1",
        "ffn.b_1",
        "ffn.w_2",
        "ffn.b_2",
        "norm_2.gamma",
        "norm_2.beta",
    ]


def test_the_same_seed_draws_the_same_weight_whatever_else_is_sent(ask: Any) -> None:
    alone = ask(seed=5, x=X, block={"n_heads": 2}, include_parameters=True)
    other = ask(
        seed=5, x=X, block={"n_heads": 2}, parameters={"attention.w_q": np.eye(4)}, include_parameters=True
    )
    np.testing.assert_array_equal(alone.values["attention.w_o"], other.values["attention.w_o"])
    scheme = np.random.Generator(
        np.random.PCG64(np.random.SeedSequence(5, spawn_key=tuple(b"attention.w_o")))
    )
    np.testing.assert_array_equal(alone.values["attention.w_o"], scheme.standard_normal((4, 4)) / 2)


def test_a_selected_trace_holds_no_more_than_its_live_values() -> None:
    n, heads = 256, 4
    data: dict[str, Any] = {
        "block": {"n_heads": heads, "d_ff": 64},
        "seed": 1,
        "x": np.random.default_rng(0).standard_normal((n, 32)),
    }

    def peak(select: list[str] | None) -> int:
        planned = engine.plan(engine.TraceRequest.from_data(data | {"select": select}))
        engine.execute.run(planned)
        tracemalloc.start()
        engine.execute.run(planned)
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    scores = heads * n * n * 8  # three steps have this size: scores, scaled scores, weights
    assert peak(None) > 3 * scores
    assert peak(["output"]) < 1.5 * scores  # each stands where the one before it stood


def test_a_step_that_hands_its_input_on_leaves_it_to_whoever_keeps_it(ask: Any) -> None:
    same = Op("same", lambda scores, scale: scores, lambda *_: (None,), "")

    def idle(graph: Graph) -> Graph:
        return graph.rewired("attention.scaled_scores", op=same)

    request = engine.TraceRequest.from_data({"x": X, "seed": 1, "select": ["attention.scores", "output"]})
    kept = engine.trace(request, rewrite=idle).values["attention.scores"]
    np.testing.assert_array_equal(kept, ask(x=X, seed=1).values["attention.scores"])


def test_only_what_is_selected_is_kept(ask: Any) -> None:
    trace = ask(example="lecture-05-reconstructed", select=["output"])
    assert set(trace.values) & set(trace.plan.graph.steps) == {"norm_2.output"}


def test_a_deadline_is_heeded_between_steps() -> None:
    request = engine.TraceRequest.from_data({"example": "lecture-05"})
    with pytest.raises(DeadlineExceeded):
        engine.trace(request, budget=engine.Budget(deadline=0.0))


def test_a_fully_masked_row_gives_zeros_and_a_warning(ask: Any) -> None:
    trace = ask(x=X, seed=1, block={"mask": {"keep": [[False] * 3] + [[True] * 3] * 2}})
    assert [w["code"] for w in trace.warnings] == ["fully_masked_row"]
    assert (trace.values["attention.weights"][0, 0] == 0).all()
    assert np.isfinite(trace.values["norm_2.output"]).all()


def test_half_precision_names_the_first_step_it_cannot_hold(ask: Any) -> None:
    trace = ask(
        x=[[300.0, 300.0]],
        block={"dtype": "float16"},
        parameters={f"attention.w_{s}": [[30, 0], [0, 30]] for s in "qkvo"},
        seed=1,
    )
    assert [(w["step"], w["code"]) for w in trace.warnings] == [("attention.scores", "non_finite")]
    assert ask(x=X, seed=1, block={"dtype": "float16"}).warnings == []


def test_an_input_that_half_precision_cannot_hold_is_the_first_to_be_named(ask: Any) -> None:
    half = {"dtype": "float16"}
    sent = ask(x=[[1e5, 0, 1, 0]], seed=1, block=half)
    assert [(w["step"], w["code"]) for w in sent.warnings] == [("x", "non_finite")]
    edit = {"step": "attention.output", "set": 1e6}
    given = ask(x=X, seed=1, block=half, interventions=[edit], select=["attention.output"])
    assert [(w["step"], w["code"]) for w in given.warnings] == [("attention.output", "non_finite")]


def test_a_finite_additive_mask_stays_finite_in_half_precision(ask: Any) -> None:
    trace = ask(x=X, seed=1, block={"dtype": "float16", "mask": {"additive": [[-1e9] * 3] * 3}})
    assert trace.warnings == []
    np.testing.assert_allclose(trace.values["attention.weights"].sum(axis=-1), 1, atol=2e-3)


def test_what_half_precision_cannot_hold_may_still_scale_cap_or_normalise(ask: Any) -> None:
    half = {"dtype": "float16"}
    capped = ask(x=X, seed=1, block=half | {"softcap": 1e6}).values
    np.testing.assert_allclose(
        capped["attention.capped_scores"], capped["attention.scaled_scores"], rtol=2e-3, atol=1e-3
    )
    scores = {"step": "attention.scores", "set": [[[0, 1e-3]]]}
    scaled = ask(block=half | {"scale": 1e6}, interventions=[scores], select=["attention.scaled_scores"])
    np.testing.assert_allclose(scaled.values["attention.scaled_scores"], [[[0, 1000]]], rtol=2e-3)
    variance = {"step": "norm_1.variance", "set": 1e6}
    normalized = ask(x=X, seed=1, block=half, interventions=[variance]).values["norm_1.normalized"]
    assert (normalized != 0).any()


def test_a_mask_that_makes_no_numbers_of_scores_is_warned_of(ask: Any) -> None:
    for word in ("NaN", "Infinity"):
        trace = ask(x=X[:2], seed=1, block={"mask": {"additive": [[word, 0], [0, 0]]}})
        first = trace.warnings[0]
        assert (first["step"], first["code"]) == ("attention.masked_scores", "non_finite")


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_low_precision_traces_stay_close_to_the_exact_one(ask: Any, dtype: str) -> None:
    exact = ask(x=X, seed=3, block={"n_heads": 2})
    low = ask(x=X, seed=3, block={"n_heads": 2, "dtype": dtype})
    assert low.values["norm_2.output"].dtype == dtype
    np.testing.assert_allclose(
        low.values["norm_2.output"],
        exact.values["norm_2.output"],
        atol=1e-5 if dtype == "float32" else 2e-2,
    )


def test_masks_combine_by_and(ask: Any) -> None:
    block = {
        "mask": {"causal": True, "keep": [[True] * 3, [True] * 3, [True, False, True]]},
        "window": 2,
        "key_padding_keep": [True, True, True],
    }
    seen = ask(x=X, seed=1, block=block).values["attention.weights"][0] > 0
    np.testing.assert_array_equal(seen, [[1, 0, 0], [1, 1, 0], [0, 0, 1]])


def test_a_mask_may_differ_by_head_and_by_batch(ask: Any) -> None:
    by_head = [[[True, False], [True, True]], [[True, True], [True, True]]]
    trace = ask(x=[X[:2], X[:2]], seed=1, block={"n_heads": 2, "mask": {"keep": by_head}})
    np.testing.assert_array_equal(trace.values["attention.weights"][1] > 0, by_head)
    by_batch = [by_head, by_head[::-1]]
    trace = ask(x=[X[:2], X[:2]], seed=1, block={"n_heads": 2, "mask": {"keep": by_batch}})
    np.testing.assert_array_equal(trace.values["attention.weights"] > 0, by_batch)


def test_infinity_in_an_additive_mask_masks(ask: Any) -> None:
    trace = ask(x=X[:2], seed=1, block={"mask": {"additive": [[0, "-Infinity"], [0, 0]]}})
    assert trace.values["attention.weights"][0, 0].tolist() == [1, 0]


def test_a_batch_is_its_members_one_by_one(ask: Any) -> None:
    batch = [X, X[::-1]]
    block = {"n_heads": 2, "activation": "geglu", "mask": "causal"}
    together = ask(x=batch, seed=1, block=block)
    for i, x in enumerate(batch):
        alone = ask(x=x, seed=1, block=block)
        for step in together.steps:
            assert step.axes[0] == "batch"
            np.testing.assert_allclose(step.value[i], alone.values[step.name], atol=1e-14)


def test_dropout_is_a_step_of_its_own(ask: Any) -> None:
    trace = ask(x=X, seed=1, block={"dropout": 0.5})
    dropped = [step.name for step in trace.steps if step.op == "dropout"]
    assert dropped == ["attention.dropped_weights", "attention.dropped", "ffn.dropped_hidden", "ffn.dropped"]
    assert trace.plan.graph.steps["residual_1"].inputs == ("x", "attention.dropped")


def test_a_decoder_reads_its_memory_without_the_self_attentions_mask(ask: Any) -> None:
    trace = ask(x=X, memory=X[:2], seed=1, block={"kind": "decoder", "mask": "causal", "window": 1})
    weights = trace.values["cross_attention.weights"]
    assert weights.shape == (1, 3, 2)
    assert (weights > 0).all()
    assert trace.output == "norm_3.output"


def test_gated_networks_scale_one_branch_by_the_other(ask: Any) -> None:
    v = ask(x=X, seed=1, block={"activation": "swiglu"}).values
    gate = v["ffn.gate"]
    np.testing.assert_allclose(v["ffn.hidden"], gate / (1 + np.exp(-gate)) * v["ffn.up"], atol=1e-14)
    assert "ffn.pre_activation" not in v
