"""Counts in files that are owned from the start, added up over workers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.observe import metrics

COUNT = """
import sys
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from service.observe import metrics

def worker(slot, requests):
    metrics.Slot.name = str(slot)
    metrics.take_space(slot)
    metrics.counts.on = True
    for _ in range(requests):
        metrics.counts.request(method="GET", route="/r", status=200, seconds=0.01, waited=0.001)
        metrics.counts.spent("anonymous", 3)
        metrics.counts.computed({"softmax": (2, 0.5)})
        metrics.counts.refused("rate-limit")

for slot, requests in eval(sys.argv[1]):
    worker(slot, requests)
registry = CollectorRegistry()
MultiProcessCollector(registry)
print(generate_latest(registry).decode())
"""


def counted(directory: Path, workers: list[tuple[int, int]]) -> str:
    """What a scrape says after these workers, (number, requests), counted one after the other."""
    return subprocess.run(
        [sys.executable, "-c", COUNT, repr(workers)],
        env={metrics.DIRECTORY: str(directory)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout


def test_what_workers_count_adds_up(tmp_path: Path) -> None:
    said = counted(tmp_path, [(0, 3), (1, 4)])
    assert 'blockwalk_requests_total{method="GET",route="/r",status="200"} 7.0' in said
    assert 'blockwalk_cost_units_total{caller="anonymous"} 21.0' in said
    assert 'blockwalk_steps_total{op="softmax"} 14.0' in said
    assert 'blockwalk_engine_seconds_total{op="softmax"} 3.5' in said
    assert 'blockwalk_rejections_total{kind="rate-limit"} 7.0' in said
    assert 'blockwalk_wait_seconds_count{route="/r"} 7.0' in said


def test_a_worker_s_successor_goes_on_counting_in_the_same_files(tmp_path: Path) -> None:
    counted(tmp_path, [(0, 3)])
    before = sorted(tmp_path.iterdir())
    assert 'status="200"} 8.0' in counted(tmp_path, [(0, 5)])
    assert sorted(tmp_path.iterdir()) == before


def test_every_byte_of_a_file_is_owned_before_it_is_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(metrics.DIRECTORY, str(tmp_path))
    metrics.take_space(5)
    assert {path.name for path in tmp_path.iterdir()} == {f"{kind}_5.db" for kind in metrics.KINDS}
    assert all(path.stat().st_blocks * 512 >= metrics.FILE_BYTES for path in tmp_path.iterdir())


def test_without_space_a_worker_counts_nothing_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv(metrics.DIRECTORY, str(tmp_path))
    monkeypatch.setattr("os.posix_fallocate", full)
    metrics.begin(0, "127.0.0.1", 0)
    assert not metrics.counts.on
    assert not list(tmp_path.iterdir())
    assert "No space left" in caplog.text


def test_what_a_killed_service_left_behind_is_swept_away_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead, living, other = (tmp_path / f"blockwalk-x-{pid}" for pid in (2**22 + 1, os.getpid(), "data"))
    for each in (dead, living, other):
        each.mkdir()
    monkeypatch.setenv(metrics.DIRECTORY, "")
    metrics.keep_in(str(tmp_path))
    made = Path(os.environ[metrics.DIRECTORY])
    assert set(tmp_path.iterdir()) == {living, other, made}
    metrics.forget()
    assert not made.exists()


def test_a_process_that_has_no_number_counts_nothing(app: object) -> None:
    metrics.counts.request(method="GET", route="/r", status=200, seconds=1, waited=1)
    assert not metrics.counts.on
