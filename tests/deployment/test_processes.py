"""Workers and replicas that end, by themselves or otherwise, while others ask."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.deployment.load import LONG, MIX, TRACE, Load
from tests.deployment.stack import PATIENT, free_port, nginx, wait_for, wait_for_workers, workers
from tests.serving import serving

pytestmark = pytest.mark.deployment


def test_a_worker_that_is_killed_takes_only_its_own_requests_along() -> None:
    with serving(workers=2, **PATIENT) as served, Load(served.port, MIX) as load:
        load.wait_for(100)
        victim, *_ = before = sorted(workers(served))
        os.kill(victim, signal.SIGKILL)
        load.wait_for(200)
        after = wait_for_workers(served, 2)
    assert len(after - set(before)) == 1
    assert len(load.lost) <= load.threads
    assert load.refused == 0
    assert load.refusals == []


def test_a_service_that_is_asked_to_stop_answers_what_it_has_begun() -> None:
    with serving(workers=2, **PATIENT) as served:
        answers: list[int] = []

        def ask() -> None:
            status, _, _ = served.send(
                LONG.method, LONG.path, LONG.encoded, {"Content-Type": "application/json"}
            )
            answers.append(status)

        slow = [threading.Thread(target=ask) for _ in range(2)]
        with Load(served.port, MIX) as load:
            load.wait_for(100)
            for thread in slow:
                thread.start()
            load.wait_for(20)
            os.kill(served.pid, signal.SIGTERM)
            for thread in slow:
                thread.join(timeout=60)
    assert load.lost == []
    assert load.refusals == []
    assert answers == [200, 200]


def test_a_worker_is_replaced_after_its_share_of_requests_and_nobody_notices() -> None:
    with serving(workers=2, max_requests=150, max_requests_jitter=20, **PATIENT) as served:
        before = wait_for_workers(served, 2)
        with Load(served.port, [TRACE]) as load:
            load.wait_for(700)
        after = wait_for_workers(served, 2)
    assert not before & after
    assert load.lost == []
    assert load.refusals == []


def test_a_replica_that_goes_and_comes_back_costs_no_request(tmp_path: Path) -> None:
    ports = [free_port(), free_port()]
    with ExitStack() as replicas, nginx(tmp_path, ports) as port:
        running = [ExitStack() for _ in ports]
        replicas.callback(lambda: [each.close() for each in running])
        for stack, each in zip(running, ports, strict=True):
            stack.enter_context(serving(port=each, workers=1, **PATIENT))
        with Load(port, MIX, seconds=120) as load:
            for stack, each in zip(running, ports, strict=True):
                load.wait_for(100)
                stack.close()  # SIGTERM, and its end awaited
                load.wait_for(100)
                stack.enter_context(serving(port=each, workers=1, **PATIENT))
                wait_for(each)
                load.wait_for(100)
    assert load.lost == []
    assert load.refused == 0
    assert load.refusals == []


def test_a_replica_that_is_killed_outright_costs_only_answers_that_had_begun(tmp_path: Path) -> None:
    with serving(workers=1, **PATIENT) as stays, ExitStack() as gone:
        lost = gone.enter_context(serving(workers=1, **PATIENT))
        with nginx(tmp_path, [stays.port, lost.port]) as port, Load(port, MIX) as load:
            load.wait_for(100)
            for pid in (lost.pid, *workers(lost)):
                os.kill(pid, signal.SIGKILL)
            load.wait_for(200)
    assert all("IncompleteRead" in each for each in load.lost)
    assert len(load.lost) <= load.threads
    assert load.refusals == []


def test_the_parent_of_the_workers_has_one_thread_when_it_forks() -> None:
    with serving(workers=2, preload="true", **PATIENT) as served:
        wait_for_workers(served, 2)
        status = Path(f"/proc/{served.pid}/status").read_text()
    assert "Threads:\t1\n" in status
