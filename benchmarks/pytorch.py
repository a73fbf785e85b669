"""The same block in PyTorch, eager, every named intermediate kept; needs what `make bench-peers` installs."""

from __future__ import annotations

from typing import Any

import torch
from numpy.typing import NDArray

from service import engine

EPSILON = 1e-5


def tensors(request: engine.TraceRequest, *, learn: bool = False) -> dict[str, torch.Tensor]:
    """The request's arrays as tensors; with `learn` x asks for its gradient."""
    found = {name: torch.from_numpy(array.copy()) for name, array in request.parameters.items()}
    found["x"] = torch.from_numpy(request.x.copy()).requires_grad_(learn)
    return found


def intermediates(p: dict[str, torch.Tensor], n_heads: int) -> list[torch.Tensor]:
    """Every step of a post-norm encoder with LayerNorm and ReLU, under the engine's names, in its order."""
    x = p["x"]
    n_tokens, _ = x.shape

    def heads(name: str) -> torch.Tensor:
        rows = torch.nn.functional.linear(x, p[f"attention.w_{name}"].T, p.get(f"attention.b_{name}"))
        return rows.view(n_tokens, n_heads, -1).transpose(0, 1)

    def norm(rows: torch.Tensor, scope: str) -> list[torch.Tensor]:
        mean = rows.mean(dim=-1)
        variance = rows.var(dim=-1, correction=0)
        normalized = (rows - mean[:, None]) * torch.rsqrt(variance[:, None] + EPSILON)
        output = torch.addcmul(p[f"{scope}.beta"], normalized, p[f"{scope}.gamma"])
        return [mean, variance, normalized, output]

    q, k, v = heads("q"), heads("k"), heads("v")
    scores = q @ k.transpose(1, 2)
    scaled = scores * q.shape[-1] ** -0.5
    weights = torch.softmax(scaled, dim=-1)
    head_outputs = weights @ v
    concat = head_outputs.transpose(0, 1).reshape(n_tokens, -1)
    output = torch.nn.functional.linear(concat, p["attention.w_o"].T, p.get("attention.b_o"))
    residual_1 = x + output
    first = norm(residual_1, "norm_1")
    u = first[-1]
    pre_activation = torch.nn.functional.linear(u, p["ffn.w_1"].T, p["ffn.b_1"])
    hidden = torch.relu(pre_activation)
    ffn_output = torch.nn.functional.linear(hidden, p["ffn.w_2"].T, p["ffn.b_2"])
    residual_2 = u + ffn_output
    steps = [x, q, k, v, scores, scaled, weights, head_outputs, concat, output, residual_1, *first]
    return [*steps, pre_activation, hidden, ffn_output, residual_2, *norm(residual_2, "norm_2")]


def trace(request: engine.TraceRequest) -> Any:
    """A call that computes all intermediates, without recording anything for a gradient."""
    p, n_heads = tensors(request), request.block.n_heads or 1

    def run() -> list[torch.Tensor]:
        with torch.inference_mode():
            return intermediates(p, n_heads)

    return run


def gradient(request: engine.TraceRequest, cotangent: NDArray[Any]) -> Any:
    """A call that computes all intermediates, then the gradient by x of Σ cotangent ⊙ output."""
    p, n_heads = tensors(request, learn=True), request.block.n_heads or 1
    weight = torch.from_numpy(cotangent).to(p["x"].dtype)

    def run() -> torch.Tensor:
        output = intermediates(p, n_heads)[-1]
        (by_x,) = torch.autograd.grad(output, p["x"], weight)
        return by_x

    return run
