"""compose.yaml, and the nginx configuration that it mounts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.deploy.files import DEPLOY, ROOT, documents, settings_from

(COMPOSE,) = documents(ROOT / "compose.yaml")
SERVICES: dict[str, Any] = COMPOSE["services"]
REPLICAS = [name for name in SERVICES if name.startswith("service-")]
NGINX = (DEPLOY / "nginx" / "nginx.conf").read_text()


def defaults(environment: dict[str, str]) -> dict[str, str]:
    """The environment as Compose fills it in where nothing is set."""
    return {name: re.sub(r"\$\{\w+:-(.*?)\}", r"\1", value) for name, value in environment.items()}


def test_there_are_two_replicas_and_the_proxy_knows_both() -> None:
    upstream = (DEPLOY / "nginx" / "upstream.conf").read_text()
    assert len(REPLICAS) == 2
    assert set(re.findall(r"server (\S+):8000", upstream)) == set(REPLICAS)


@pytest.mark.parametrize("name", REPLICAS)
def test_a_replica_starts_with_its_settings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of = settings_from(defaults(SERVICES[name]["environment"]), monkeypatch)
    assert of.proxies == 1
    assert of.rate_units > 0
    assert of.rate_store == "redis://valkey:6379"


@pytest.mark.parametrize("name", SERVICES)
def test_nothing_can_write_to_its_root_or_gain_rights(name: str) -> None:
    each = SERVICES[name]
    assert each["read_only"] is True
    assert each["cap_drop"] == ["ALL"]
    assert each["security_opt"] == ["no-new-privileges:true"]
    assert each["mem_limit"]


def test_only_the_proxy_can_be_reached_and_only_from_this_machine() -> None:
    assert [name for name in SERVICES if "ports" in SERVICES[name]] == ["proxy"]
    assert SERVICES["proxy"]["ports"] == ["${BLOCKWALK_LISTEN:-127.0.0.1:8080}:8080"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def seconds(directive: str, text: str = NGINX) -> float:
    found = re.search(rf"\b{directive}\s+(\d+)s;", text)
    assert found
    return float(found[1])


def test_the_proxy_and_the_service_agree_on_how_long_and_how_large(monkeypatch: pytest.MonkeyPatch) -> None:
    of = settings_from({}, monkeypatch)
    upstream = (DEPLOY / "nginx" / "upstream.conf").read_text()
    assert seconds("keepalive_timeout", upstream) < of.keepalive_seconds
    assert seconds("proxy_read_timeout") > of.deadline_seconds + of.queue_seconds
    assert f"client_max_body_size       {of.max_binary_bytes // 2**20}m;" in NGINX
    stop = float(SERVICES[REPLICAS[0]]["stop_grace_period"].removesuffix("s"))
    assert stop > of.graceful_seconds
