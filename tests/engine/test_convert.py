"""Agreement with PyTorch and transformers, forwards and backwards, by way of the public conversions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from service import engine
from service.engine import convert
from service.engine.differentiate import gradient
from service.engine.ops import CATALOGUE
from service.errors import InvalidRequest, MissingValue

CASES = {
    path.stem: json.loads(path.read_text()) for path in Path(__file__).with_name("golden").glob("*.json")
}
BLOCKS = sorted(name for name in CASES if "_op_" not in name)
EPSILON = {"layer_norm": 1e-5, "rms_norm": 1e-6}  # the arguments of the single norms in the reference
OPS = sorted(name for name in CASES if "_op_" in name)


def converted(case: dict[str, Any], arrays: dict[str, Any]) -> convert.Converted:
    c = case["config"]
    if case["name"].startswith("hf_gpt2"):
        return convert.from_gpt2(arrays, n_heads=c["n_heads"], epsilon=c["epsilon"])
    if case["name"].startswith("hf_bert"):
        return convert.from_bert(arrays, n_heads=c["n_heads"], epsilon=c["epsilon"])
    if case["name"].startswith("hf_llama"):
        return convert.from_llama(
            arrays,
            n_heads=c["n_heads"],
            n_kv_heads=c["n_kv_heads"],
            theta=c["rope"]["theta"],
            epsilon=c["epsilon"],
        )
    read = convert.from_torch_decoder if "decoder" in case["name"] else convert.from_torch_encoder
    return read(
        arrays,
        n_heads=c["n_heads"],
        norm_placement=c["norm_placement"],
        activation=c["activation"],
        epsilon=c["epsilon"],
    )


def request_of(case: dict[str, Any]) -> engine.TraceRequest:
    data: dict[str, Any] = converted(case, case["state_dict"]) | case["inputs"]
    if "attention_mask_true_means_blocked" in case:
        data["block"]["mask"] = {"keep": (~np.asarray(case["attention_mask_true_means_blocked"])).tolist()}
    if "key_padding_true_means_blocked" in case:
        data["block"]["key_padding_keep"] = (~np.asarray(case["key_padding_true_means_blocked"])).tolist()
    return engine.TraceRequest.from_data(data)


def tolerance(name: str, expected: Any) -> float:
    """Float64 throughout agrees to 1e-12. The reference Llama runs its norm, softmax and rotary angles in
    float32, whose rounding grows with the numbers: 2e-6 of the largest of them."""
    return 2e-6 * max(1.0, float(np.abs(expected).max())) if "llama" in name else 1e-12


@pytest.mark.parametrize("name", BLOCKS)
def test_a_converted_layer_has_the_references_output(name: str) -> None:
    trace, expected = engine.trace(request_of(CASES[name])), CASES[name]["output"]
    np.testing.assert_allclose(trace.values[trace.output], expected, atol=tolerance(name, expected), rtol=0)


@pytest.mark.parametrize("name", BLOCKS)
def test_a_converted_layer_has_the_references_gradients(name: str) -> None:
    case = CASES[name]
    expected = converted(case, case["weight_gradients"])["parameters"] | {
        each: np.asarray(value) for each, value in case["input_gradients"].items()
    }
    found = gradient(request_of(case), "output", expected, np.asarray(case["cotangent"]))
    assert {each.name for each in found} == set(expected)
    for each in found:
        right = expected[each.name]
        np.testing.assert_allclose(each.value, right, atol=tolerance(name, right), rtol=0, err_msg=each.name)


@pytest.mark.parametrize("name", OPS)
def test_a_single_function_agrees_with_the_reference(name: str) -> None:
    case = CASES[name]
    x, cotangent = np.asarray(case["inputs"]["x"]), np.asarray(case["cotangent"])
    op = case["config"]["op"]
    if op in ("layer_norm", "rms_norm"):
        request = engine.TraceRequest.from_data(
            {
                "block": {
                    "norm_placement": "pre",
                    "norm": op,
                    "epsilon": EPSILON[op],
                },
                "x": x,
                "select": ["norm_1.output"],
            }
        )
        output = engine.trace(request).values["norm_1.output"]
        grad = gradient(request, "norm_1.output", ["x"], cotangent)[0].value
    else:
        equation = CATALOGUE[op.removesuffix("_erf")]
        output = equation.forward(x)
        (found,) = equation.vjp(cotangent, output, x)
        assert found is not None
        grad = found
    np.testing.assert_allclose(output, case["output"], atol=1e-12, rtol=0)
    np.testing.assert_allclose(grad, case["input_gradients"]["x"], atol=1e-12, rtol=0)


def test_a_state_dict_that_lacks_or_has_too_much_is_refused_by_name() -> None:
    arrays = dict(CASES["hf_bert_layer"]["state_dict"])
    with pytest.raises(InvalidRequest) as excess:
        convert.from_bert(arrays | {"crossattention.self.query.weight": [[1.0]]}, n_heads=2)
    assert excess.value.faults[0].got == ["crossattention.self.query.weight"]
    del arrays["output.dense.weight"]
    with pytest.raises(MissingValue, match=r"output\.dense\.weight"):
        convert.from_bert(arrays, n_heads=2)
