"""A service that counts what callers spend, and asks who they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from blockwalk_client import Client, InvalidRequest, RateLimited, TooCostly, transport

from service.access import new_key
from tests.serving import serving


def test_who_has_spent_all_is_told_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(transport, "sleep", waits.append)
    with serving(workers=1, log_level="error", rate_units=3) as running, Client(running.url) as client:
        for _ in range(3):
            client.trace("lecture-05")
        with pytest.raises(RateLimited) as caught:
            client.trace("lecture-05")
    assert caught.value.retry_after is not None
    assert waits
    assert all(wait >= 1 for wait in waits)


def test_an_answer_with_too_many_decimals_comes_as_bytes() -> None:
    with serving(workers=1, log_level="error", max_json_numbers=10) as running:
        client = Client(running.url)
        assert len(client.trace("lecture-05")) > 10
        with pytest.raises(TooCostly) as caught:
            client.trace("lecture-05", binary=False)
    assert caught.value.limit == {"json_numbers": 10}


def test_a_service_that_asks_for_a_key_gets_it(tmp_path: Path) -> None:
    key, entry = new_key("course-tools", 0)
    keys = tmp_path / "keys.toml"
    keys.write_text(entry)
    with serving(workers=1, log_level="error", keys_file=keys, keys_required=True) as running:
        assert Client(running.url, api_key=key).trace("lecture-05").output.shape == (1, 4)
        with pytest.raises(InvalidRequest, match="API key") as caught:
            Client(running.url).trace("lecture-05")
    assert caught.value.status == 401
