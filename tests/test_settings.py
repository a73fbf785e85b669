"""The environment is read strictly: what cannot be right stops the start with one line."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields

import pytest

from service.settings import PREFIX, Settings, SettingsError


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)


def test_without_an_environment_the_defaults_hold() -> None:
    assert Settings.from_environment() == Settings()


def test_the_defaults_are_loopback_two_megabytes_of_json_and_sixty_four_of_binary() -> None:
    of = Settings()
    assert (of.host, of.port, of.public) == ("127.0.0.1", 8000, False)
    assert (of.max_json_bytes, of.max_binary_bytes) == (2 * 2**20, 64 * 2**20)


@pytest.mark.parametrize("each", fields(Settings), ids=lambda each: each.name)
def test_every_setting_says_what_it_means(each: object) -> None:
    assert each.metadata["meaning"]


def test_values_are_read_as_the_type_of_their_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLOCKWALK_PORT", "8080")
    monkeypatch.setenv("BLOCKWALK_DEADLINE_SECONDS", "0.5")
    monkeypatch.setenv("BLOCKWALK_CORS_ORIGINS", "https://a.example, http://localhost:3000,")
    of = Settings.from_environment()
    assert (of.port, of.deadline_seconds) == (8080, 0.5)
    assert of.cors_origins == ("https://a.example", "http://localhost:3000")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BLOCKWALK_PORT", "eighty"),
        ("BLOCKWALK_PORT", ""),
        ("BLOCKWALK_PORT", "70000"),
        ("BLOCKWALK_WORKERS", "-1"),
        ("BLOCKWALK_DEADLINE_SECONDS", "0"),
        ("BLOCKWALK_DEADLINE_SECONDS", "nan"),
        ("BLOCKWALK_MAX_JSON_BYTES", "-1"),
        ("BLOCKWALK_CORS_ORIGINS", "*"),
        ("BLOCKWALK_CORS_ORIGINS", "https://a.example/path"),
        ("BLOCKWALK_LOG_LEVEL", "loud"),
        ("BLOCKWALK_HOST", "0.0.0.0"),
        ("BLOCKWALK_PROT", "8000"),
        ("BLOCKWALK_METRICS_HOST", "0.0.0.0"),
        ("BLOCKWALK_METRICS_PORT", "8000"),
        ("BLOCKWALK_KEYS_REQUIRED", "true"),
        ("BLOCKWALK_RATE_STORE", "memcached://x"),
        ("BLOCKWALK_SILENCE_SECONDS", "20"),
        ("BLOCKWALK_GRACEFUL_SECONDS", "22"),
    ],
)
def test_a_setting_that_cannot_be_right_is_named_in_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as refused:
        Settings.from_environment()
    assert "\n" not in str(refused.value)


def test_every_wrong_setting_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLOCKWALK_PORT", "x")
    monkeypatch.setenv("BLOCKWALK_THREADS", "x")
    with pytest.raises(SettingsError, match=r"BLOCKWALK_PORT='x'.*BLOCKWALK_THREADS='x'"):
        Settings.from_environment()


def test_a_public_address_is_taken_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLOCKWALK_HOST", "0.0.0.0")
    monkeypatch.setenv("BLOCKWALK_PUBLIC", "true")
    assert Settings.from_environment().host == "0.0.0.0"


def test_what_kubernetes_says_of_a_service_called_blockwalk_is_no_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BLOCKWALK_SERVICE_HOST", "10.0.0.7")
    monkeypatch.setenv("BLOCKWALK_PORT_8000_TCP_ADDR", "10.0.0.7")
    assert Settings.from_environment() == Settings()


@pytest.mark.parametrize(
    "command",
    [["-m", "service.cli", "serve"], ["-m", "gunicorn", "-c", "python:service.gunicorn_conf"]],
    ids=["blockwalk serve", "gunicorn"],
)
def test_a_wrong_setting_stops_the_start_with_one_line(command: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "BLOCKWALK_WORKERS": "none"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert "BLOCKWALK_WORKERS='none'" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1


def test_a_file_of_keys_that_is_not_there_stops_the_start_with_one_line() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "service.cli", "serve"],
        env={**os.environ, "BLOCKWALK_KEYS_FILE": "/nowhere/keys.toml"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert "/nowhere/keys.toml" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1
