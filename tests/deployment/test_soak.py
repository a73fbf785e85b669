"""Mixed load for SOAK_SECONDS (60 unless told; the full run takes 600): memory stays where it was."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.deployment.load import MIX, Load
from tests.deployment.stack import PATIENT, nginx, wait_for_workers, workers
from tests.serving import Served, serving

pytestmark = pytest.mark.deployment
SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))
WARM_UP = 0.25
"""the part of the time in which caches fill and allocators settle"""
MEBIBYTES_BY = 24
"""what the service may grow by in the part that counts: allocators breathe, a leak does not stop"""


def memory(served: Served) -> float:
    """MiB that the workers hold, what they share counted in proportion."""
    sizes = []
    for pid in workers(served):
        found = re.search(
            r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), flags=re.MULTILINE
        )
        assert found
        sizes.append(int(found[1]) / 1024)
    return sum(sizes)


def test_under_mixed_load_memory_is_flat_and_nothing_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(workers=2, max_requests=0, **PATIENT) as served, nginx(tmp_path, [served.port]) as port:
        before = wait_for_workers(served, 2)
        samples: list[tuple[float, float]] = []
        with Load(port, MIX, threads=4, seconds=SECONDS + 30) as load:
            began = time.monotonic()
            while (now := time.monotonic() - began) < SECONDS:
                samples.append((now, memory(served)))
                time.sleep(SECONDS / 120)
        after = workers(served)
    steady = np.array([each for each in samples if each[0] > SECONDS * WARM_UP])
    slope = float(np.polyfit(*steady.T, 1)[0])
    grown = slope * SECONDS * (1 - WARM_UP)
    per_request = slope * 2**20 * SECONDS / load.answered
    with capsys.disabled():
        sys.stdout.write(
            f"\n{load.answered} requests in {SECONDS:.0f} s ({load.answered / SECONDS:.0f}/s), "
            f"{steady[:, 1].mean():.0f} MiB in 2 workers, slope {slope * 60:+.3f} MiB/min, "
            f"{per_request:+.1f} bytes a request\n"
        )
    assert after == before
    assert load.lost == load.refusals == []
    assert load.refused == 0
    assert grown < MEBIBYTES_BY
