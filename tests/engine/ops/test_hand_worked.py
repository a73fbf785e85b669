"""Numbers that can be checked with pencil and paper, or with more precision than float64 has."""

from __future__ import annotations

from math import comb, exp, pi, sqrt

import numpy as np
import pytest

from service.engine.ops import CATALOGUE
from service.engine.ops.alibi import slopes
from service.engine.ops.mask import visible


def test_softmax_of_one_and_two_is_the_logistic_function_of_one() -> None:
    weights = CATALOGUE["softmax"].forward(np.array([[1.0, 2.0]]))
    np.testing.assert_allclose(weights, [[1 / (1 + exp(1)), 1 / (1 + exp(-1))]], rtol=1e-15)


def test_softmax_survives_scores_that_would_overflow() -> None:
    weights = CATALOGUE["softmax"].forward(np.array([[1e4, 1e4 + 1.0]]))
    np.testing.assert_allclose(weights.sum(), 1, rtol=1e-15)


def test_a_row_without_keys_has_zero_weights_and_finite_gradients() -> None:
    softmax = CATALOGUE["softmax"]
    weights = softmax.forward(np.full((1, 2, 3), -np.inf))
    assert (weights == 0).all()
    (grad,) = softmax.vjp(np.ones_like(weights), weights, weights)
    assert (grad == 0).all()
    assert softmax.warn is not None
    assert "2 of 2" in (softmax.warn(weights) or "")


def test_a_weight_that_underflows_to_zero_is_no_masked_row() -> None:
    softmax = CATALOGUE["softmax"]
    assert softmax.warn is not None
    assert softmax.warn(softmax.forward(np.array([[-2000.0, 0.0]]))) is None


def test_the_variance_of_a_row_with_a_large_mean_does_not_cancel() -> None:
    row = np.array([[1e8, 1e8 + 1, 1e8 + 2, 1e8 + 3]])
    mean = CATALOGUE["mean"].forward(row)
    assert CATALOGUE["variance"].forward(row, mean)[0] == 1.25


def test_half_precision_squares_do_not_overflow() -> None:
    row = np.array([[1000.0, 1000.0, -1000.0, 1000.0]], dtype=np.float16)
    mean_square = CATALOGUE["mean_square"].forward(row)
    assert mean_square[0] == 1e6
    out = CATALOGUE["rms_standardize"].forward(row, mean_square, epsilon=1e-5)
    np.testing.assert_array_equal(out, [[1, 1, -1, 1]])


def test_single_precision_squares_do_not_overflow() -> None:
    row = np.array([[3e20, 4e20]], dtype=np.float32)
    mean = CATALOGUE["mean"].forward(row)
    variance = CATALOGUE["variance"].forward(row, mean)
    np.testing.assert_allclose(variance, 2.5e39, rtol=1e-6)
    out = CATALOGUE["standardize"].forward(row, mean, variance, epsilon=1e-5)
    np.testing.assert_allclose(out, [[-1, 1]], rtol=1e-6)


def test_a_constant_row_has_finite_gradients() -> None:
    row = np.full((1, 4), 3.0)
    mean, variance = np.array([3.0]), np.array([0.0])
    op = CATALOGUE["standardize"]
    answer = op.forward(row, mean, variance, epsilon=1e-5)
    assert (answer == 0).all()
    for grad in op.vjp(np.array([[1.0, 2, 3, 4]]), answer, row, mean, variance, epsilon=1e-5):
        assert grad is not None
        assert np.isfinite(grad).all()


def upper_tail(x: float) -> float:
    """Φ(−x) by its asymptotic series (Abramowitz & Stegun 26.2.12), good to 1e-9 relative for x ≥ 10."""
    terms = [(-1) ** k * comb(2 * k, k) * np.prod(np.arange(1, k + 1)) / (2 * x * x) ** k for k in range(8)]
    return exp(-x * x / 2) / (x * sqrt(2 * pi)) * float(sum(terms))


@pytest.mark.parametrize("x", [10.0, 15.0, 20.0, 30.0])
def test_gelu_keeps_its_relative_accuracy_far_out_in_the_tail(x: float) -> None:
    found = CATALOGUE["gelu"].forward(np.array([-x]))[0]
    assert found == pytest.approx(-x * upper_tail(x), rel=1e-7)


def test_the_tanh_form_keeps_its_relative_accuracy_in_the_tail() -> None:
    x = -6.0
    u = sqrt(2 / pi) * (x + 0.044715 * x**3)
    assert CATALOGUE["gelu_tanh"].forward(np.array([x]))[0] == pytest.approx(x / (1 + exp(-2 * u)), rel=1e-12)


def test_rotating_by_no_position_changes_nothing_and_lengths_stay() -> None:
    rows = np.random.default_rng(1).standard_normal((2, 5, 6))
    for layout in ("half", "interleaved"):
        turned = CATALOGUE["rotary"].forward(rows, layout=layout, theta=10000.0)
        np.testing.assert_array_equal(turned[:, 0], rows[:, 0])
        np.testing.assert_allclose((turned**2).sum(-1), (rows**2).sum(-1), rtol=1e-13)


def test_rotary_scores_depend_on_the_distance_alone() -> None:
    q, k = np.random.default_rng(2).standard_normal((2, 1, 1, 4))
    rotate = CATALOGUE["rotary"].forward
    qs = rotate(np.repeat(q, 6, axis=1), layout="interleaved", theta=10.0)
    ks = rotate(np.repeat(k, 6, axis=1), layout="interleaved", theta=10.0)
    scores = (qs @ ks.swapaxes(-1, -2))[0]
    for distance in range(-5, 6):
        diagonal = np.diagonal(scores, distance)
        np.testing.assert_allclose(diagonal, diagonal[0], rtol=1e-12)


def test_alibi_slopes_are_the_papers() -> None:
    assert slopes(8) == pytest.approx([2.0**-i for i in range(1, 9)])
    assert slopes(4) == pytest.approx([2.0**-2, 2.0**-4, 2.0**-6, 2.0**-8])
    assert len(slopes(12)) == 12
    assert slopes(12)[8:] == pytest.approx([2.0**-0.5, 2.0**-1.5, 2.0**-2.5, 2.0**-3.5])


def test_a_window_counts_the_token_itself_and_looks_both_ways_without_a_causal_mask() -> None:
    both = visible(4, 4, causal=False, window=2, alignment="top_left")
    np.testing.assert_array_equal(both, abs(np.subtract.outer(range(4), range(4))) <= 1)
    back = visible(4, 4, causal=True, window=2, alignment="top_left")
    np.testing.assert_array_equal(back, np.tril(both))


def test_alignment_says_where_the_queries_stand() -> None:
    left = visible(2, 4, causal=True, window=None, alignment="top_left")
    right = visible(2, 4, causal=True, window=None, alignment="bottom_right")
    np.testing.assert_array_equal(left, [[1, 0, 0, 0], [1, 1, 0, 0]])
    np.testing.assert_array_equal(right, [[1, 1, 1, 0], [1, 1, 1, 1]])


def test_dropout_keeps_the_mean_and_repeats_itself() -> None:
    values = np.ones((200, 200))
    once = CATALOGUE["dropout"].forward(values, rate=0.25, seed=3, stream="a")
    again = CATALOGUE["dropout"].forward(values, rate=0.25, seed=3, stream="a")
    other = CATALOGUE["dropout"].forward(values, rate=0.25, seed=3, stream="b")
    np.testing.assert_array_equal(once, again)
    assert (once != other).any()
    assert set(np.unique(once)) == {0.0, 1 / 0.75}
    assert abs(once.mean() - 1) < 0.02
