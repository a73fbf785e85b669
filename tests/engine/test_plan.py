"""What a plan finds out before anything is computed: order, shapes, cost, and everything that is wrong."""

from __future__ import annotations

import re
from math import prod
from typing import Any

import numpy as np
import pytest

from service import engine
from service.errors import (
    BlockwalkError,
    InvalidRequest,
    MissingValue,
    OperandMismatch,
    ShapeMismatch,
    TooCostly,
    UnknownName,
)

X = [[1.0, 2, 3, 4], [0, 1, 0, 1]]
OPEN_PLACE = re.compile(r"(?<!_)\{(\d|scale|softcap|rate)\}")
ROW = [[1.0, 0, 0, 0]]

# What is asked, the kind of refusal, the pointer, and words that the message must hold.
REFUSALS: list[tuple[str, dict[str, Any], type[BlockwalkError], str, list[str]]] = [
    (
        "d_model that disagrees with x",
        {"block": {"d_model": 5}, "seed": 1, "x": X},
        ShapeMismatch,
        "/x",
        ["block.d_model", "5", "4"],
    ),
    (
        "heads that do not divide d_model",
        {"block": {"n_heads": 3}, "seed": 1, "x": X},
        InvalidRequest,
        "/x",
        ["4", "3"],
    ),
    (
        "key/value heads that do not divide the heads",
        {"block": {"n_heads": 4, "n_kv_heads": 3}, "seed": 1, "x": X},
        InvalidRequest,
        "/block/n_kv_heads",
        ["4", "3"],
    ),
    (
        "a weight of the wrong width",
        {"block": {"n_heads": 2}, "seed": 1, "x": X, "parameters": {"attention.w_q": np.ones((3, 4))}},
        ShapeMismatch,
        "/parameters/attention.w_q",
        ["d_model", "4", "3"],
    ),
    (
        "two weights that disagree",
        {"seed": 1, "x": X, "parameters": {"ffn.w_1": np.ones((4, 6)), "ffn.w_2": np.ones((7, 4))}},
        ShapeMismatch,
        "/parameters/ffn.w_2",
        ["d_ff", "6", "7", "ffn.w_1"],
    ),
    (
        "a parameter of the wrong rank",
        {"seed": 1, "x": X, "parameters": {"norm_1.gamma": [[1, 1, 1, 1]]}},
        ShapeMismatch,
        "/parameters/norm_1.gamma",
        ["d_model"],
    ),
    (
        "a parameter the block does not have",
        {"seed": 1, "x": X, "parameters": {"ffn.w_gate": np.ones((4, 6))}},
        UnknownName,
        "/parameters/ffn.w_gate",
        ["ffn.w_1"],
    ),
    (
        "a shift for RMSNorm",
        {"block": {"norm": "rms_norm"}, "seed": 1, "x": X, "parameters": {"norm_1.beta": [0, 0, 0, 0]}},
        UnknownName,
        "/parameters/norm_1.beta",
        ["norm_1.gamma"],
    ),
    ("no x", {"seed": 1, "block": {"d_model": 4}}, MissingValue, "/x", ["x"]),
    (
        "a weight that a needed step lacks",
        {"x": X},
        MissingValue,
        "/parameters/attention.w_q",
        ["attention.w_q", "attention.query"],
    ),
    (
        "dropout without a seed",
        {"example": "lecture-05", "block": {"dropout": 0.1}},
        MissingValue,
        "/seed",
        ["dropout"],
    ),
    ("memory on an encoder", {"seed": 1, "x": X, "memory": X}, InvalidRequest, "/memory", ["decoder"]),
    (
        "a decoder without memory",
        {"block": {"kind": "decoder"}, "seed": 1, "x": X},
        MissingValue,
        "/memory",
        ["memory"],
    ),
    ("window 0", {"block": {"window": 0}, "seed": 1, "x": X}, InvalidRequest, "/block/window", ["1"]),
    (
        "a step that does not exist",
        {"example": "lecture-05", "interventions": [{"step": "resid_mid", "set": 0}]},
        UnknownName,
        "/interventions/0/step",
        ["residual_1"],
    ),
    (
        "an axis that the step lacks",
        {
            "example": "lecture-05-reconstructed",
            "interventions": [{"step": "residual_1", "scale": 0, "where": {"head": [0]}}],
        },
        UnknownName,
        "/interventions/0/where/head",
        ["token", "d_model"],
    ),
    (
        "an index beyond the axis",
        {
            "example": "lecture-05-reconstructed",
            "interventions": [{"step": "residual_1", "scale": 0, "where": {"token": [3]}}],
        },
        InvalidRequest,
        "/interventions/0/where/token/0",
        ["3 along token"],
    ),
    (
        "an amount of the wrong shape",
        {"example": "lecture-05-reconstructed", "interventions": [{"step": "residual_1", "add": [1, 2, 3]}]},
        ShapeMismatch,
        "/interventions/0/add",
        ["[3, 4]", "[3]"],
    ),
    (
        "a given step that does not fit x",
        {"example": "lecture-05", "x": X},
        OperandMismatch,
        "/interventions/0/set",
        ["x [2, 4]", "attention.output [1, 4]"],
    ),
    (
        "one statistic for three rows",
        {
            "example": "lecture-05-reconstructed",
            "interventions": [{"step": "norm_1.mean", "set": [1]}],
        },
        OperandMismatch,
        "/interventions/0/set",
        ["norm_1.mean [1]", "residual_1 [3, 4]"],
    ),
    (
        "statistics of a given row count",
        {
            "interventions": [
                {"step": "norm_1.variance", "set": [1, 2]},
                {"step": "norm_1.mean", "set": [0]},
                {"step": "residual_1", "set": ROW},
            ],
            "select": ["norm_1.output"],
        },
        OperandMismatch,
        "/interventions/0/set",
        ["norm_1.variance [2]"],
    ),
    (
        "an axis that a pruned step lacks",
        {
            "example": "lecture-05-reconstructed",
            "interventions": [{"step": "ffn.output", "set": 0, "where": {"head": [0]}}],
            "select": ["norm_1.output"],
        },
        UnknownName,
        "/interventions/0/where/head",
        ["token", "d_model"],
    ),
    (
        "a glob that matches nothing",
        {"example": "lecture-05", "select": ["attn.*"]},
        UnknownName,
        "/select/0",
        ["residual_1"],
    ),
    (
        "a selection of nothing",
        {"example": "lecture-05", "select": []},
        InvalidRequest,
        "/select",
        ["nothing"],
    ),
    ("a token out of range", {"example": "lecture-05", "tokens": [1]}, InvalidRequest, "/tokens/0", ["1"]),
    (
        "a keep mask of the wrong shape",
        {"block": {"mask": {"keep": [[True, False]]}}, "seed": 1, "x": X},
        ShapeMismatch,
        "/block/mask/keep",
        ["[2, 2]"],
    ),
    (
        "an additive mask of the wrong shape",
        {"block": {"mask": {"additive": [[0.0] * 3] * 3}}, "seed": 1, "x": X},
        ShapeMismatch,
        "/block/mask/additive",
        ["[2, 2]", "[3, 3]"],
    ),
    (
        "padding for other keys",
        {"block": {"key_padding_keep": [True]}, "seed": 1, "x": X},
        ShapeMismatch,
        "/block/key_padding_keep",
        ["[2]", "[1]"],
    ),
    (
        "an odd d_head for rotary positions",
        {"block": {"d_head": 3, "position": {"rope": {}}}, "seed": 1, "x": X},
        OperandMismatch,
        "/block/position/rope",
        ["3 is odd"],
    ),
    (
        "batches that differ",
        {"block": {"kind": "decoder"}, "seed": 1, "x": [X, X], "memory": [X, X, X]},
        ShapeMismatch,
        "/memory",
        ["batch", "2", "3"],
    ),
    (
        "a set that nothing tells the size of",
        {
            "block": {"d_model": 4},
            "interventions": [{"step": "residual_1", "set": 0}],
            "select": ["norm_1.*"],
        },
        MissingValue,
        "/interventions/0/set",
        ["token"],
    ),
]


