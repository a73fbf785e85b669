"""A layer of PyTorch, and a stand-in with the same attributes where PyTorch is not installed."""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from blockwalk_client import Client

GOLDEN = sorted((Path(__file__).parents[2] / "engine" / "golden").glob("torch_*coder_*.json"))
RNG = np.random.default_rng(5)
D_MODEL, D_FF = 4, 6


def linear(size_in: int, size_out: int, bias: bool) -> SimpleNamespace:
    return SimpleNamespace(
        weight=RNG.normal(size=(size_out, size_in)), bias=RNG.normal(size=size_out) if bias else None
    )


def attention(bias: bool, batch_first: bool) -> SimpleNamespace:
    return SimpleNamespace(
        in_proj_weight=RNG.normal(size=(3 * D_MODEL, D_MODEL)),
        in_proj_bias=RNG.normal(size=3 * D_MODEL) if bias else None,
        out_proj=linear(D_MODEL, D_MODEL, bias),
        num_heads=2,
        batch_first=batch_first,
        bias_k=None,
        add_zero_attn=False,
    )


def norm(bias: bool) -> SimpleNamespace:
    return SimpleNamespace(
        weight=RNG.normal(size=D_MODEL), bias=RNG.normal(size=D_MODEL) if bias else None, eps=1e-3
    )


def relu(x: Any) -> Any:
    return np.maximum(x, 0)


def stand_in(*, decoder: bool = False, bias: bool = True, **attributes: Any) -> Any:
    """What `torch.nn.TransformerEncoderLayer(4, 2, 6).eval()` is, as far as anybody looks."""
    parts = {
        "self_attn": attention(bias, attributes.pop("batch_first", False)),
        "linear1": linear(D_MODEL, D_FF, bias),
        "linear2": linear(D_FF, D_MODEL, bias),
        "norm1": norm(bias),
        "norm2": norm(bias),
        "norm_first": False,
        "activation": relu,
        "training": False,
    }
    if decoder:
        parts |= {"multihead_attn": attention(bias, False), "norm3": norm(bias)}
    return SimpleNamespace(**parts | attributes)


def test_the_layer_s_numbers_are_the_block_s(client: Client) -> None:
    layer, x = stand_in(), RNG.normal(size=(3, D_MODEL))
    trace = client.trace_torch(layer, x, include_parameters=True)
    assert trace.block["epsilon"] == 1e-3
    w_k = layer.self_attn.in_proj_weight[D_MODEL : 2 * D_MODEL].T
    assert np.array_equal(trace["attention.w_k"], w_k)
    hidden = relu(trace["norm_1.output"].value @ layer.linear1.weight.T + layer.linear1.bias)
    assert np.allclose(trace["ffn.hidden"], hidden)


def test_a_decoder_looks_at_its_memory(client: Client) -> None:
    x, memory = RNG.normal(size=(3, D_MODEL)), RNG.normal(size=(5, D_MODEL))
    layer = stand_in(decoder=True, bias=False, norm_first=True)
    trace = client.trace_torch(layer, x, memory, block={"mask": "causal"})
    assert trace.block["kind"] == "decoder"
    assert trace.block["norm_placement"] == "pre"
    assert trace["cross_attention.weights"].shape == (2, 3, 5)
    assert trace["attention.weights"].at(head=0, query=0).tolist() == [1, 0, 0]


@pytest.mark.parametrize("as_lists", [False, True])
def test_the_batch_comes_first_in_the_trace_wherever_the_layer_has_it(client: Client, as_lists: bool) -> None:
    x = RNG.normal(size=(3, 2, D_MODEL))
    layer = stand_in()
    trace = client.trace_torch(layer, x.tolist() if as_lists else x)
    layer.self_attn.batch_first = True
    assert np.array_equal(trace.output, client.trace_torch(layer, x.swapaxes(0, 1)).output)


class GELU:
    def __init__(self, approximate: str = "none") -> None:
        self.approximate = approximate


class SiLU:
    pass


@pytest.mark.parametrize(
    ("activation", "expected"),
    [(relu, "relu"), (GELU(), "gelu"), (GELU("tanh"), "gelu_tanh"), (SiLU(), "silu")],
)
def test_activations_are_functions_or_modules(client: Client, activation: Any, expected: str) -> None:
    trace = client.trace_torch(stand_in(activation=activation), np.eye(D_MODEL), select=["output"])
    assert trace.block["activation"] == expected


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"training": True}, "eval"),
        ({"activation": np.tanh}, "activation"),
        ({"norm2": SimpleNamespace(weight=None, bias=None, eps=1e-5)}, "epsilons"),
        ({"self_attn": SimpleNamespace(in_proj_weight=None, bias_k=None, add_zero_attn=False)}, "attention"),
    ],
)
def test_a_layer_that_no_block_is_like_is_refused(
    client: Client, change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        client.trace_torch(stand_in(**change), np.eye(D_MODEL))


def test_another_kind_of_layer_is_refused(client: Client) -> None:
    with pytest.raises(TypeError, match="TransformerEncoderLayer"):
        client.trace_torch(linear(2, 2, bias=True), np.eye(2))


def layer_of(case: dict[str, Any]) -> Any:
    """A stand-in for the layer whose state dict, and answer, were taken down from PyTorch."""
    config, decoder = case["config"], "decoder" in case["name"]
    layer = stand_in(
        decoder=decoder,
        batch_first=True,
        norm_first=config["norm_placement"] == "pre",
        activation=GELU() if config["activation"] == "gelu" else relu,
    )
    for i in range(1, 3 + decoder):
        getattr(layer, f"norm{i}").eps = config["epsilon"]
    for each in (layer, layer.self_attn, getattr(layer, "multihead_attn", layer)):
        forget(each)
    layer.self_attn.num_heads = config["n_heads"]
    for name, value in case["state_dict"].items():
        *path, last = name.split(".")
        setattr(reduce(getattr, path, layer), last, np.array(value))
    return layer


def forget(part: Any) -> None:
    """Take away the stand-in's own numbers."""
    for name, value in vars(part).items():
        if isinstance(value, np.ndarray):
            setattr(part, name, None)
        elif isinstance(value, SimpleNamespace):
            forget(value)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_trace_ends_where_pytorch_ended(client: Client, path: Path) -> None:
    case = json.loads(path.read_text())
    block: dict[str, Any] = {}
    if "attention_mask_true_means_blocked" in case:
        block["mask"] = {"keep": ~np.array(case["attention_mask_true_means_blocked"])}
    if "key_padding_true_means_blocked" in case:
        block["key_padding_keep"] = ~np.array(case["key_padding_true_means_blocked"])
    for binary in (False, True):
        trace = client.trace_torch(layer_of(case), **case["inputs"], block=block, binary=binary)
        assert np.allclose(trace.output, case["output"], rtol=0, atol=1e-12)


def test_pytorch_itself_is_read_where_it_is_installed(client: Client) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not among the pinned packages")
    torch.manual_seed(1)
    for kind in (torch.nn.TransformerEncoderLayer, torch.nn.TransformerDecoderLayer):
        layer = kind(8, 2, 16, activation="gelu").eval()
        inputs = torch.randn(2, 5, 3, 8)[: 1 + hasattr(layer, "multihead_attn")]
        expected = layer(*inputs).detach().swapaxes(0, 1).numpy()
        for binary in (False, True):
            assert np.allclose(client.trace_torch(layer, *inputs, binary=binary).output, expected, atol=1e-5)
