"""What is claimed, and what is not: an explanation needs evidence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service import engine, grading
from service.grading import CATALOGUE, Check, Diagnosis
from service.grading.problem import Problem, merged, quiet

LECTURE: dict[str, Any] = {"example": "lecture-05"}
WHOLE: dict[str, Any] = {"example": "lecture-05-reconstructed"}
CAUSAL: dict[str, Any] = {"example": "lecture-05-causal"}
EPSILON = 1e-5


def values(trace: dict[str, Any]) -> Any:
    return engine.trace(engine.TraceRequest.from_data(trace)).values


def diagnosed(step: str, answer: Any, trace: dict[str, Any] = LECTURE, **fields: Any) -> list[Diagnosis]:
    data = {"trace": trace, "step": step, "answer": np.asarray(answer).tolist(), **fields}
    return list(grading.check(Check.from_data(data)).diagnoses)


def names(found: list[Diagnosis]) -> list[str]:
    return [each.name for each in found]


def made(name: str, step: str, trace: dict[str, Any]) -> Any:
    """What comes out when one mistake is made wherever it can be."""
    problem = Problem(engine.TraceRequest.from_data(trace), step)
    with quiet():
        found = problem.work(merged(CATALOGUE[name].places(problem)))
    assert found is not None
    return found[step]


R = values(LECTURE)["residual_1"]
MU, SIGMA2 = R.mean(), R.var()
U = values(LECTURE)["norm_1.output"]
W_1 = np.array([[1, 0, 0, 0, 1, -1], [0, 1, 0, 0, -1, 1], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]])


@pytest.mark.parametrize(
    ("step", "answer", "name"),
    [
        ("norm_1.output", (R - MU) / np.sqrt(R.var(ddof=1) + EPSILON), "sample_variance"),
        ("norm_1.output", (R - MU) / np.sqrt(np.sqrt(SIGMA2) + EPSILON), "deviation_for_variance"),
        ("norm_1.output", (R - MU) / (SIGMA2 + EPSILON), "root_forgotten"),
        ("norm_1.output", R / np.sqrt(SIGMA2 + EPSILON), "mean_not_subtracted"),
        ("norm_1.output", R / np.sqrt((R**2).mean() + EPSILON), "rms_norm_for_layer_norm"),
        ("norm_1.output", R, "norm_forgotten"),
        ("residual_1", R - [[1, 0, 1, 0]], "residual_forgotten"),
        ("residual_2", values(LECTURE)["ffn.output"] + [[1, 0, 1, 0]], "second_residual_from_x"),
        ("ffn.hidden", U @ W_1, "activation_forgotten"),
    ],
)
def test_a_mistake_worked_by_hand_is_named(step: str, answer: Any, name: str) -> None:
    assert names(diagnosed(step, answer)) == [name]


def test_scores_divided_by_d_are_told_from_scores_not_divided() -> None:
    scores = values(WHOLE)["attention.scores"]
    for divisor, name in ((1, "scale_forgotten"), (2, "scale_by_d")):
        weights = np.exp(scores / divisor) / np.exp(scores / divisor).sum(axis=-1, keepdims=True)
        assert name in names(diagnosed("attention.weights", weights, WHOLE))


def test_where_the_mistake_was_made_is_told() -> None:
    (found,) = diagnosed("norm_2.output", made("sample_variance", "norm_2.output", LECTURE))
    assert found.steps == ("norm_1.variance", "norm_2.variance")
    carried = {"norm_1.output": U.tolist()}
    (found,) = diagnosed("norm_2.output", values(LECTURE)["norm_2.output"] * np.sqrt(3 / 4), carried=carried)
    assert (found.name, found.steps) == ("sample_variance", ("norm_2.variance",))


def test_explanations_that_fit_equally_are_all_told() -> None:
    answer = made("residual_forgotten", "norm_1.output", LECTURE)
    assert set(names(diagnosed("norm_1.output", answer))) == {"residual_forgotten", "norm_of_sublayer_only"}


def test_two_mistakes_at_once_are_found_where_no_single_one_fits() -> None:
    update = R - [[1, 0, 1, 0]]
    answer = (update - update.mean()) / np.sqrt(update.var(ddof=1) + EPSILON)
    found = diagnosed("norm_1.output", answer)
    assert names(found) == ["sample_variance + residual_forgotten", "sample_variance + norm_of_sublayer_only"]
    assert found[0].explanation("en").count("\n") == 1


def test_a_simple_explanation_is_told_before_any_pair() -> None:
    found = diagnosed("norm_2.output", made("second_residual_from_x", "norm_2.output", LECTURE))
    assert [len(each.made) for each in found] == [1]


def test_a_wrong_answer_that_nothing_explains_gets_no_explanation() -> None:
    assert diagnosed("norm_1.output", U + np.array([[0.1, -0.2, 0.3, 0.05]])) == []


@pytest.mark.parametrize("element", range(4))
def test_one_element_that_happens_to_fit_a_mistake_is_no_evidence(element: int) -> None:
    answer = U.copy()
    answer[0, element] = made("sample_variance", "norm_1.output", LECTURE)[0, element]
    assert diagnosed("norm_1.output", answer) == []


def test_a_single_number_is_evidence_if_it_fits_to_the_last_digit_written() -> None:
    assert names(diagnosed("norm_1.variance", [0.790])) == ["sample_variance"]
    assert names(diagnosed("norm_1.variance", ["0.78994"])) == ["sample_variance"]
    assert diagnosed("norm_1.variance", ["0.79012"]) == []
    assert diagnosed("norm_1.variance", [0.791]) == []


def test_a_plain_number_is_no_evidence() -> None:
    trace = {
        "block": {"d_model": 2},
        "x": [[1, 0]],
        "interventions": [{"step": "attention.output", "set": [[1, 2]]}],
    }
    assert made("residual_forgotten", "residual_1", trace).tolist() == [[1, 2]]
    assert diagnosed("residual_1", [[1, 2]], trace) == []


def test_rows_worked_rightly_do_not_hide_the_mistake_in_another() -> None:
    right, mistaken = values(WHOLE)["norm_1.output"], made("sample_variance", "norm_1.output", WHOLE)
    answer = np.concatenate([right[:1], mistaken[1:]])
    assert names(diagnosed("norm_1.output", answer, WHOLE)) == ["sample_variance"]


def test_a_mistake_that_makes_no_difference_here_is_never_named() -> None:
    problem = Problem(engine.TraceRequest.from_data(WHOLE), "norm_2.output")
    silent = {"gamma_forgotten", "beta_forgotten", "bias_forgotten", "query_and_key_swapped"}
    for name in silent:
        found = problem.work(merged(CATALOGUE[name].places(problem)))
        assert found is not None
        np.testing.assert_allclose(found["norm_2.output"], problem.right)
    answer = made("scale_forgotten", "norm_2.output", WHOLE)
    assert not silent & set(names(diagnosed("norm_2.output", answer, WHOLE)))


def test_a_mistake_in_the_mask_shows_only_in_the_rows_it_touches() -> None:
    answer = made("causal_sees_next", "attention.weights", CAUSAL)
    assert "causal_sees_next" in names(diagnosed("attention.weights", answer, CAUSAL))
    answer = made("causal_sees_next", "attention.masked_scores", CAUSAL)
    typed = np.where(np.isinf(answer), "-Infinity", answer.round(6).astype(str))
    found = diagnosed("attention.masked_scores", typed, CAUSAL)
    assert "causal_sees_next" in names(found)


def test_when_the_upstream_is_not_given_the_mistakes_in_it_are_not_suspected() -> None:
    problem = Problem(engine.TraceRequest.from_data(LECTURE), "norm_1.output")
    assert not list(CATALOGUE["scale_forgotten"].places(problem))
    given_u = {
        "block": {"activation": "relu"},
        "interventions": [{"step": "norm_1.output", "set": U.tolist()}],
        "parameters": {"ffn.w_1": W_1.tolist(), "ffn.w_2": np.ones((6, 4)).tolist()},
    }
    problem = Problem(engine.TraceRequest.from_data(given_u), "residual_2")
    (changes,) = CATALOGUE["second_residual_from_x"].places(problem)
    assert problem.work(changes) is None
    assert diagnosed("residual_2", np.arange(4.0)[None], given_u) == []
