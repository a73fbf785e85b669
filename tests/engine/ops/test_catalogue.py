"""Laws that every equation of the catalogue keeps."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from service.engine.ops import CATALOGUE, Array, Op
from service.engine.ops.op import Misfit

RANDOM = np.random.default_rng(20)


def draw(*shape: int) -> Array:
    return RANDOM.standard_normal(shape)


SAMPLES: dict[str, list[tuple[tuple[Array, ...], dict[str, Any]]]] = {
    "add": [((draw(3, 4), draw(3, 4)), {})],
    "alibi": [((draw(2, 3, 5),), {"alignment": "bottom_right"})],
    "dot_product": [((draw(2, 3, 4), draw(2, 5, 4)), {}), ((draw(4, 3, 2), draw(2, 5, 2)), {})],
    "dropout": [((draw(3, 4),), {"rate": 0.5, "seed": 1, "stream": "test"})],
    "gain": [((draw(3, 4), draw(4)), {})],
    "gain_and_shift": [((draw(3, 4), draw(4), draw(4)), {}), ((draw(2, 3, 4), draw(4), draw(4)), {})],
    "gelu": [((draw(3, 4),), {})],
    "gelu_tanh": [((draw(3, 4),), {})],
    "linear": [((draw(3, 4), draw(4, 5), draw(5)), {}), ((draw(2, 3, 4), draw(4, 5), draw(5)), {})],
    "mask": [
        (
            (draw(2, 3, 3), draw(3, 3), np.asarray(True)),
            {"causal": True, "window": 2, "alignment": "top_left"},
        )
    ],
    "mean": [((draw(3, 4),), {})],
    "mean_square": [((draw(3, 4),), {})],
    "merge_heads": [((draw(2, 3, 4),), {})],
    "multiply": [((draw(3, 4), draw(3, 4)), {})],
    "project_heads": [
        ((draw(3, 4), draw(4, 6), draw(6)), {"n": 2}),
        ((draw(2, 3, 4), draw(4, 6), draw(6)), {"n": 3}),
    ],
    "relu": [((draw(3, 4),), {})],
    "rms_standardize": [((draw(3, 4), abs(draw(3)) + 0.5), {"epsilon": 1e-3})],
    "rotary": [
        ((draw(2, 3, 4),), {"layout": "half", "theta": 100.0}),
        ((draw(2, 3, 4),), {"layout": "interleaved", "theta": 100.0}),
    ],
    "scale": [((draw(2, 3, 3),), {"scale": 0.3})],
    "silu": [((draw(3, 4),), {})],
    "softcap": [((draw(2, 3, 3),), {"softcap": 1.5})],
    "softmax": [((draw(2, 3, 4),), {})],
    "standardize": [((draw(3, 4), draw(3), abs(draw(3)) + 0.5), {"epsilon": 1e-3})],
    "variance": [((draw(3, 4), draw(3)), {})],
    "weighted_sum": [((draw(2, 3, 5), draw(2, 5, 4)), {}), ((draw(4, 3, 5), draw(2, 5, 4)), {})],
}

EVERY_OP = pytest.mark.parametrize("op", CATALOGUE.values(), ids=list(CATALOGUE))
EVERY_SAMPLE = pytest.mark.parametrize(
    ("op", "inputs", "options"),
    [
        pytest.param(CATALOGUE[name], *sample, id=f"{name}-{i}")
        for name, samples in SAMPLES.items()
        for i, sample in enumerate(samples)
    ],
)


@EVERY_OP
def test_every_op_is_tried_here_and_has_a_formula(op: Op) -> None:
    assert op.name in SAMPLES
    assert "{0}" in op.latex
    assert op.latex.count("{") == op.latex.count("}")
    assert op.forward.__doc__
    assert op.vjp.__doc__


@EVERY_SAMPLE
def test_the_vector_jacobian_product_agrees_with_central_differences(
    op: Op, inputs: tuple[Array, ...], options: dict[str, Any]
) -> None:
    answer = op.forward(*inputs, **options)
    grad = np.random.default_rng(7).standard_normal(answer.shape)
    grads = op.vjp(grad, answer, *inputs, **options)
    assert len(grads) == len(inputs)
    for position, (value, found) in enumerate(zip(inputs, grads, strict=True)):
        if found is None:
            assert op.name == "mask"
            assert position > 0
            continue
        assert found.shape == value.shape
        numeric = np.empty_like(value)
        for index in np.ndindex(value.shape):
            moved = [each.copy() for each in inputs]
            moved[position][index] += 1e-6
            above = op.forward(*moved, **options)
            moved[position][index] -= 2e-6
            below = op.forward(*moved, **options)
            with np.errstate(invalid="ignore"):  # masked scores are −∞ on both sides
                numeric[index] = np.nansum(grad * (above - below)) / 2e-6
        np.testing.assert_allclose(found, numeric, atol=2e-8, rtol=1e-6)


@EVERY_SAMPLE
def test_the_shape_is_known_before_the_value(
    op: Op, inputs: tuple[Array, ...], options: dict[str, Any]
) -> None:
    shapes = [value.shape for value in inputs]
    answer = op.forward(*inputs, **options)
    assert op.shape(*shapes, **options) == answer.shape
    work = op.multiply_adds(answer.shape, *shapes, **({"n": options["n"]} if "n" in options else {}))
    assert isinstance(work, int)
    assert work >= 0


@EVERY_SAMPLE
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_low_precision_goes_in_and_comes_out(
    op: Op, inputs: tuple[Array, ...], options: dict[str, Any], dtype: str
) -> None:
    low = [value.astype(dtype) if value.dtype == np.float64 else value for value in inputs]
    answer = op.forward(*low, **options)
    statistic = op.name in {"mean", "variance", "mean_square"}
    assert answer.dtype == (np.float64 if statistic else np.dtype(dtype))
    exact = op.forward(
        *(value.astype(np.float64) if value.dtype != bool else value for value in low), **options
    )
    np.testing.assert_allclose(answer, exact, rtol=4e-3 if dtype == "float16" else 1e-5, atol=4e-3)


@EVERY_SAMPLE
def test_forward_and_backward_leave_their_inputs_alone(
    op: Op, inputs: tuple[Array, ...], options: dict[str, Any]
) -> None:
    before = [value.copy() for value in inputs]
    answer = op.forward(*inputs, **options)
    kept, grad = answer.copy(), np.ones(answer.shape)
    op.vjp(grad, answer, *inputs, **options)
    for value, original in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(value, original)
    np.testing.assert_array_equal(answer, kept)
    assert (grad == 1).all()


def test_operands_that_do_not_fit_are_misfits() -> None:
    for name, shapes, options in (
        ("add", [(1, 4), (3, 4)], {}),
        ("linear", [(3, 4), (5, 4), (4,)], {}),
        ("dot_product", [(2, 3, 4), (2, 3, 5)], {}),
        ("dot_product", [(3, 3, 4), (2, 3, 4)], {}),
        ("dot_product", [(1, 2, 3, 4), (2, 3, 4)], {}),
        ("weighted_sum", [(2, 3, 4), (2, 5, 4)], {}),
        ("rotary", [(2, 3, 5)], {"layout": "half", "theta": 10.0}),
    ):
        with pytest.raises(Misfit):
            CATALOGUE[name].shape(*shapes, **options)


def test_every_op_lives_in_the_file_of_its_name() -> None:
    for name, op in CATALOGUE.items():
        assert op.vjp.__module__.endswith(f".ops.{name}")
        assert re.fullmatch(r"[a-z_]+", name)
