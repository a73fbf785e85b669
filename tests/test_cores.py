"""A container's share of the machine counts, not the machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from service.cores import cores

BOUND = len(os.sched_getaffinity(0))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("max 100000", BOUND),
        ("50000 100000", 1),
        ("150000 100000", min(2, BOUND)),
        ("6400000 100000", min(64, BOUND)),
        ("nonsense", BOUND),
    ],
)
def test_cores_are_those_of_the_share_rounded_up(tmp_path: Path, said: str, expected: int) -> None:
    path = tmp_path / "cpu.max"
    path.write_text(said)
    assert cores(path) == expected


def test_without_a_share_the_bound_cores_count(tmp_path: Path) -> None:
    assert cores(tmp_path / "none") == BOUND
