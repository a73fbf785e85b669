"""TLS, and the department's proxy in front of ours."""

from __future__ import annotations

import json
import ssl
import urllib.request
from pathlib import Path

import pytest

from tests.deployment.stack import PATIENT, nginx
from tests.serving import serving

pytestmark = pytest.mark.deployment


def test_tls_ends_at_nginx_with_the_certificate_beside_its_configuration(tmp_path: Path) -> None:
    with serving(workers=1, **PATIENT) as served, nginx(tmp_path, [served.port], tls=True) as port:
        trust = ssl.create_default_context(cafile=tmp_path / "nginx" / "tls" / "tls.crt")
        with urllib.request.urlopen(
            f"https://localhost:{port}/health/ready", context=trust, timeout=20
        ) as answer:
            assert json.load(answer)["status"] == "ok"


def test_behind_two_proxies_every_caller_has_a_budget_of_its_own(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    with (
        serving(workers=1, proxies=2, rate_units=2, log_level="error") as served,
        nginx(ours, [served.port]) as inner,
        nginx(theirs, [inner]) as outer,
    ):
        assert [status(outer, f"192.0.2.{i}") for i in range(5)] == [200, 200, 429, 429, 429]
        assert [status(inner, f"192.0.2.{i}") for i in range(5)] == [200] * 5


def status(port: int, address: str) -> int:
    """What a request is answered with that says it was forwarded for an address, as a caller may claim."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/examples", headers={"X-Forwarded-For": address}
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


def test_with_no_replica_left_the_answer_is_a_problem_with_a_time_to_come_back(tmp_path: Path) -> None:
    with nginx(tmp_path, [1]) as port, pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/examples", timeout=20)
    with refused.value as answer:
        problem = json.load(answer)
        assert (answer.status, problem["status"], problem["type"]) == (503, 503, "/problems/unavailable")
        assert answer.headers["Retry-After"] == "2"
        assert answer.headers["X-Request-ID"] == problem["request_id"]
        assert answer.headers["Content-Type"] == "application/problem+json"
