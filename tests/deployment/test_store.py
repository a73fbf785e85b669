"""Redis, which counts what callers spend: for all replicas while it is there, and no misfortune while not."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deployment.load import MIX, Load
from tests.deployment.stack import PATIENT, Redis, redis
from tests.serving import Served, serving

pytestmark = pytest.mark.deployment
UNITS = 60


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Redis]:
    with redis(tmp_path) as made:
        yield made


def asked(served: Served, n: int) -> Counter[int]:
    return Counter(served.send("GET", "/examples")[0] for _ in range(n))


def wait_for_a_young_minute() -> None:
    """Spend the last seconds of a minute, lest it end in the middle of what is counted."""
    if time.time() % 60 > 50:
        time.sleep(60 - time.time() % 60)


def test_two_replicas_of_two_workers_share_one_budget(store: Redis) -> None:
    chosen = {"workers": 2, "rate_units": UNITS, "rate_store": store.url, "log_level": "error"}
    with serving(**chosen) as one, serving(**chosen) as two:
        wait_for_a_young_minute()
        seen = asked(one, UNITS // 2) + asked(two, UNITS)
    assert seen == {200: UNITS, 429: UNITS // 2}


def test_while_redis_is_gone_every_worker_counts_for_itself_and_nobody_sees_a_failure(store: Redis) -> None:
    with serving(workers=2, rate_units=UNITS, rate_store=store.url, log_level="error") as served:
        wait_for_a_young_minute()
        assert asked(served, UNITS + 1) == {200: UNITS, 429: 1}
        store.stop()
        alone = asked(served, 3 * UNITS)
        assert set(alone) == {200, 429}
        assert UNITS <= alone[200] <= 2 * UNITS
        store.start()
        assert store.counted() == 0
        until = time.monotonic() + 60  # it is looked for after 1, 2, 4, ... 32 seconds
        while store.counted() == 0:
            assert time.monotonic() < until, "nobody came back to Redis"
            assert set(asked(served, 5)) <= {200, 429}
            time.sleep(0.5)


def test_a_redis_that_does_not_answer_holds_nobody_up(store: Redis) -> None:
    chosen = {**PATIENT, "workers": 1, "rate_units": 1_000_000, "rate_store": store.url, "log_level": "error"}
    with serving(**chosen) as served, Load(served.port, MIX, threads=4) as load:
        load.wait_for(50)
        store.signal(signal.SIGSTOP)
        load.wait_for(200, seconds=30)
        store.signal(signal.SIGCONT)
        load.wait_for(50)
    assert load.lost == []
    assert load.refusals == []
