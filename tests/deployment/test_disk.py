"""The disk that counts are kept on, full at the start or full later: the service serves."""

from __future__ import annotations

import os
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.deployment.load import MIX, Load
from tests.deployment.stack import PATIENT, free_port, wait_for_workers, workers
from tests.serving import serving

pytestmark = pytest.mark.deployment


@contextmanager
def small_disk(directory: Path, size: str) -> Iterator[Path]:
    """A file system in memory that holds no more than this; needs root."""
    directory.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", directory], check=True, timeout=30)
    try:
        yield directory
    finally:
        subprocess.run(["umount", "--lazy", directory], check=True, timeout=30)


def scraped(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
        return answer.read().decode()


def counted(text: str) -> int:
    """All requests in a scrape."""
    lines = [line for line in text.splitlines() if line.startswith("blockwalk_requests_total")]
    return int(sum(float(line.split()[-1]) for line in lines))


def fill(directory: Path) -> None:
    """Write until there is no space."""
    with (directory / "ballast").open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096):
                pass
        except OSError:
            return


def test_counts_add_up_over_workers() -> None:
    port = free_port()
    with serving(workers=2, metrics_port=port, **PATIENT) as served:
        with Load(served.port, MIX) as load:
            load.wait_for(100)
        text = scraped(port)
    assert counted(text) == load.answered
    assert 'blockwalk_engine_seconds_total{op="softmax"}' in text


def test_without_space_for_counts_the_service_serves_without_them(tmp_path: Path) -> None:
    port = free_port()
    with small_disk(tmp_path / "disk", "64k") as disk:
        chosen = {"memory_directory": disk, "metrics_port": port, **PATIENT}
        with serving(workers=2, **chosen) as served:
            with Load(served.port, MIX) as load:
                load.wait_for(100)
            with pytest.raises(urllib.error.URLError):
                scraped(port)
    assert load.lost == load.refusals == []


def test_a_disk_that_fills_up_later_stops_neither_service_nor_counts(tmp_path: Path) -> None:
    port = free_port()
    with small_disk(tmp_path / "disk", "16m") as disk:
        chosen = {"memory_directory": disk, "metrics_port": port, **PATIENT}
        with serving(workers=2, **chosen) as served:
            before = wait_for_workers(served, 2)
            fill(disk)
            with Load(served.port, MIX) as load:
                load.wait_for(200)
            assert workers(served) == before
            assert load.lost == load.refusals == []
            assert counted(scraped(port)) >= load.answered
            os.kill(before.pop(), signal.SIGKILL)
            wait_for_workers(served, 2)
            with Load(served.port, MIX) as again:
                again.wait_for(100)
            assert again.lost == again.refusals == []
            assert counted(scraped(port)) >= load.answered + again.answered
