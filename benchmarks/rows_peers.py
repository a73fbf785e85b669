"""The same block in the libraries that people would otherwise use. Needs what `make bench-peers` installs."""

from __future__ import annotations

from typing import Any

import numpy as np

from service import engine

from . import workloads
from .measure import Ratio, interleave
from .row import Effort, Row, Unavailable
from .rows_engine import LARGE

PAUSE = 0.03


def torch_threads() -> Any:
    """PyTorch's version of the block, on as many threads as NumPy's BLAS has."""
    try:
        import torch
    except ImportError as missing:
        raise Unavailable(f"needs {missing.name}") from None
    from threadpoolctl import threadpool_info

    from . import pytorch

    threads = [each["num_threads"] for each in threadpool_info() if each["internal_api"] == "openblas"]
    torch.set_num_threads(max(threads, default=1))
    return pytorch


def course(effort: Effort) -> Ratio:
    request = workloads.course()
    return interleave(lambda: engine.trace(request), torch_threads().trace(request), seconds=effort.seconds)


def trace(n_tokens: int) -> Any:
    def measure(effort: Effort) -> Ratio:
        request = workloads.sized(effort.size(n_tokens, 4), d_model=effort.size(768, 24))
        theirs = torch_threads().trace(request)
        return interleave(
            lambda: engine.trace(request),
            theirs,
            seconds=3 * effort.seconds,
            rounds=effort.rounds,
            pause=PAUSE,
        )

    return measure


def gradient(n_tokens: int) -> Any:
    def measure(effort: Effort) -> Ratio:
        request = workloads.sized(effort.size(n_tokens, 4), d_model=effort.size(768, 24))
        cotangent = np.random.default_rng(5).standard_normal(request.x.shape)
        theirs = torch_threads().gradient(request, cotangent)
        return interleave(
            lambda: engine.gradient(request, "output", ["x"], cotangent),
            theirs,
            seconds=3 * effort.seconds,
            rounds=effort.rounds,
            pause=PAUSE,
        )

    return measure


def transformer_lens(effort: Effort) -> Ratio:
    """`run_with_cache` of a one-layer model of the course example's sizes, all hooks cached."""
    try:
        from transformer_lens.model_bridge import TransformerBridge
    except ImportError as missing:
        raise Unavailable(f"needs {missing.name}") from None
    import torch

    request = workloads.course()
    model = TransformerBridge.boot_native(
        {"d_model": 4, "n_heads": 2, "d_head": 2, "d_mlp": 6, "n_layers": 1, "n_ctx": 3, "d_vocab": 8,
         "act_fn": "relu"}
    )  # fmt: skip
    tokens = torch.tensor([[1, 2, 3]])

    return interleave(
        lambda: engine.trace(request), lambda: model.run_with_cache(tokens), seconds=effort.seconds
    )


COURSE = "full trace of the course example"
TORCH = "PyTorch eager, same intermediates and threads"
AUTOGRAD = "PyTorch autograd, same graph and threads"

ROWS = [
    Row(COURSE, "TransformerLens run_with_cache, same sizes", (None, 0.01), transformer_lens),
    Row(COURSE, TORCH, (None, 1), course),
    *(Row(f"{LARGE}, {n:,} tokens", TORCH, (None, 0.7), trace(n)) for n in (128, 512, 1024)),
    *(
        Row(f"gradient of output by x, {n:,} tokens", AUTOGRAD, (None, 0.8), gradient(n))
        for n in (128, 512, 1024)
    ),
]
