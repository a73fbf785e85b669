"""The engine against straight-line NumPy, against its own matrix products, and against itself."""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np

from service import engine, grading

from . import workloads
from .measure import Ratio, calls_per_sample, exponent, interleave, ratio, sample
from .row import Effort, Row


def course(effort: Effort) -> Ratio:
    request = workloads.course()
    return interleave(
        lambda: engine.trace(request), lambda: workloads.straight(request), seconds=effort.seconds
    )


def products(n_tokens: int) -> Any:
    def measure(effort: Effort) -> Ratio:
        request = workloads.sized(effort.size(n_tokens, 4), d_model=effort.size(768, 24))
        multiply = workloads.products(request)
        return interleave(
            lambda: engine.trace(request), multiply, seconds=3 * effort.seconds, rounds=effort.rounds
        )

    return measure


def peak(request: engine.TraceRequest) -> float:
    """The most memory that NumPy held at once during a trace, in bytes."""
    engine.trace(request)
    gc.collect()
    tracemalloc.start()
    engine.trace(request)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return float(most)


def selected(effort: Effort) -> Ratio:
    request = workloads.sized(effort.size(1024, 96), d_model=effort.size(768, 24))
    return ratio([peak(replace(request, select=("output",)))], [peak(request)])


def check(wrong: Any) -> Any:
    def measure(effort: Effort) -> Ratio:
        request = workloads.course()
        answer = wrong(engine.trace(request).values)
        data = {"trace": {"example": workloads.COURSE}, "step": "norm_2.output", "answer": answer.tolist()}
        asked = grading.Check.from_data(data)
        return interleave(lambda: grading.check(asked), lambda: engine.trace(request), seconds=effort.seconds)

    return measure


def by_sample_variance(values: Any) -> Any:
    """The course example's last norm with the variance over n − 1: one mistake explains it."""
    variance, n = values["norm_2.variance"][:, None], values["norm_2.normalized"].shape[-1]
    epsilon = workloads.EPSILON
    scale = np.sqrt((variance + epsilon) / (variance * n / (n - 1) + epsilon))
    return values["norm_2.normalized"] * scale * values["norm_2.gamma"] + values["norm_2.beta"]


def by_nothing_known(values: Any) -> Any:
    """Numbers that no mistake gives, so that every two together are tried as well."""
    return values["norm_2.output"] + 0.25


def grown(sizes: tuple[int, ...], small: tuple[int, ...], make: Any) -> Any:
    """Fit the exponent of the time over the size and compare it with that of the multiply-adds."""

    def measure(effort: Effort) -> Ratio:
        lengths = small if effort.tiny else sizes
        requests = [make(n) for n in lengths]
        counts = [float(engine.plan(each).estimate.multiply_adds) for each in requests]
        rounds = [timed(requests) for _ in range(effort.rounds)]
        medians = [float(np.median(column)) for column in zip(*rounds, strict=True)]
        wanted = exponent(lengths, counts)
        spread = sorted(exponent(lengths, each) / wanted for each in rounds)
        low, high = spread[len(spread) // 4], spread[-1 - len(spread) // 4]
        found = exponent(lengths, medians)
        return Ratio(found / wanted, low, high, found, wanted, len(rounds))

    return measure


def timed(requests: list[engine.TraceRequest]) -> list[float]:
    """Seconds of one trace of each, small ones repeated."""
    works = [lambda each=each: engine.trace(each) for each in requests]
    return [sample(work, calls_per_sample(work)) for work in works]


def by_tokens(n: int) -> engine.TraceRequest:
    return workloads.sized(n, d_model=256, n_heads=4, select=["output"])


def by_width(n: int) -> engine.TraceRequest:
    return workloads.sized(128, d_model=n, n_heads=4, select=["output"])


def by_batch(n: int) -> engine.TraceRequest:
    return workloads.sized(64, d_model=256, n_heads=4, batch=n, select=["output"])


LARGE = "full trace, float32, d_model 768, 12 heads, d_ff 3,072"
GROWTH = "exponent of its multiply-adds"
WITHIN = (0.9, 1.1)

ROWS = [
    Row("full trace of the course example", "straight-line NumPy", (None, 1.6), course),
    Row(f"{LARGE}, 128 tokens", "its matrix products alone", (None, 1.15), products(128)),
    Row(f"{LARGE}, 512 tokens", "its matrix products alone", (None, 1.3), products(512)),
    Row(f"{LARGE}, 1,024 tokens", "its matrix products alone", (None, 1.6), products(1024)),
    Row("peak memory of `output` alone, 1,024 tokens", "of the full trace", (None, 0.35), selected, unit="B"),
    Row("one check with all misconceptions, course example", "one trace", (None, 60),
        check(by_sample_variance)),
    Row("the same where none fits, so that pairs are tried", "one trace", (None, None),
        check(by_nothing_known)),
    Row("growth with tokens, 64 to 4,096", GROWTH, WITHIN,
        grown((64, 128, 256, 512, 1024, 2048, 4096), (4, 8), by_tokens), unit=""),
    Row("growth with d_model, 64 to 2,048", GROWTH, WITHIN,
        grown((64, 128, 256, 512, 1024, 2048), (4, 8), by_width), unit=""),
    Row("growth with batch, 1 to 64", GROWTH, WITHIN,
        grown((1, 2, 4, 8, 16, 32, 64), (1, 2), by_batch), unit=""),
]  # fmt: skip
