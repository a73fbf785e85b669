"""Requests that many tests of the engine start from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service import engine

Ask = Callable[..., engine.Trace]


@pytest.fixture(scope="session")
def ask() -> Ask:
    """Trace a request written as plain data."""

    def trace(**request: Any) -> engine.Trace:
        return engine.trace(engine.TraceRequest.from_data(request))

    return trace