@pytest.mark.parametrize(
    ("request_data", "kind", "pointer", "words"),
    [case[1:] for case in REFUSALS],
    ids=[c[0] for c in REFUSALS],
)
def test_what_is_wrong_is_refused_with_where_and_why(
    request_data: dict[str, Any], kind: type[BlockwalkError], pointer: str, words: list[str]
) -> None:
    with pytest.raises(kind) as refusal:
        engine.plan(engine.TraceRequest.from_data(request_data))
    assert pointer in {fault.pointer for fault in refusal.value.faults}
    text = " ".join(f"{f.detail} {f.expected} {f.got}" for f in refusal.value.faults)
    for word in words:
        assert word in text


def test_all_missing_weights_are_named_at_once() -> None:
    with pytest.raises(MissingValue) as refusal:
        engine.plan(engine.TraceRequest.from_data({"x": X}))
    pointers = {fault.pointer for fault in refusal.value.faults}
    weights = ["attention.w_q", "attention.w_k", "attention.w_v", "attention.w_o", "ffn.w_1", "ffn.w_2"]
    assert pointers == {f"/parameters/{name}" for name in weights}


BLOCKS: list[dict[str, Any]] = [
    {"n_heads": 2},
    {"n_heads": 2, "norm_placement": "pre", "norm": "rms_norm", "activation": "swiglu"},
    {"n_heads": 4, "n_kv_heads": 2, "d_head": 6, "position": {"rope": {}}, "mask": "causal"},
    {"kind": "decoder", "n_heads": 2, "softcap": 3, "position": {"alibi": True}, "dropout": 0.5},
]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("batched", [False, True])
def test_planned_shapes_and_elements_are_exactly_those_computed(block: dict[str, Any], batched: bool) -> None:
    x: Any = [X, X, X] if batched else X
    data = {"block": block, "seed": 2, "x": x} | ({"memory": x} if block.get("kind") == "decoder" else {})
    request = engine.TraceRequest.from_data(data)
    planned, trace = engine.plan(request), engine.trace(request)
    steps = {step.name: step for step in trace.steps}
    for name, step in steps.items():
        assert planned.shapes[name] == step.value.shape
        assert len(step.axes) == step.value.ndim
    assert planned.estimate.elements == sum(step.value.size for step in steps.values())
    learned = [n for n in planned.graph.parameters() if n in planned.shapes]
    assert planned.estimate.parameter_elements == sum(prod(planned.shapes[name]) for name in learned)
    assert planned.estimate.multiply_adds > 0


