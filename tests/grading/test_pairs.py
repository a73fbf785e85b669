"""Two mistakes at once: what comes out is what the rewritten graph gives."""

from __future__ import annotations

import numpy as np
import pytest

from service import engine
from service.engine import TraceRequest
from service.grading.answers import Tolerance
from service.grading.misconceptions import CATALOGUE
from service.grading.pairs import pairs
from service.grading.problem import Problem, quiet
from service.grading.suspicions import Detour, everywhere
from tests.grading.blocks import VARIANTS, random_block
from tests.grading.confusion import EXACT, output

COURSE = TraceRequest.from_data({"example": "lecture-05-causal"})
BLOCKS = {name: random_block(name, 5) for name in VARIANTS} | {"course": COURSE}


def found_in(problem: Problem) -> list[Detour]:
    with quiet():
        return list(pairs(problem, list(everywhere(problem)), EXACT))


@pytest.mark.parametrize("name", BLOCKS)
def test_a_pair_gives_what_the_graph_rewritten_by_both_gives(name: str) -> None:
    problem = Problem(BLOCKS[name], output(BLOCKS[name]))
    found = found_in(problem)
    for pair in found:
        with quiet():
            values = pair.world.work({step: pair.changes[step] for step in pair.steps})
        assert values is not None
        np.testing.assert_allclose(pair.value, values[pair.world.step], rtol=1e-9, atol=1e-9)
    assert len({each.made for each in found}) == len(found) > 200


def test_a_mistake_within_the_tolerance_is_in_no_pair() -> None:
    problem = Problem(COURSE, "norm_2.output")
    with quiet():
        found = list(pairs(problem, list(everywhere(problem)), Tolerance()))
    made = {each.name for pair in found for each in pair.made}
    assert "sample_variance" in made
    assert not made & {"epsilon_forgotten", "epsilon_outside_root", "bias_forgotten"}


def test_two_mistakes_in_one_step_are_both_made() -> None:
    problem = Problem(random_block("post_causal", 5), "norm_1.output")
    made = {each.made: each for each in found_in(problem)}
    both = made[CATALOGUE["gamma_forgotten"], CATALOGUE["beta_forgotten"]]
    np.testing.assert_allclose(both.value, problem.values["norm_1.normalized"])


def test_rounding_goes_with_every_mistake() -> None:
    problem = Problem(COURSE, "norm_1.variance")
    made = {each.made: each for each in found_in(problem)}
    both = made[CATALOGUE["sample_variance"], CATALOGUE["rounding_carried"]]
    rounded = problem.values["residual_1"].round(3)
    np.testing.assert_allclose(both.value, rounded.var(axis=-1, ddof=1).round(3), atol=2e-3)
    np.testing.assert_array_equal(both.value, both.value.round(3))


def test_edits_of_the_trace_hold_for_pairs_too() -> None:
    edit = {"step": "norm_1.output", "scale": 2, "where": {"token": [1]}}
    data = {"example": "lecture-05-causal", "interventions": [edit]}
    made = {each.made: each for each in found_in(Problem(TraceRequest.from_data(data), "norm_2.output"))}
    pair = made[CATALOGUE["sample_variance"], CATALOGUE["scale_forgotten"]]
    whole = engine.trace(
        TraceRequest.from_data(data), rewrite=lambda graph: graph.with_steps(*pair.changes.values())
    )
    np.testing.assert_allclose(pair.value, whole.values["norm_2.output"], rtol=1e-12)
