"""A trace in the hand: a mapping, attributes, completion, plain data."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from blockwalk_client import Scope, Tensor, Trace


def test_a_trace_is_a_mapping_in_order_of_computation(causal: Trace) -> None:
    assert next(iter(causal)) == "x"
    assert list(causal)[-1] == causal.output.name
    assert list(causal.values()) == list(causal.steps)
    assert "attention.weights" in causal
    assert len(causal) == len(causal.steps)


def test_a_missing_step_is_told_its_neighbours(causal: Trace) -> None:
    with pytest.raises(KeyError, match=r"norm_1\.output"):
        causal["norm1.output"]
    with pytest.raises(AttributeError, match="nowhere"):
        _ = causal.nowhere


def test_scopes_are_explored_by_attribute(causal: Trace) -> None:
    assert isinstance(causal.attention, Scope)
    assert causal.attention.weights is causal["attention.weights"]
    assert causal.attention["weights"] is causal["attention.weights"]
    assert causal.x is causal["x"]


def test_keys_and_attributes_are_completed(causal: Trace) -> None:
    assert causal._ipython_key_completions_() == list(causal)
    assert {"attention", "norm_1", "residual_1", "output", "steps", "to_dict"} <= set(dir(causal))
    assert {"weights", "scores"} <= set(dir(causal.attention))
    assert all(hasattr(causal, name) for name in dir(causal))


def test_a_tensor_says_what_it_is(causal: Trace) -> None:
    weights = causal["attention.weights"]
    assert isinstance(weights, Tensor)
    assert weights.axes == ("head", "query", "key")
    assert weights.shape == weights.value.shape == (2, 3, 3)
    assert weights.symbol == "A"
    assert "softmax" in weights.formula == weights.latex
    assert weights.inputs == ("attention.masked_scores",)
    assert repr(weights).startswith("attention.weights (head 2 × query 3 × key 3, float64)\n[[[1. ")


def test_a_tensor_is_indexed_by_place_and_by_axis(causal: Trace) -> None:
    weights = causal["attention.weights"]
    assert weights[1][2].tolist() == weights.at(head=1, query=2).tolist() == weights.value[1, 2].tolist()
    assert weights.at(key=0).shape == (2, 3)
    assert weights[:, 0, 0].tolist() == [1, 1]
    with pytest.raises(KeyError, match="head, query, key"):
        weights.at(token=0)


def test_a_tensor_is_an_array_to_numpy(causal: Trace) -> None:
    weights = causal["attention.weights"]
    assert np.allclose(np.asarray(weights).sum(axis=-1), 1)
    assert np.asarray(weights, dtype=np.float32).dtype == np.float32
    own = np.array(weights)
    own[:] = 0
    assert weights.value.any()
    assert len(list(weights)) == len(weights) == 2


def test_plain_data_is_json_and_makes_the_same_trace_again(causal: Trace) -> None:
    text = json.dumps(causal.to_dict(), allow_nan=False)
    assert '"-Infinity"' in text
    again = Trace(json.loads(text))
    assert again.to_dict() == causal.to_dict()
    assert again["attention.masked_scores"].at(head=0, query=0, key=1) == -np.inf


def test_a_trace_can_be_copied_and_pickled(causal: Trace) -> None:
    for again in (copy.deepcopy(causal), pickle.loads(pickle.dumps(causal))):
        assert again.to_dict() == causal.to_dict()


def test_a_trace_prints_as_a_table_whose_columns_line_up(causal: Trace) -> None:
    head, *rows = repr(causal).splitlines()
    assert head.startswith("Trace: post-norm encoder · 2 heads · d_model 4 · float64")
    assert len(rows) == len(causal)
    assert (
        len(
            {
                row.index(tensor.op, len(tensor.name) + 2)
                for row, tensor in zip(rows, causal.steps, strict=True)
            }
        )
        == 1
    )


def test_a_warning_is_seen(client: object, causal: Trace) -> None:
    data = causal.to_dict() | {
        "warnings": [{"step": "attention.weights", "code": "c", "detail": "look <here>"}]
    }
    trace = Trace(data)
    assert "! attention.weights: look <here>" in repr(trace)
    assert "look &lt;here&gt;" in trace._repr_html_()
