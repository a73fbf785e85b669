"""Work that treats each row by itself, on large arrays: a block of rows at a time, on several threads.

NumPy sweeps a whole array once an operation, so that a softmax of 50 MB goes out to memory five times; a
block of it stays in a core's cache. NumPy lets go of the interpreter while it computes, so blocks run side by
side.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import lru_cache, wraps
from inspect import signature
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from .op import Array
from .precision import STATISTIC

BLOCK = 2**17
"""Elements of a block: half a megabyte in float32."""

WORTH_A_THREAD = 2**19
"""Elements from which handing work to another thread costs less than it saves."""


def threads_allowed(environment: Mapping[str, str] = os.environ) -> int:
    """As many as the BLAS is allowed, by the variables that it reads, or else one for each core."""
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        if environment.get(name, "").isdecimal():
            return max(1, int(environment[name]))
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_threads = threads_allowed()


def by_rows(work: Callable[..., Array]) -> Callable[..., Array]:
    """Let a function of arrays with the same leading axes, and of options, see a block of rows at a time.

    Its first array is [..., n], and the leading axes are those before n. If it takes `out`, as NumPy's own
    functions do, its answer is as its first array, and may stand in it; otherwise it answers a number a row.
    """
    fills = "out" in signature(work).parameters

    @wraps(work)
    def blocked(first: Array, *others: Array, **options: Any) -> Array:
        if first.size <= BLOCK:
            return work(first, *others, **options)
        out = options.pop("out", None)
        lead = first.shape[:-1]
        if out is None:
            out = np.empty(first.shape, first.dtype) if fills else np.empty(lead, STATISTIC)
        n_rows, step = prod(lead), max(1, BLOCK // first.shape[-1])
        operands = [each.reshape(n_rows, *each.shape[len(lead) :]) for each in (first, *others)]
        answer = out.reshape(n_rows, *out.shape[len(lead) :])

        def fill(begin: int, end: int) -> None:
            for start in range(begin, end, step):
                rows = slice(start, min(start + step, end))
                block = [each[rows] for each in operands]
                if fills:
                    work(*block, out=answer[rows], **options)
                else:
                    answer[rows] = work(*block, **options)

        share(fill, n_rows, _threads if first.size >= WORTH_A_THREAD else 1)
        return out

    return blocked


def share(fill: Callable[..., None], n_rows: int, n: int) -> None:
    """Call `fill` on n equal parts of the rows, side by side.

    NumPy's floating-point flags belong to the context, so each part takes a copy of ours along.
    """
    parts = list(pairwise(n_rows * i // n for i in range(n + 1)))
    others = [threads(n - 1).submit(copy_context().run, fill, *part) for part in parts[1:]]
    fill(*parts[0])
    for other in others:
        other.result()


@lru_cache(maxsize=1)
def threads(n: int) -> ThreadPoolExecutor:
    """The threads beside the calling one, started when first needed, and so after any fork."""
    return ThreadPoolExecutor(n, "blockwalk-rows")
