"""The graph itself: order, needs, rewriting."""

from __future__ import annotations

import pytest

from service import engine
from service.engine.block import wire
from service.engine.graph import Graph
from service.engine.ops import ADD, RELU


def block(**fields: object) -> engine.BlockConfig:
    return engine.BlockConfig.from_data(fields)


def test_a_step_is_made_from_earlier_names_only() -> None:
    graph = Graph()
    graph.leaf("x", "token", kind="given", symbol="x")
    with pytest.raises(KeyError):
        graph.step("a", ADD, "x", "b", symbol="a")


def test_nothing_behind_a_given_step_is_needed() -> None:
    graph = wire(block())
    everything = graph.needed([graph.output])
    assert set(graph.steps) <= everything
    without = graph.needed([graph.output], given={"attention.output"})
    assert "attention.output" in without
    assert "attention.concat" not in without
    assert "attention.w_o" not in without


def test_post_and_pre_norm_have_the_same_names_in_another_order() -> None:
    post, pre = wire(block()), wire(block(norm_placement="pre"))
    assert set(post.steps) == set(pre.steps)
    assert list(post.steps) != list(pre.steps)
    assert (post.output, pre.output) == ("norm_2.output", "residual_2")


def test_equal_choices_share_a_graph_and_other_ones_do_not() -> None:
    assert wire(block(n_heads=2)) is wire(block(n_heads=2))
    assert wire(block(n_heads=2)) is not wire(block(n_heads=4))
    assert wire(block(), seed=1) is wire(block(), seed=2)
    assert wire(block(dropout=0.5), seed=1) is not wire(block(dropout=0.5), seed=2)


def test_rewiring_makes_a_copy() -> None:
    graph = wire(block())
    other = graph.rewired("ffn.hidden", op=ADD, inputs=("x", "x"))
    assert graph.steps["ffn.hidden"].op is RELU
    assert other.steps["ffn.hidden"].op is ADD
    with pytest.raises(KeyError):
        graph.rewired("ffn.nothing", op=ADD)


def test_formulas_hold_the_symbols_of_their_inputs() -> None:
    graph = wire(block())
    assert graph.latex(graph.steps["residual_1"]) == "x + O"
    assert graph.latex(graph.steps["norm_1.output"]) == r"\gamma \odot \hat{x} + \beta"
    assert graph.latex(graph.steps["attention.scaled_scores"]) == r"\frac{S}{\sqrt{d_{\mathrm{head}}}}"
