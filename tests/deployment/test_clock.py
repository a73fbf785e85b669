"""A clock that jumps: deadlines, heartbeats and budgets keep to the time that passes."""

from __future__ import annotations

import mmap
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from tests.deployment.load import LONG, MIX, Load
from tests.deployment.stack import PATIENT, wait_for_workers, workers
from tests.serving import Served, serving

pytestmark = pytest.mark.deployment


@pytest.fixture
def set_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Moves the wall clock of services started from now on by so many seconds, at once."""
    library, path = tmp_path / "clock.so", tmp_path / "offset"
    source = Path(__file__).parent / "clock.c"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True, timeout=60)
    path.write_bytes(bytes(8))
    monkeypatch.setenv("LD_PRELOAD", str(library))
    monkeypatch.setenv("CLOCK_OFFSET", str(path))
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 8) as offset:
        yield lambda seconds: struct.pack_into("q", offset, 0, seconds)


def clock(served: Served) -> float:
    """What time the service says it is."""
    return parsedate_to_datetime(str(served.send("GET", "/health/live")[1]["Date"])).timestamp()


JUMPS = [5400, -5400]


@pytest.mark.parametrize("jump", JUMPS)
def test_a_jump_of_the_clock_ends_no_request_and_no_worker(
    set_clock: Callable[[int], None], jump: int
) -> None:
    with serving(workers=2, **PATIENT) as served:
        before = wait_for_workers(served, 2)
        with Load(served.port, [*MIX, LONG], threads=4) as load:
            load.wait_for(20)
            set_clock(jump)
            assert clock(served) == pytest.approx(time.time() + jump, abs=60)
            load.wait_for(40)
        assert workers(served) == before
    assert load.lost == load.refusals == []


@pytest.mark.parametrize("jump", JUMPS)
def test_after_a_jump_nobody_waits_longer_for_a_spent_budget(
    set_clock: Callable[[int], None], jump: int
) -> None:
    with serving(workers=1, rate_units=20, log_level="error") as served:
        assert {served.send("GET", "/examples")[0] for _ in range(45)} == {200, 429}
        set_clock(jump)
        assert served.send("GET", "/examples")[0] == 200
