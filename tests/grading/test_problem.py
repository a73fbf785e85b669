"""Working a problem wrongly: only what rests on the mistake is computed again, and that changes nothing."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from service import engine
from service.engine.graph import Graph
from service.grading import CATALOGUE
from service.grading.problem import Changes, Problem, merged, quiet
from tests.grading.blocks import VARIANTS, random_block
from tests.grading.confusion import output


def rewritten(changes: Changes, graph: Graph) -> Graph:
    return graph.with_steps(*changes.values())


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_changed_part_worked_alone_gives_what_the_whole_rewritten_graph_gives(variant: str) -> None:
    request = random_block(variant, 3)
    step = output(request)
    problem = Problem(request, step)
    for each in CATALOGUE.values():
        changes = merged(each.places(problem))
        if not changes:
            continue

        with quiet():
            found = problem.work(changes)
            whole = engine.trace(request, rewrite=partial(rewritten, changes)).values[step]
        assert found is not None
        np.testing.assert_array_equal(found[step], whole, err_msg=each.name)


def test_the_right_values_stay_as_they_are() -> None:
    problem = Problem(random_block("post_causal", 1), "norm_2.output")
    before = {name: value.copy() for name, value in problem.values.items()}
    for each in CATALOGUE.values():
        for changes in each.places(problem):
            with quiet():
                problem.work(changes)
    for name, value in before.items():
        np.testing.assert_array_equal(problem.values[name], value, err_msg=name)


def test_the_other_placement_is_the_other_block_s_output() -> None:
    request = random_block("post_causal", 1)
    other = CATALOGUE["placement_swapped"].instead(Problem(request, "norm_2.output"))
    assert other is not None
    assert other.step == "residual_2"
    assert other.block.norm_placement == "pre"
