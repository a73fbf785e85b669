"""What is measured: requests, and the same arithmetic written without an engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service import engine

Array = NDArray[Any]

EPSILON = 1e-5


COURSE = "lecture-05-reconstructed"


def course() -> engine.TraceRequest:
    """The course example from X on: every step of the block, three tokens."""
    return engine.TraceRequest.from_data({"example": COURSE})


def sized(
    n_tokens: int,
    *,
    d_model: int = 768,
    n_heads: int = 12,
    d_ff: int | None = None,
    batch: int | None = None,
    dtype: str = "float32",
    **request: Any,
) -> engine.TraceRequest:
    """A post-norm encoder with drawn weights, all of them sent, in the dtype it is computed in."""
    block = {"dtype": dtype, "n_heads": n_heads, "d_model": d_model, "d_ff": d_ff or 4 * d_model}
    shape = (n_tokens, d_model) if batch is None else (batch, n_tokens, d_model)
    x = np.random.default_rng(1).standard_normal(shape)
    drawn = engine.TraceRequest.from_data({"block": block, "seed": 7, "x": x, "include_parameters": True})
    values = engine.trace(replace(drawn, x=x[..., :1, :])).values
    names = engine.plan(drawn).graph.parameters()
    return replace(
        engine.TraceRequest.from_data({"block": block, "x": x, **request}),
        x=x.astype(dtype),
        parameters={name: values[name] for name in names if name in values},
    )


def straight(request: engine.TraceRequest) -> list[Array]:
    """The same intermediates of a post-norm encoder with LayerNorm and ReLU, in straight-line NumPy."""
    p, x = request.parameters, request.x
    assert x is not None
    n_heads = request.block.n_heads or 1
    n_tokens, d_model = x.shape
    zeros = np.zeros(d_model, x.dtype)
    steps = [x]

    def heads(w: str, b: str) -> Array:
        rows = x @ p[w] + p.get(b, zeros)
        return rows.reshape(n_tokens, n_heads, -1).swapaxes(0, 1)

    def norm(rows: Array, gamma: Array, beta: Array) -> list[Array]:
        mean = rows.mean(axis=-1)
        centred = rows - mean[:, None]
        variance = (centred * centred).mean(axis=-1)
        normalized = centred / np.sqrt(variance[:, None] + EPSILON)
        return [mean, variance, normalized, gamma * normalized + beta]

    q = heads("attention.w_q", "attention.b_q")
    k = heads("attention.w_k", "attention.b_k")
    v = heads("attention.w_v", "attention.b_v")
    scores = q @ k.swapaxes(1, 2)
    scaled = scores * scores.dtype.type(q.shape[-1] ** -0.5)
    shifted = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    weights = shifted / shifted.sum(axis=-1, keepdims=True)
    head_outputs = weights @ v
    concat = head_outputs.swapaxes(0, 1).reshape(n_tokens, -1)
    output = concat @ p["attention.w_o"] + p.get("attention.b_o", zeros)
    residual_1 = x + output
    steps += [q, k, v, scores, scaled, weights, head_outputs, concat, output, residual_1]
    steps += norm(residual_1, p["norm_1.gamma"], p["norm_1.beta"])
    u = steps[-1]
    pre_activation = u @ p["ffn.w_1"] + p["ffn.b_1"]
    hidden = np.maximum(pre_activation, 0)
    ffn_output = hidden @ p["ffn.w_2"] + p["ffn.b_2"]
    residual_2 = u + ffn_output
    steps += [pre_activation, hidden, ffn_output, residual_2]
    return steps + norm(residual_2, p["norm_2.gamma"], p["norm_2.beta"])


def products(request: engine.TraceRequest) -> Any:
    """The matrix products of a trace and nothing else: same operands, same BLAS, same threads."""
    values = engine.trace(replace(request, include_parameters=True)).values
    w = {name: values[f"attention.w_{name}"] for name in "qkvo"}
    x, q, k, v = (values[name] for name in ("x", "attention.query", "attention.key", "attention.value"))
    weights, concat = values["attention.weights"], values["attention.concat"]
    u, hidden = values["norm_1.output"], values["ffn.hidden"]
    w_1, w_2 = values["ffn.w_1"], values["ffn.w_2"]

    def multiply() -> list[Array]:
        return [
            x @ w["q"],
            x @ w["k"],
            x @ w["v"],
            q @ k.swapaxes(-1, -2),
            weights @ v,
            concat @ w["o"],
            u @ w_1,
            hidden @ w_2,
        ]

    return multiply
