"""A check: judged element by element, on the right numbers or on the student's own earlier ones."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

from service import engine, grading
from service.errors import DeadlineExceeded, InvalidRequest, TooCostly
from service.grading import Check, Verdict
from service.grading.question import SMALL

LECTURE: dict[str, Any] = {"example": "lecture-05"}
WHOLE: dict[str, Any] = {"example": "lecture-05-reconstructed"}


def judged(**fields: Any) -> Verdict:
    return grading.check(Check.from_data({"trace": LECTURE, **fields}))


def refused(**fields: Any) -> str:
    with pytest.raises(InvalidRequest) as refusal:
        judged(**fields)
    return refusal.value.faults[0].pointer


def value(step: str, **request: Any) -> Any:
    asked = engine.TraceRequest.from_data({**WHOLE, "select": [step], **request})
    return engine.trace(asked).values[step]


@pytest.mark.parametrize("step", ["residual_1", "norm_1.mean", "norm_1.output", "ffn.hidden", "output"])
def test_the_right_answer_printed_with_three_decimals_is_right(step: str) -> None:
    name = "norm_2.output" if step == "output" else step
    printed = np.round(value(name)[:1], 3).tolist()
    verdict = judged(step=step, answer=printed)
    assert (verdict.correct, verdict.score, verdict.diagnoses) == (True, 1, ())


def test_every_element_is_judged_and_the_score_is_the_fraction_right() -> None:
    verdict = judged(step="residual_1", answer=[[2, 1.5, 0.802, 0.5]])
    assert verdict.right.tolist() == [[True, False, True, False]]
    assert (verdict.correct, verdict.score) == (False, 0.5)


def test_the_tolerance_is_the_caller_s() -> None:
    answer = [[2, 1.6, 0.8, -0.01]]
    assert not judged(step="residual_1", answer=answer).correct
    assert judged(step="residual_1", answer=answer, tolerance={"absolute": 0.01}).correct
    exact = judged(
        step="residual_1", answer=[[2, 1.599, 0.802, -0.006]], tolerance={"absolute": 0, "relative": 0}
    )
    assert exact.right.tolist() == [[True, False, False, False]]


def test_tokens_choose_the_rows_that_the_answer_holds() -> None:
    rows = value("attention.weights")[:, [2, 0]]
    verdict = judged(trace=WHOLE, step="attention.weights", tokens=[2, 0], answer=rows.tolist())
    assert verdict.correct
    assert verdict.right.shape == (2, 2, 3)
    of_the_trace = judged(trace={**WHOLE, "tokens": [2, 0]}, step="attention.weights", answer=rows.tolist())
    assert of_the_trace.correct


def test_what_is_asked_for_needs_only_what_it_rests_on() -> None:
    attention = {name: np.eye(2).tolist() for name in ("attention.w_q", "attention.w_k")}
    trace = {"x": [[1, 0], [0, 1]], "block": {"n_heads": 1}, "parameters": attention, "select": ["output"]}
    assert judged(trace=trace, step="attention.scores", answer=[[[1, 0], [0, 1]]]).correct


def test_a_later_step_is_judged_on_the_student_s_own_earlier_numbers() -> None:
    own = [[1.2, 0.7, -0.4, -1.4]]
    fields = {"step": "ffn.pre_activation", "answer": [[1.2, 0.7, -0.4, -1.4, 0.5, -0.5]]}
    assert not judged(**fields).correct
    assert judged(**fields, carried={"norm_1.output": own}).correct
    assert judged(**fields, carried={"norm_1.output": [["1.2", "7/10", "−0.4", -1.4]]}).correct


def test_carried_rows_of_the_asked_tokens_leave_the_other_rows_right() -> None:
    own = np.array([[9.0, 1.0, 2.0, 3.0]])
    fields = {"trace": WHOLE, "step": "norm_1.mean", "carried": {"residual_1": own.tolist()}}
    assert judged(**fields, tokens=[1], answer=[3.75]).correct
    whole = value("residual_1").copy()
    whole[1] = own
    assert judged(**{**fields, "carried": {"residual_1": whole.tolist()}}, tokens=[1], answer=[3.75]).correct


def test_a_carried_mistake_is_not_counted_again_but_a_new_one_is_found() -> None:
    own = np.array([2.0, 1.5, 0.5, 0.0])
    carried = {"residual_1": [own.tolist()]}
    answer = (own - own.mean()) / np.sqrt(own.var(ddof=1) + 1e-5)
    verdict = judged(step="norm_1.output", answer=[answer.round(3).tolist()], carried=carried)
    assert [each.name for each in verdict.diagnoses] == ["sample_variance"]


def test_what_if_edits_of_the_trace_are_part_of_the_question() -> None:
    trace = {**LECTURE, "interventions": [{"step": "attention.output", "set": 0}]}
    assert judged(trace=trace, step="residual_1", answer=[[1, 0, 1, 0]]).correct


def test_masked_scores_are_answered_with_minus_infinity() -> None:
    trace = {"example": "lecture-05-causal"}
    expected = value("attention.masked_scores", **trace)
    answer = np.where(np.isinf(expected), "−∞", np.round(expected, 3).astype(str)).tolist()
    assert judged(trace=trace, step="attention.masked_scores", answer=answer).correct
    open_ones = np.nan_to_num(expected, neginf=0).tolist()
    assert judged(trace=trace, step="attention.masked_scores", answer=open_ones).score == 6 / 9


ASKED = {"step": "residual_1", "answer": [[1, 2, 3, 4]]}


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"step": "residual_1"}, "/answer"),
        ({"answer": [[1]]}, "/step"),
        ({"step": "residual_9", "answer": [[1]]}, "/step"),
        ({"step": "residual_1", "answer": [[1, 2]]}, "/answer"),
        ({"step": "residual_1", "answer": [1, 2, 3, 4]}, "/answer"),
        ({"step": "residual_1", "answer": [[1, 2, 3, "1,5"]]}, "/answer/0/3"),
        ({**ASKED, "tokens": [1]}, "/tokens/0"),
        ({**ASKED, "tolerance": {"absolute": -1}}, "/tolerance/absolute"),
        ({**ASKED, "tolerance": {"digits": 3}}, "/tolerance/digits"),
        ({**ASKED, "carried": {"r": [1]}}, "/carried/r"),
        ({**ASKED, "carried": {"residual_1": [[1]]}}, "/carried/residual_1"),
        ({**ASKED, "carried": [1]}, "/carried"),
        ({**ASKED, "marks": 3}, "/marks"),
        ({**ASKED, "trace": {"example": "no"}}, "/trace/example"),
        ({**ASKED, "trace": {"x": [[1, 2, 3, 4]]}}, "/trace/parameters/attention.w_q"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_where_it_is(fields: dict[str, Any], pointer: str) -> None:
    assert refused(**fields) == pointer


def test_carried_values_of_the_wrong_shape_are_refused_where_they_are() -> None:
    assert refused(**ASKED, carried={"attention.output": [[1, 2]]}).startswith("/carried/attention.output")


def test_a_check_keeps_to_its_budget() -> None:
    check = Check.from_data({"trace": WHOLE, "step": "output", "answer": np.ones((3, 4)).tolist()})
    with pytest.raises(TooCostly):
        grading.check(check, engine.Budget(max_multiply_adds=1000))
    with pytest.raises(DeadlineExceeded):
        grading.check(check, engine.Budget(deadline=0))


def test_a_large_block_is_judged_without_keeping_every_mistake_s_values() -> None:
    rng = np.random.default_rng(0)
    trace = {"block": {"n_heads": 4}, "seed": 1, "x": rng.normal(size=(40, 64)).tolist()}
    problem = grading.Problem(engine.TraceRequest.from_data(trace), "norm_1.output")
    assert problem.plan.estimate.elements > SMALL
    (changes,) = grading.CATALOGUE["sample_variance"].places(problem)
    values = problem.work(changes)
    assert values is not None
    asked = Check.from_data({"trace": trace, "step": "norm_1.output", "answer": values["norm_1.output"]})
    tracemalloc.start()
    verdict = grading.check(asked)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [each.name for each in verdict.diagnoses] == ["sample_variance"]
    assert peak < 8 * problem.plan.estimate.bytes
