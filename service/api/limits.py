"""What one request may cost, and how many may compute at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from flask import current_app

from .. import engine
from ..engine.reading import MAX_RANK
from ..errors import TooCostly, Unavailable
from ..settings import Settings
from .account import account
from .media import SAFETENSORS
from .rates import charge


def settings() -> Settings:
    """The settings of the running service."""
    found: Settings = current_app.extensions["blockwalk"]["settings"]
    return found


class ChargedBudget(engine.Budget):
    """A budget that the caller pays for once it is known to be within the limits."""

    def check(self, estimate: engine.Estimate) -> None:
        super().check(estimate)
        charge(estimate)


def budget() -> engine.Budget:
    """The budget of a computation that begins now, charged to the caller of this request."""
    of = settings()
    return ChargedBudget(
        max_elements=of.max_elements,
        max_bytes=of.max_bytes,
        max_multiply_adds=of.max_multiply_adds,
        deadline=time.monotonic() + of.deadline_seconds,
        times=account().computed,
    )


def check_json(answer: Any) -> None:
    """Refuse to spell out an answer whose decimals would take many times the memory of its numbers."""
    most, found = settings().max_json_numbers, numbers(answer)
    if found > most:
        raise TooCostly(
            f"the answer has {found:,} numbers, in JSON the limit is {most:,}: select fewer steps or tokens, "
            f"or ask for {SAFETENSORS} where there is such an answer",
            # What the answer takes, roughly: a number is written in about as many characters.
            estimate={"elements": found, "parameter_elements": 0, "bytes": 19 * found, "multiply_adds": 0},
            limit={"json_numbers": most},
        )


def numbers(part: Any) -> int:
    """How many numbers the arrays of an answer hold."""
    if isinstance(part, np.ndarray):
        return part.size
    if isinstance(part, dict):
        part = part.values()
    elif not isinstance(part, list):
        return 0
    return sum(numbers(each) for each in part if not isinstance(each, str))


class Slots:
    """Turns to compute. Whoever waits longer than the queue allows is sent away with a time to come back."""

    def __init__(self, of: Settings) -> None:
        self.free = threading.BoundedSemaphore(of.max_concurrent)
        self.queue_seconds = of.queue_seconds

    @contextmanager
    def taken(self) -> Iterator[None]:
        if not self.free.acquire(timeout=self.queue_seconds):
            raise Unavailable(
                "all places to compute are taken", retry_after=max(1, round(self.queue_seconds))
            )
        try:
            yield
        finally:
            self.free.release()


@contextmanager
def slot() -> Iterator[None]:
    """A turn to compute, as a context. Raises `Unavailable`."""
    slots: Slots = current_app.extensions["blockwalk"]["slots"]
    asked = time.perf_counter()
    with slots.taken():
        account().waited += time.perf_counter() - asked
        yield


def published() -> dict[str, Any]:
    """The limits in force, by the names that the settings give them."""
    of = settings()
    return {
        "max_json_bytes": of.max_json_bytes,
        "max_binary_bytes": of.max_binary_bytes,
        "max_depth": of.max_depth,
        "max_tensors": of.max_tensors,
        "max_rank": MAX_RANK,
        "max_elements": of.max_elements,
        "max_bytes": of.max_bytes,
        "max_multiply_adds": of.max_multiply_adds,
        "max_json_numbers": of.max_json_numbers,
        "deadline_seconds": of.deadline_seconds,
        "max_concurrent": of.max_concurrent,
        "queue_seconds": of.queue_seconds,
        "rate_units": of.rate_units,
    }
