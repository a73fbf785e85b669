"""A service to call: gunicorn on a free port of this machine, as `blockwalk serve` starts it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serving import serving


@pytest.fixture(scope="session")
def service() -> Iterator[str]:
    """The address of a running service, patient enough for a machine that is busy with other tests."""
    with serving(workers=1, queue_seconds=8) as running:
        yield running.url
