"""Random blocks, in the variants that between them give every known mistake a place to be made."""

from __future__ import annotations

from typing import Any

import numpy as np

from service.engine import ACTIVATIONS, DTYPES, TraceRequest

VARIANTS: dict[str, dict[str, Any]] = {
    "post_causal": {
        "norm_placement": "post",
        "activation": "relu",
        "n_heads": 2,
        "mask": "causal",
        "epsilon": 0.01,
    },
    "pre_grouped": {
        "norm_placement": "pre",
        "activation": "gelu",
        "n_heads": 4,
        "n_kv_heads": 2,
        "position": {"rope": {"layout": "half"}},
    },
    "post_rms_gated": {
        "norm_placement": "post",
        "norm": "rms_norm",
        "activation": "swiglu",
        "n_heads": 2,
        "position": {"alibi": True},
    },
    "pre_windowed": {
        "norm_placement": "pre",
        "activation": "gelu_tanh",
        "n_heads": 2,
        "window": 2,
        "position": {"rope": {"layout": "interleaved"}},
    },
}
SEEDS = range(20)
D_MODEL = 8
TOKENS = {"post_causal": (8,), "pre_grouped": (2, 3), "post_rms_gated": (4,), "pre_windowed": (5,)}
"""Rows of x, after a batch where there is one; as many rows as features let a matrix be turned unnoticed."""


def random_block(variant: str, seed: int) -> TraceRequest:
    """A block of the variant with every parameter drawn, biases, gains and shifts included."""
    rng = np.random.default_rng([seed, len(variant)])
    block = VARIANTS[variant]
    kv = D_MODEL * block.get("n_kv_heads", block["n_heads"]) // block["n_heads"]
    shapes = {
        "attention.w_q": (D_MODEL, D_MODEL),
        "attention.w_k": (D_MODEL, kv),
        "attention.w_v": (D_MODEL, kv),
        "attention.w_o": (D_MODEL, D_MODEL),
        "attention.b_q": (D_MODEL,),
        "attention.b_k": (kv,),
        "attention.b_v": (kv,),
        "attention.b_o": (D_MODEL,),
    }
    gated = block["activation"].endswith("glu")
    for name in ("gate", "up") if gated else ("1",):
        shapes |= {f"ffn.w_{name}": (D_MODEL, 12), f"ffn.b_{name}": (12,)}
    last = "down" if gated else "2"
    shapes |= {f"ffn.w_{last}": (12, D_MODEL), f"ffn.b_{last}": (D_MODEL,)}
    parameters = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    for norm in ("norm_1", "norm_2"):
        parameters[f"{norm}.gamma"] = rng.uniform(0.5, 2, D_MODEL)
        if block.get("norm") != "rms_norm":
            parameters[f"{norm}.beta"] = rng.normal(size=D_MODEL)
    x = rng.normal(size=(*TOKENS[variant], D_MODEL))
    return TraceRequest.from_data({"block": block, "parameters": parameters, "x": x})


CHOICES: dict[str, tuple[Any, ...]] = {
    "kind": ("encoder", "decoder"),
    "norm_placement": ("post", "pre"),
    "norm": ("layer_norm", "rms_norm"),
    "activation": ACTIVATIONS,
    "n_heads": (2, 4),
    "n_kv_heads": (None, 1, 2),
    "dtype": DTYPES,
    "epsilon": (0, 1e-5, 0.1),
    "position": (None, {"alibi": True}, {"rope": {"layout": "half"}}),
    "scale": (None, 0, -1, 0.3),
    "softcap": (None, 2),
    "window": (None, 1, 2),
    "dropout": (0, 0.3),
    "mask": (None, "causal", {"keep": [[False] * 3, [True] * 3, [True, False, True]]}),
    "key_padding_keep": (None, [True, False, True]),
}


def any_block(seed: int) -> TraceRequest:
    """A block with every choice drawn, and often an edit of a row; its weights come from the seed."""
    rng = np.random.default_rng(seed)
    block = {name: options[rng.integers(len(options))] for name, options in CHOICES.items()}
    batch = (2,) if rng.random() < 0.3 else ()
    data = {"block": block, "seed": seed, "x": rng.normal(size=(*batch, 3, 8))}
    if block["kind"] == "decoder":
        data["memory"] = rng.normal(size=(*batch, 2, 8))
    if rng.random() < 0.5:
        step = rng.choice(["attention.output", "norm_1.output", "residual_1"])
        data["interventions"] = [{"step": str(step), "scale": 2, "where": {"token": [0]}}]
    return TraceRequest.from_data(data)