def test_every_step_has_axes_a_symbol_and_a_formula_without_open_places() -> None:
    for block in BLOCKS:
        graph = engine.plan(
            engine.TraceRequest.from_data(
                {"block": block, "seed": 1, "x": X}
                | ({"memory": X} if block.get("kind") == "decoder" else {})
            )
        ).graph
        for step in graph:
            assert step.axes
            assert step.symbol
            latex = graph.latex(step)
            assert latex.count("{") == latex.count("}")
            assert not OPEN_PLACE.search(latex), latex


def test_a_huge_request_is_refused_by_its_estimate_alone() -> None:
    request = engine.TraceRequest.from_data(
        {"block": {"n_heads": 16, "d_head": 10**9, "d_ff": 10**15}, "seed": 1, "x": np.zeros((2048, 16))}
    )
    planned = engine.plan(request)
    assert planned.estimate.elements > 2048 * 2048 * 16
    assert planned.estimate.parameter_elements > 10**16
    with pytest.raises(TooCostly) as refusal:
        engine.trace(request, budget=engine.Budget(max_elements=10**7, max_bytes=10**9))
    assert refusal.value.estimate["elements"] == planned.estimate.elements
    assert refusal.value.limit == {"elements": 10**7, "bytes": 10**9}


def test_sizes_left_out_are_taken_from_the_arrays() -> None:
    request = engine.TraceRequest.from_data(
        {
            "block": {"d_head": 3},
            "seed": 1,
            "x": X,
            "parameters": {
                "attention.w_q": np.ones((4, 12)),
                "attention.w_k": np.ones((4, 6)),
                "ffn.b_1": np.zeros(5),
            },
        }
    )
    block = engine.trace(request).block
    assert {size: block[size] for size in ("n_heads", "n_kv_heads", "d_model", "d_head", "d_ff")} == {
        "n_heads": 4,
        "n_kv_heads": 2,
        "d_model": 4,
        "d_head": 3,
        "d_ff": 5,
    }


def test_the_resolved_block_states_the_scale_in_force() -> None:
    block = engine.trace(engine.TraceRequest.from_data({"example": "lecture-05-reconstructed"})).block
    assert block["scale"] == pytest.approx(2**-0.5)


def test_scores_given_without_any_d_head_are_scaled_by_one_and_a_warning_says_so(ask: Any) -> None:
    trace = ask(
        interventions=[{"step": "attention.scores", "set": [[[1, 2], [3, 4]]]}], select=["attention.weights"]
    )
    assert [w["code"] for w in trace.warnings] == ["unknown_d_head"]
    np.testing.assert_allclose(trace.values["attention.weights"].sum(-1), 1)
