"""Exercises: reproducible, different, workable, and marked right when they are right."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import orjson
import pytest

from service import grading
from service.errors import InvalidRequest
from service.grading import DIFFICULTIES, TOPICS, Check, Exercise, ExerciseRequest

KINDS = list(product(TOPICS, DIFFICULTIES))


def exercise(topic: str, seed: int, difficulty: int = 1) -> Exercise:
    return grading.exercise(ExerciseRequest(topic, seed, difficulty))


def numbers(of: Exercise) -> bytes:
    return orjson.dumps([of.given, [each.check for each in of.asked]])


def judged(check: dict[str, Any], answer: Any) -> grading.Verdict:
    return grading.check(Check.from_data({**check, "answer": answer}))


@pytest.mark.parametrize("topic", TOPICS)
def test_a_class_of_500_seeds_gets_500_different_exercises(topic: str) -> None:
    assert len({numbers(exercise(topic, seed)) for seed in range(500)}) == 500


@pytest.mark.parametrize(("topic", "difficulty"), KINDS)
def test_a_seed_gives_the_same_exercise_again(topic: str, difficulty: int) -> None:
    assert numbers(exercise(topic, 7, difficulty)) == numbers(exercise(topic, 7, difficulty))


@pytest.mark.parametrize(("topic", "difficulty"), KINDS)
def test_the_given_numbers_are_small_and_whole_or_halves_or_quarters(topic: str, difficulty: int) -> None:
    for seed in range(5):
        for given in exercise(topic, seed, difficulty).given:
            assert (np.abs(given["value"]) <= 3).all()
            assert (np.mod(np.asarray(given["value"]) * 4, 1) == 0).all()
            assert given["shape"] == np.shape(given["value"])
            assert len(given["axes"]) == len(given["shape"])


@pytest.mark.parametrize(("topic", "difficulty"), KINDS)
def test_every_given_array_has_a_symbol_of_its_own(topic: str, difficulty: int) -> None:
    symbols = [given["symbol"] for given in exercise(topic, 2, difficulty).given]
    assert len(set(symbols)) == len(symbols)


@pytest.mark.parametrize(("topic", "difficulty"), KINDS)
def test_no_weight_has_an_idle_row_or_column(topic: str, difficulty: int) -> None:
    for seed in range(5):
        for given in exercise(topic, seed, difficulty).given:
            if ".w_" in given["name"] and not (
                topic == "zeroed_projection" and given["name"].endswith("w_o")
            ):
                assert np.any(given["value"], axis=0).all()
                assert np.any(given["value"], axis=1).all()


@pytest.mark.parametrize(("topic", "difficulty"), KINDS)
def test_the_right_answer_with_three_decimals_is_right_and_zeros_are_wrong(
    topic: str, difficulty: int
) -> None:
    for seed in range(3):
        for asked in exercise(topic, seed, difficulty).asked:
            assert judged(asked.check, asked.answer.round(3).tolist()).correct
            assert not judged(asked.check, np.zeros(asked.answer.shape).tolist()).correct


@pytest.mark.parametrize(("topic", "difficulty"), KINDS)
def test_an_answer_does_not_give_itself_away(topic: str, difficulty: int) -> None:
    for seed in range(5):
        for asked in exercise(topic, seed, difficulty).asked:
            assert np.isfinite(asked.answer).all()
            assert asked.answer.size == 1 or np.ptp(asked.answer) >= 0.1


@pytest.mark.parametrize(("topic", "difficulty"), KINDS)
def test_it_is_told_in_both_languages(topic: str, difficulty: int) -> None:
    made = exercise(topic, 1, difficulty)
    assert set(made.statement) == set(made.topic.title) == {"zh", "en"}
    assert "三位小数" in made.statement["zh"]
    assert "three decimals" in made.statement["en"]
    for lang in grading.LANGUAGES:
        labels = [grading.label(each, lang) for each in made.asked]
        assert len(set(labels)) == len(labels)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("add_and_norm", ["residual_1", "norm_1.mean", "norm_1.variance", "norm_1.output"]),
        ("whole_row", ["residual_1", "norm_1.output", "ffn.hidden", "ffn.output", "norm_2.output"]),
    ],
)
def test_the_steps_asked_for_are_those_of_the_lecture(made: str, expected: list[str]) -> None:
    assert [each.question.step for each in exercise(made, 3).asked] == expected


def test_the_mistake_that_a_topic_is_about_is_found() -> None:
    for topic, step, done in (
        ("add_and_norm", "norm_1.output", "sample_variance"),
        ("zeroed_projection", "norm_1.output", "output_projection_forgotten"),
        ("feed_forward", "ffn.output", "activation_forgotten"),
        ("attention_weights", "attention.weights", "scale_forgotten"),
    ):
        asked = next(each for each in exercise(topic, 3).asked if each.question.step == step)
        problem = grading.Problem(asked.worked.plan.request, step)
        (changes,) = grading.CATALOGUE[done].places(problem)
        values = problem.work(changes)
        assert values is not None
        axes = problem.plan.axes(step)
        answer = grading.cut(values[step], axes, asked.question.tokens).round(3)
        assert done in [each.name for each in judged(asked.check, answer.tolist()).diagnoses]


def test_taking_the_derivative_for_one_is_found() -> None:
    for difficulty in (2, 3):
        asked = exercise("jacobian_direct_path", 3, difficulty).asked[-1]
        verdict = judged(asked.check, np.eye(len(asked.answer)).tolist())
        assert "derivative_taken_for_one" in [each.name for each in verdict.diagnoses]


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({"seed": 1}, "/topic"),
        ({"topic": "add_and_norm"}, "/seed"),
        ({"topic": "juggling", "seed": 1}, "/topic"),
        ({"topic": "add_and_norm", "seed": -1}, "/seed"),
        ({"topic": "add_and_norm", "seed": 1.5}, "/seed"),
        ({"topic": "add_and_norm", "seed": 1, "difficulty": 4}, "/difficulty"),
        ({"topic": "add_and_norm", "seed": 1, "lang": "fr"}, "/lang"),
        ({"topic": "add_and_norm", "seed": 1, "level": 1}, "/level"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_where_it_stands(data: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        ExerciseRequest.from_data(data)
    assert refusal.value.faults[0].pointer == pointer
