"""Cost units: who is charged, how much, and what happens at the limit."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.access import new_key
from service.api.rates import ELEMENTS, MULTIPLY_ADDS, network, units
from service.app import create_app
from service.engine import Estimate
from service.settings import Settings, SettingsError

CHEAP = {"example": "lecture-05", "select": ["output"]}
COSTLY = {
    "block": {"n_heads": 1, "d_model": 128, "d_ff": 128},
    "seed": 1, "x": [[0.5] * 128 for _ in range(256)], "select": ["norm_1.mean"],
}  # fmt: skip


@pytest.fixture(autouse=True)
def the_clock_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No minute ends while a test spends it."""
    monkeypatch.setattr(time, "time", lambda: 1_800_000_010.0)


def client_of(**chosen: Any) -> FlaskClient:
    return create_app(Settings(**chosen)).test_client()


def statuses(client: FlaskClient, n: int, **options: Any) -> list[int]:
    return [client.get("/examples", **options).status_code for _ in range(n)]


def test_without_a_limit_nobody_is_refused() -> None:
    assert set(statuses(client_of(), 50)) == {200}


def test_who_has_spent_its_units_is_told_when_to_come_back() -> None:
    client = client_of(rate_units=5)
    assert statuses(client, 6) == [200] * 5 + [429]
    refused = client.get("/examples")
    problem = refused.get_json(force=True)
    assert problem["type"] == "/problems/rate-limit"
    assert problem["status"] == 429
    assert problem["request_id"] == refused.headers["X-Request-ID"]
    assert 1 <= int(refused.headers["Retry-After"]) <= 60


def test_probes_are_never_refused() -> None:
    client = client_of(rate_units=1)
    statuses(client, 3)
    assert client.get("/health/live").status_code == client.get("/health/ready").status_code == 200


def test_a_costly_request_takes_more_units_than_a_cheap_one() -> None:
    client = client_of(rate_units=12)
    assert client.post("/block/trace", json=COSTLY).status_code == 200
    assert client.post("/block/trace", json=CHEAP).status_code == 200
    refused = client.post("/block/trace", json=COSTLY)
    assert refused.status_code == 429
    assert refused.get_json(force=True)["errors"][0]["got"] > 1
    assert client.post("/block/trace", json=CHEAP).status_code == 200


def test_a_request_beyond_a_minute_s_worth_is_answered_once() -> None:
    client = client_of(rate_units=3)
    assert client.post("/block/trace", json=COSTLY).status_code == 200
    assert client.post("/block/trace", json=CHEAP).status_code == 429


def test_what_is_refused_before_it_is_computed_costs_no_more_than_the_request() -> None:
    client = client_of(rate_units=4, max_multiply_adds=1000)
    assert [client.post("/block/trace", json=COSTLY).status_code for _ in range(4)] == [422] * 4


def test_units_grow_with_the_work() -> None:
    cost = Estimate(elements=2 * ELEMENTS, parameter_elements=0, bytes=0, multiply_adds=5 * MULTIPLY_ADDS)
    assert units(cost) == 7


def test_two_addresses_have_a_budget_each() -> None:
    client = client_of(rate_units=2)
    assert statuses(client, 3, environ_base={"REMOTE_ADDR": "192.0.2.1"}) == [200, 200, 429]
    assert statuses(client, 1, environ_base={"REMOTE_ADDR": "192.0.2.2"}) == [200]


def test_one_subscriber_s_addresses_of_ipv6_are_one_caller() -> None:
    assert network("2001:db8:1:2::5") == network("2001:db8:1:2:ffff::") != network("2001:db8:1:3::5")
    assert network("192.0.2.1") != network("192.0.2.2")


def test_forwarded_addresses_are_believed_of_as_many_proxies_as_there_are() -> None:
    told = [{"X-Forwarded-For": f"192.0.2.{i}, 10.0.0.{i}"} for i in range(3)]
    assert {statuses(client_of(rate_units=1), 1, headers=each)[0] for each in told} == {200}
    nobody, one, two = (client_of(rate_units=1, proxies=n) for n in range(3))
    spoofed = [{"X-Forwarded-For": f"192.0.2.{i}, 10.0.0.1"} for i in range(2)]
    assert [statuses(nobody, 1, headers=each)[0] for each in spoofed] == [200, 429]
    assert [statuses(one, 1, headers=each)[0] for each in spoofed] == [200, 429]
    assert [statuses(two, 1, headers=each)[0] for each in spoofed] == [200, 200]


@pytest.fixture
def keyed(tmp_path: Path) -> tuple[str, Path]:
    key, entry = new_key("course-tools", 4)
    path = tmp_path / "keys.toml"
    path.write_text(entry)
    return key, path


@pytest.mark.parametrize("form", ["bearer", "header"])
def test_a_key_has_a_budget_of_its_own(keyed: tuple[str, Path], form: str) -> None:
    key, path = keyed
    sent = {"Authorization": f"Bearer {key}"} if form == "bearer" else {"X-API-Key": key}
    client = client_of(keys_file=str(path), rate_units=1)
    assert statuses(client, 2) == [200, 429]
    assert statuses(client, 5, headers=sent) == [200] * 4 + [429]


def test_an_unknown_key_is_refused_with_how_to_send_one(keyed: tuple[str, Path]) -> None:
    refused = client_of(keys_file=str(keyed[1])).get("/examples", headers={"Authorization": "Bearer bw_no"})
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    assert refused.get_json(force=True)["type"] == "/problems/unauthorized"


def test_where_keys_are_required_reading_is_open_and_computing_is_not(keyed: tuple[str, Path]) -> None:
    key, path = keyed
    client = client_of(keys_file=str(path), keys_required=True)
    assert client.get("/examples").status_code == client.get("/health/ready").status_code == 200
    assert client.post("/block/trace", json=CHEAP).status_code == 401
    opened = client.post("/block/trace", json=CHEAP, headers={"Authorization": f"Bearer {key}"})
    assert opened.status_code == 200


def test_a_file_of_keys_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"BLOCKWALK_KEYS_FILE.*none\.toml"):
        create_app(Settings(keys_file=str(tmp_path / "none.toml")))


def test_while_the_store_cannot_be_reached_each_process_counts_for_itself() -> None:
    client = client_of(rate_units=3, rate_store="redis://127.0.0.1:1")
    assert statuses(client, 4) == [200, 200, 200, 429]


def test_answers_say_how_long_they_took() -> None:
    timing = client_of().post("/block/trace", json=CHEAP).headers["Server-Timing"]
    times = dict(part.split(";dur=") for part in timing.split(", "))
    assert float(times["total"]) >= float(times["compute"]) > 0
