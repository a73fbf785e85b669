"""A real server for the clients: gunicorn on a socket, started as a user starts it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blockwalk_client import Client, Trace

from tests.serving import serving


@pytest.fixture(scope="session")
def base_url() -> Iterator[str]:
    """The address of a running service."""
    with serving(workers=1, log_level="error") as running:
        yield running.url


@pytest.fixture(scope="session")
def client(base_url: str) -> Iterator[Client]:
    with Client(base_url) as client:
        yield client


@pytest.fixture(scope="session")
def lecture(client: Client) -> Trace:
    return client.trace("lecture-05")


@pytest.fixture(scope="session")
def causal(client: Client) -> Trace:
    return client.trace("lecture-05-causal")
