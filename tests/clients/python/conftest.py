"""A real server for the clients: gunicorn on a socket, started as a user starts it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blockwalk_client import Client, Trace


@pytest.fixture(scope="session")
def base_url(service: str) -> str:
    """The address of a running service, as the client calls it."""
    return service


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
