"""Two pieces of work, one after the other, again and again: A B A B. What disturbs one disturbs the other."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from time import perf_counter, sleep

Work = Callable[[], object]

SAMPLE_SECONDS = 0.002
"""Work shorter than this is repeated within one sample, so that the clock's own grain does not count."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """How long the subject takes in units of its reference: by medians, and the quartiles of neighbours."""

    value: float
    low: float
    high: float
    subject: float
    reference: float
    rounds: int


def interleave(
    subject: Work,
    reference: Work,
    *,
    seconds: float = 2.0,
    rounds: int = 7,
    most: int = 400,
    pause: float = 0.0,
) -> Ratio:
    """Time both in turns, at least `rounds` times and for about `seconds`; seconds per call in the answer.

    `pause` seconds before each let the other's threads, which wait busily for more work, fall asleep.
    """
    calls = [calls_per_sample(work) for work in (subject, reference)]
    ours: list[float] = []
    theirs: list[float] = []
    began = perf_counter()
    gc.collect()
    gc.disable()
    try:
        while len(ours) < rounds or (perf_counter() - began < seconds and len(ours) < most):
            for work, n, taken in ((subject, calls[0], ours), (reference, calls[1], theirs)):
                sleep(pause)
                taken.append(sample(work, n))
    finally:
        gc.enable()
    return ratio(ours, theirs)


def sample(work: Work, calls: int) -> float:
    """Seconds of one call, over several."""
    began = perf_counter()
    for _ in range(calls):
        work()
    return (perf_counter() - began) / calls


def calls_per_sample(work: Work) -> int:
    """How many calls fill a sample; also the warm-up."""
    work()
    return max(1, math.ceil(SAMPLE_SECONDS / max(sample(work, 1), 1e-9)))


def ratio(subject: Sequence[float], reference: Sequence[float]) -> Ratio:
    """The ratio of the medians, with the quartiles of the ratios of neighbours as its spread."""
    paired = [a / b for a, b in zip(subject, reference, strict=True)]
    low, _, high = quantiles(paired, n=4) if len(paired) > 1 else (paired[0],) * 3
    ours, theirs = median(subject), median(reference)
    return Ratio(ours / theirs, low, high, ours, theirs, len(paired))


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The slope of log cost over log size, by least squares."""
    x, y = [math.log(each) for each in sizes], [math.log(each) for each in costs]
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    across = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return across / sum((a - middle_x) ** 2 for a in x)
