"""Each mistake's own numbers are diagnosed as that mistake, or as one that gives the same numbers."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from service import engine, grading
from service.grading import CATALOGUE, EQUIVALENCES, Check
from service.grading.problem import quiet
from service.grading.question import StepQuestion
from tests.grading.blocks import VARIANTS, any_block, random_block
from tests.grading.confusion import ARTEFACT, EXACT, NOTHING, matrix, output

ROWS = list(csv.DictReader(ARTEFACT.read_text().splitlines()))
TWINS = {frozenset(each.names) for each in EQUIVALENCES}


def confused() -> Iterator[frozenset[str]]:
    """The pairs of different mistakes of which one was diagnosed when the other was made."""
    for row in ROWS:
        for name in CATALOGUE:
            if row[name] and name != row["made"]:
                yield frozenset({row["made"], name})


def test_the_committed_confusion_matrix_is_the_one_that_the_code_makes() -> None:
    assert ARTEFACT.read_text() == matrix(), "run `python -m tests.grading.confusion`"


def test_every_mistake_is_made_and_always_diagnosed_as_itself() -> None:
    assert [row["made"] for row in ROWS] == list(CATALOGUE)
    for row in ROWS:
        assert int(row["runs"]) >= 20, row["made"]
        assert row[row["made"]] == row["runs"], row["made"]


def test_what_is_confused_is_listed_as_equivalent_and_nothing_else() -> None:
    assert set(confused()) == TWINS


def test_at_least_thirty_kinds_of_mistake_are_known() -> None:
    assert len(CATALOGUE) >= 30


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_mistake_is_explained_in_both_languages(name: str) -> None:
    for lang in grading.LANGUAGES:
        said = CATALOGUE[name].explanation(lang)
        for sentence in (said.done, said.right, said.why):
            assert sentence.endswith("。" if lang == "zh" else ".")
        assert said.text(lang).startswith(said.done)


def asked_at_random() -> list[Check]:
    """Steps of the course example and of random blocks, the answers still to be put in."""
    course = engine.TraceRequest.from_data({"example": "lecture-05-reconstructed"})
    steps = ["attention.weights", "residual_1", "norm_1.output", "ffn.hidden", "norm_2.output"]
    blocks = [random_block(variant, 99) for variant in VARIANTS]
    return [
        *(Check(course, step, NOTHING) for step in steps),
        *(Check(course, step, NOTHING, tokens=(0,)) for step in steps),
        *(Check(block, output(block), NOTHING) for block in blocks),
    ]


def test_a_thousand_random_wrong_answers_get_no_diagnosis() -> None:
    rng = np.random.default_rng(0)
    questions = [(asked, grading.question(asked)) for asked in asked_at_random()]
    claimed = []
    for i in range(1000):
        asked, worked = questions[i % len(questions)]
        noise = rng.normal(scale=0.5, size=worked.expected.shape)
        verdict = grading.judge(worked, replace(asked, answer=(worked.expected + noise).round(3)))
        assert not verdict.correct
        claimed += [(asked.step, each.name) for each in verdict.diagnoses]
    assert claimed == []


@pytest.mark.parametrize("seed", range(24))
def test_whatever_the_block_and_the_step_right_is_right_and_random_is_unexplained(seed: int) -> None:
    rng = np.random.default_rng(seed)
    request = any_block(seed)
    steps = list(engine.plan(request).kept)
    for step in rng.choice(steps, 2, replace=False):
        asked = Check(request, str(step), NOTHING)
        worked = grading.question(asked)
        right = grading.judge(worked, replace(asked, answer=worked.expected.copy()))
        assert right.correct
        noise = rng.normal(size=worked.expected.shape)
        wrong = grading.judge(worked, replace(asked, answer=worked.expected + noise))
        assert (wrong.correct, wrong.diagnoses) == (not np.isfinite(worked.expected).any(), ())


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_mistakes_together_are_told_as_such_or_more_simply(variant: str) -> None:
    request = random_block(variant, 0)
    asked = Check(request, output(request), NOTHING, tolerance=EXACT)
    worked = grading.question(asked)
    assert isinstance(worked, StepQuestion)
    with quiet():
        made = worked.pairs(EXACT)[::9]
    for pair in made:
        verdict = grading.judge(worked, replace(asked, answer=pair.value))
        told = [each.made for each in verdict.diagnoses]
        assert verdict.correct or pair.made in told or min(map(len, told)) == 1, pair.made
