"""The activations a block can have, by name; a gated network activates its gate (Shazeer 2020)."""

from __future__ import annotations

from .ops import GELU, GELU_TANH, RELU, SILU, Op

ACTIVATION_OPS: dict[str, Op] = {
    "relu": RELU,
    "gelu": GELU,
    "gelu_tanh": GELU_TANH,
    "silu": SILU,
    "swiglu": SILU,
    "geglu": GELU,
    "reglu": RELU,
}
