"""From what users have in hand, a layer's state dict, to a block and its parameters.

Each function takes a mapping from the library's names to arrays (tensors that NumPy can read are fine) and
returns `{"block": …, "parameters": …}`, to which an `x` is added to make a trace request. Weights come out as
[in, out]. A name that is left over is an error: it would be a part of the layer that the block does not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import InvalidRequest, MissingValue
from .ops import Array

Converted = dict[str, dict[str, Any]]


class StateDict:
    """A state dict being read: every array is taken once, and nothing may be left over."""

    def __init__(self, arrays: Mapping[str, Any], ignored: tuple[str, ...] = ()) -> None:
        self.arrays = {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items()}
        for name in ignored:
            self.arrays.pop(name, None)
        self.parameters: dict[str, Array] = {}

    def take(self, name: str) -> Array:
        if name not in self.arrays:
            raise MissingValue(f"the state dict has no {name!r}", expected=name, got=sorted(self.arrays))
        return self.arrays.pop(name)

    def norm(self, theirs: str, ours: str) -> None:
        """A norm's gain, and its shift where it has one."""
        self.parameters[f"{ours}.gamma"] = self.take(f"{theirs}.weight")
        if f"{theirs}.bias" in self.arrays:
            self.parameters[f"{ours}.beta"] = self.take(f"{theirs}.bias")

    def linear(self, theirs: str, scope: str, suffix: str, *, transpose: bool = True) -> None:
        """A linear layer; `nn.Linear` stores [out, in], so its weight is transposed."""
        weight = self.take(f"{theirs}.weight")
        self.parameters[f"{scope}.w_{suffix}"] = weight.T if transpose else weight
        if f"{theirs}.bias" in self.arrays:
            self.parameters[f"{scope}.b_{suffix}"] = self.take(f"{theirs}.bias")

    def stacked(self, weight: str, bias: str, scope: str, *, transpose: bool = True) -> None:
        """Queries, keys and values in one array, one third each."""
        w = self.take(weight)
        thirds = np.split(w.T if transpose else w, 3, axis=1)
        self.parameters |= {f"{scope}.w_{letter}": third for letter, third in zip("qkv", thirds, strict=True)}
        if bias in self.arrays:
            thirds = np.split(self.take(bias), 3)
            self.parameters |= {f"{scope}.b_{s}": third for s, third in zip("qkv", thirds, strict=True)}

    def finish(self, **block: Any) -> Converted:
        if self.arrays:
            raise InvalidRequest("the block has no place for some of the arrays", got=sorted(self.arrays))
        return {"block": block, "parameters": self.parameters}


def from_torch_encoder(
    state_dict: Mapping[str, Any],
    *,
    n_heads: int,
    norm_placement: str = "post",
    activation: str = "relu",
    epsilon: float = 1e-5,
) -> Converted:
    """Convert the state dict of a `torch.nn.TransformerEncoderLayer`; the other arguments are the layer's."""
    s = StateDict(state_dict)
    torch_attention(s, "self_attn", "attention")
    return torch_rest(s, 2, n_heads, norm_placement, activation, epsilon, "encoder")


def from_torch_decoder(
    state_dict: Mapping[str, Any],
    *,
    n_heads: int,
    norm_placement: str = "post",
    activation: str = "relu",
    epsilon: float = 1e-5,
) -> Converted:
    """Convert the state dict of a `torch.nn.TransformerDecoderLayer`; a mask is the caller's to add."""
    s = StateDict(state_dict)
    torch_attention(s, "self_attn", "attention")
    torch_attention(s, "multihead_attn", "cross_attention")
    return torch_rest(s, 3, n_heads, norm_placement, activation, epsilon, "decoder")


def torch_attention(s: StateDict, theirs: str, scope: str) -> None:
    s.stacked(f"{theirs}.in_proj_weight", f"{theirs}.in_proj_bias", scope)
    s.linear(f"{theirs}.out_proj", scope, "o")


def torch_rest(
    s: StateDict, n_norms: int, n_heads: int, norm_placement: str, activation: str, epsilon: float, kind: str
) -> Converted:
    s.linear("linear1", "ffn", "1")
    s.linear("linear2", "ffn", "2")
    for i in range(1, n_norms + 1):
        s.norm(f"norm{i}", f"norm_{i}")
    return s.finish(
        kind=kind,
        norm_placement=norm_placement,
        activation=activation,
        n_heads=n_heads,
        epsilon=epsilon,
    )


def from_gpt2(state_dict: Mapping[str, Any], *, n_heads: int, epsilon: float = 1e-5) -> Converted:
    """Convert the state dict of transformers' `GPT2Block`: pre-norm, causal, tanh GELU, weights [in, out]."""
    s = StateDict(state_dict, ignored=("attn.bias", "attn.masked_bias"))
    s.norm("ln_1", "norm_1")
    s.norm("ln_2", "norm_2")
    s.stacked("attn.c_attn.weight", "attn.c_attn.bias", "attention", transpose=False)
    s.linear("attn.c_proj", "attention", "o", transpose=False)
    s.linear("mlp.c_fc", "ffn", "1", transpose=False)
    s.linear("mlp.c_proj", "ffn", "2", transpose=False)
    return s.finish(
        norm_placement="pre", activation="gelu_tanh", mask="causal", n_heads=n_heads, epsilon=epsilon
    )


def from_bert(state_dict: Mapping[str, Any], *, n_heads: int, epsilon: float = 1e-12) -> Converted:
    """Convert the state dict of transformers' `BertLayer`: post-norm, erf GELU."""
    s = StateDict(state_dict)
    for theirs, suffix in (("query", "q"), ("key", "k"), ("value", "v")):
        s.linear(f"attention.self.{theirs}", "attention", suffix)
    s.linear("attention.output.dense", "attention", "o")
    s.norm("attention.output.LayerNorm", "norm_1")
    s.linear("intermediate.dense", "ffn", "1")
    s.linear("output.dense", "ffn", "2")
    s.norm("output.LayerNorm", "norm_2")
    return s.finish(norm_placement="post", activation="gelu", n_heads=n_heads, epsilon=epsilon)


def from_llama(
    state_dict: Mapping[str, Any],
    *,
    n_heads: int,
    n_kv_heads: int | None = None,
    theta: float = 10000.0,
    epsilon: float = 1e-6,
) -> Converted:
    """Convert the state dict of transformers' `LlamaDecoderLayer`: pre-norm, rotary, SwiGLU, causal."""
    s = StateDict(state_dict, ignored=("self_attn.rotary_emb.inv_freq",))
    for suffix in "qkvo":
        s.linear(f"self_attn.{suffix}_proj", "attention", suffix)
    for suffix in ("gate", "up", "down"):
        s.linear(f"mlp.{suffix}_proj", "ffn", suffix)
    s.norm("input_layernorm", "norm_1")
    s.norm("post_attention_layernorm", "norm_2")
    return s.finish(
        norm="rms_norm",
        norm_placement="pre",
        activation="swiglu",
        mask="causal",
        position={"rope": {"theta": theta, "layout": "half"}},
        n_heads=n_heads,
        n_kv_heads=n_heads if n_kv_heads is None else n_kv_heads,
        epsilon=epsilon,
    )
