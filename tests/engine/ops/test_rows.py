"""Work by blocks of rows gives what work on the whole gives, whatever the blocks and threads."""

from __future__ import annotations

import numpy as np
import pytest

from service.engine.ops import CATALOGUE, SCALE, Array, Op, rows, variance

RANDOM = np.random.default_rng(9)
SCORES = RANDOM.standard_normal((2, 7, 5))
OPTIONS = {"scale": {"scale": 0.3}}
ALIKE = [op for op in CATALOGUE.values() if hasattr(op.forward, "__wrapped__") and op.name != "variance"]


@pytest.fixture(params=[1, 2, 3], ids="{} threads".format)
def small_blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "BLOCK", 10)
    monkeypatch.setattr(rows, "WORTH_A_THREAD", 10)
    monkeypatch.setattr(rows, "_threads", request.param)
    rows.threads.cache_clear()


def whole(op: Op, array: Array) -> Array:
    return op.forward.__wrapped__(array, **OPTIONS.get(op.name, {}))  # type: ignore[attr-defined]  # by `wraps`


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("op", ALIKE, ids=lambda op: op.name)
@pytest.mark.parametrize("array", [SCORES, SCORES.swapaxes(0, 1)], ids=["as made", "turned"])
def test_blocks_give_what_the_whole_gives(op: Op, array: Array) -> None:
    answer = op.forward(array, **OPTIONS.get(op.name, {}))
    np.testing.assert_array_equal(answer, whole(op, array))


@pytest.mark.usefixtures("small_blocks")
def test_a_statistic_is_cut_into_the_same_rows() -> None:
    mean = SCORES.mean(axis=-1)
    np.testing.assert_array_equal(
        variance.forward(SCORES, mean),
        variance.forward.__wrapped__(SCORES, mean),  # type: ignore[attr-defined]  # by `wraps`
    )


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("op", [op for op in CATALOGUE.values() if op.in_place], ids=lambda op: op.name)
def test_the_answer_may_stand_where_the_operand_stood(op: Op) -> None:
    array = SCORES.copy()
    assert op.forward(array, **OPTIONS.get(op.name, {}), out=array) is array
    np.testing.assert_array_equal(array, whole(op, SCORES))


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("op", [op for op in CATALOGUE.values() if op.in_place], ids=lambda op: op.name)
def test_a_gradient_may_stand_where_the_one_after_it_stood(op: Op) -> None:
    options = OPTIONS.get(op.name, {})
    grad, answer = RANDOM.standard_normal(SCORES.shape), whole(op, SCORES)
    (expected,) = op.vjp(grad, answer, SCORES, **options)
    (found,) = op.vjp(grad, answer, SCORES, **options, out=grad)
    assert found is grad
    np.testing.assert_array_equal(found, expected)


@pytest.mark.usefixtures("small_blocks")
def test_a_floating_point_flag_of_any_thread_is_seen() -> None:
    flags: list[str] = []
    large = np.zeros((6, 10))
    large[-1] = 1e300
    with np.errstate(over="call", call=lambda kind, _: flags.append(kind)):
        SCALE.forward(large, scale=1e300)
    assert flags == ["overflow"]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"OPENBLAS_NUM_THREADS": "3", "OMP_NUM_THREADS": "5"}, 3),
        ({"OMP_NUM_THREADS": "5"}, 5),
        ({"OPENBLAS_NUM_THREADS": "0"}, 1),
        ({"OPENBLAS_NUM_THREADS": "all"}, rows.threads_allowed({})),
    ],
)
def test_rows_get_as_many_threads_as_the_blas(environment: dict[str, str], expected: int) -> None:
    assert rows.threads_allowed(environment) == expected
