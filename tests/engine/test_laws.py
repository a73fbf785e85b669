"""Laws that hold for every block, tried on many."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from service import engine

BLOCKS = st.fixed_dictionaries(
    {
        "n_heads": st.sampled_from([1, 2, 4]),
        "norm_placement": st.sampled_from(["post", "pre"]),
        "norm": st.sampled_from(engine.NORMS),
        "activation": st.sampled_from(engine.ACTIVATIONS),
    }
)
SEEDS = st.integers(0, 2**32)


def trace(seed: int, x: Any, block: dict[str, Any], **more: Any) -> engine.Trace:
    return engine.trace(engine.TraceRequest.from_data({"seed": seed, "x": x, "block": block, **more}))


def rows(seed: int, n: int) -> Any:
    return np.random.default_rng(seed).standard_normal((n, 4)) * 3


@given(BLOCKS, SEEDS, st.integers(1, 6), st.data())
def test_a_row_of_weights_sums_to_one_or_is_all_zero(
    block: dict[str, Any], seed: int, n: int, data: st.DataObject
) -> None:
    keep = data.draw(st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=n, max_size=n))
    weights = trace(seed, rows(seed, n), block | {"mask": {"keep": keep}}).values["attention.weights"]
    total = weights.sum(axis=-1)
    np.testing.assert_allclose(total, np.broadcast_to(np.any(keep, axis=-1), total.shape), atol=1e-12)
    assert (weights >= 0).all()


@given(BLOCKS, SEEDS, st.integers(1, 6))
def test_a_standardised_row_has_mean_zero_and_mean_square_at_most_one(
    block: dict[str, Any], seed: int, n: int
) -> None:
    values = trace(seed, rows(seed, n), block).values
    for name in ("norm_1.normalized", "norm_2.normalized"):
        if block["norm"] == "layer_norm":
            np.testing.assert_allclose(values[name].mean(axis=-1), 0, atol=1e-12)
        assert ((values[name] ** 2).mean(axis=-1) <= 1 + 1e-12).all()


@given(BLOCKS, SEEDS, st.integers(2, 6), st.data())
def test_a_token_never_attends_to_its_future(
    block: dict[str, Any], seed: int, n: int, data: st.DataObject
) -> None:
    t = data.draw(st.integers(1, n - 1))
    x = rows(seed, n)
    other = x.copy()
    other[t:] = rows(seed + 1, n)[t:]
    block = block | {"mask": "causal"}
    ours, theirs = trace(seed, x, block), trace(seed, other, block)
    np.testing.assert_allclose(ours.values[ours.output][:t], theirs.values[ours.output][:t], atol=1e-12)


@given(BLOCKS, SEEDS, st.integers(1, 6), st.data())
def test_shuffling_the_tokens_shuffles_the_output(
    block: dict[str, Any], seed: int, n: int, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(n)))
    x = rows(seed, n)
    plain, shuffled = trace(seed, x, block), trace(seed, x[order], block)
    np.testing.assert_allclose(shuffled.values[plain.output], plain.values[plain.output][order], atol=1e-10)


@given(BLOCKS, SEEDS)
def test_a_jacobian_vector_product_is_the_gradient(block: dict[str, Any], seed: int) -> None:
    x, cotangent = rows(seed, 2), rows(seed + 1, 2)
    request = engine.TraceRequest.from_data({"seed": seed, "x": x, "block": block})
    matrix = engine.jacobian(request, "output", "x").matrix.value
    (gradient,) = engine.gradient(request, "output", ["x"], cotangent)
    np.testing.assert_allclose(cotangent.reshape(-1) @ matrix, gradient.value.reshape(-1), atol=1e-9)


@given(BLOCKS, SEEDS)
def test_selecting_a_step_does_not_change_it(block: dict[str, Any], seed: int) -> None:
    x = rows(seed, 3)
    whole = trace(seed, x, block)
    for name in ("attention.weights", "ffn.hidden", whole.output):
        np.testing.assert_array_equal(trace(seed, x, block, select=[name]).values[name], whole.values[name])
