"""How many cores this process may use: those it is bound to, and no more than its container's share."""

from __future__ import annotations

import math
import os
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")


def cores(quota: Path = QUOTA) -> int:
    """At least one. `quota` is the kernel's file "microseconds period", or "max period" for no limit."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        share, period = quota.read_text().split()
    except (OSError, ValueError):
        return bound
    return bound if share == "max" else max(1, min(bound, math.ceil(int(share) / int(period))))
