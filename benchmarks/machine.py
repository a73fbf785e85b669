"""What the figures were measured on, without which a ratio says little."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_info

LIBRARIES = ("numpy", "scipy", "orjson", "flask", "gunicorn", "torch", "transformer-lens", "onnxruntime")
SLOWING = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
"""Variables that hold OpenBLAS to another processor's kernels; `make bench` takes them away."""


def describe() -> dict[str, Any]:
    """The processor, its load, the libraries, and the kernels that multiply matrices."""
    kernels = [
        {name: each.get(name) for name in ("internal_api", "version", "architecture", "num_threads")}
        for each in threadpool_info()
    ]
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "libraries": {name: found for name in LIBRARIES if (found := installed(name))},
        "kernels": kernels,
        "slowed_by": [name for name in SLOWING if name in os.environ],
    }


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
