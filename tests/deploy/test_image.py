"""The Dockerfile."""

from __future__ import annotations

import re

import pytest

from tests.deploy.files import DOCKERFILE, settings_from

FINAL = DOCKERFILE.rpartition("\nFROM ")[2]


def test_the_image_s_environment_is_one_that_the_service_starts_with(monkeypatch: pytest.MonkeyPatch) -> None:
    of = settings_from({}, monkeypatch)
    assert (of.host, of.port, of.public, of.log_format) == ("0.0.0.0", 8000, True, "json")
    assert of.memory_directory == "/dev/shm"


def test_every_package_is_installed_by_its_hash() -> None:
    installs = re.findall(r"pip\S* (?:--python \S+ )?install (.*)", DOCKERFILE)
    assert len(installs) == 3
    assert all("--require-hashes" in each or "--no-deps dist/" in each for each in installs)


def test_the_final_stage_installs_nothing_and_runs_as_a_user_of_its_own() -> None:
    assert "pip" not in FINAL
    assert "apt-get" not in FINAL
    assert re.search(r"^USER 10001:10001$", FINAL, flags=re.MULTILINE)


def test_signals_reach_the_service_and_its_health_is_asked_for() -> None:
    assert re.search(r'^ENTRYPOINT \["blockwalk"\]$', FINAL, flags=re.MULTILINE)
    assert re.search(r'^CMD \["serve"\]$', FINAL, flags=re.MULTILINE)
    assert "STOPSIGNAL SIGTERM" in FINAL
    assert "HEALTHCHECK" in FINAL
    assert "/health/live" in FINAL


def test_one_request_computes_on_one_core() -> None:
    assert "OPENBLAS_NUM_THREADS=1" in FINAL
