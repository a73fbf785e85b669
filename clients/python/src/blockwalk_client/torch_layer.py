"""A PyTorch encoder or decoder layer -> the fields of a trace request.

PyTorch keeps a linear layer's weight as [out, in] and stacks the projections of queries, keys and values; the
service takes [in, out], each by its own name. A layer is read by its attributes and its tensors by their own
methods, so that PyTorch is needed by whoever holds a layer, and imported by nobody here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .arrays import shape_of

Fields = dict[str, Any]


def fields_of(layer: Any) -> Fields:
    """The block and the parameters of a `torch.nn.TransformerEncoderLayer` or `TransformerDecoderLayer`.

    Raises `TypeError` for anything else, and `ValueError` for a layer that drops out or that computes what a
    block cannot.
    """
    if not all(hasattr(layer, name) for name in ("self_attn", "linear1", "linear2", "norm1", "norm2")):
        raise TypeError(
            "layer should be a torch.nn.TransformerEncoderLayer or TransformerDecoderLayer, "
            f"got {type(layer).__name__}"
        )
    if getattr(layer, "training", False):
        raise ValueError(
            "the layer is in training mode, where it drops out at random; call layer.eval() first"
        )
    decoder = hasattr(layer, "multihead_attn")
    norms = ["norm1", "norm2", *(["norm3"] if decoder else [])]
    parameters = dict(attention(layer.self_attn, "attention"))
    if decoder:
        parameters |= attention(layer.multihead_attn, "cross_attention")
    parameters |= linear(layer.linear1, "ffn", "1") | linear(layer.linear2, "ffn", "2")
    for i, name in enumerate(norms, 1):
        parameters |= norm(getattr(layer, name), f"norm_{i}")
    return {
        "block": {
            "kind": "decoder" if decoder else "encoder",
            "norm_placement": "pre" if layer.norm_first else "post",
            "activation": activation(layer),
            "n_heads": layer.self_attn.num_heads,
            "epsilon": shared_epsilon([getattr(layer, name) for name in norms]),
        },
        "parameters": parameters,
    }


def attention(module: Any, scope: str) -> Iterator[tuple[str, Any]]:
    """Queries, keys and values are a third each of what PyTorch stacks."""
    if module.in_proj_weight is None or module.bias_k is not None or module.add_zero_attn:
        raise ValueError(
            f"{scope}: only keys and values as wide as the queries, and none added, can be traced"
        )
    width = module.in_proj_weight.shape[0] // 3
    for i, letter in enumerate("qkv"):
        third = slice(i * width, (i + 1) * width)
        yield f"{scope}.w_{letter}", module.in_proj_weight[third].T
        if module.in_proj_bias is not None:
            yield f"{scope}.b_{letter}", module.in_proj_bias[third]
    yield from linear(module.out_proj, scope, "o").items()


def linear(module: Any, scope: str, suffix: str) -> Fields:
    found = {f"{scope}.w_{suffix}": module.weight.T}
    if module.bias is not None:
        found[f"{scope}.b_{suffix}"] = module.bias
    return found


def norm(module: Any, scope: str) -> Fields:
    """A gain, and a shift where there is one; a norm without either keeps the service's 1 and 0."""
    pairs = (("gamma", module.weight), ("beta", module.bias))
    return {f"{scope}.{name}": value for name, value in pairs if value is not None}


def shared_epsilon(norms: list[Any]) -> float:
    """The one ε of all norms."""
    found = {float(module.eps) for module in norms}
    if len(found) > 1:
        raise ValueError(f"the layer's norms have several epsilons, a block has one: {sorted(found)}")
    return found.pop()


def activation(layer: Any) -> str:
    """`relu`, `gelu` or `gelu_tanh`: PyTorch keeps a function or a module."""
    given = layer.activation
    name = str(getattr(given, "__name__", type(given).__name__)).lower()
    if name == "gelu" and getattr(given, "approximate", "none") == "tanh":
        return "gelu_tanh"
    if name in ("relu", "gelu", "silu"):
        return name
    raise ValueError(f"the layer's activation should be relu, gelu or silu, got {given!r}")


def batch_first(layer: Any, x: Any) -> Any:
    """Inputs with the batch, if there is one, before the tokens: PyTorch's own order is the other one."""
    if len(shape_of(x)) < 3 or layer.self_attn.batch_first:
        return x
    return x.swapaxes(0, 1) if hasattr(x, "swapaxes") else [list(rows) for rows in zip(*x, strict=True)]
