"""What every test may ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

# A test may take as long as the machine is slow, and finds the same examples everywhere.
settings.register_profile("blockwalk", deadline=None, derandomize=True)
settings.load_profile("blockwalk")


@pytest.fixture(scope="session")
def app() -> Flask:
    """The service as `create_app` makes it with no setting given."""
    from service.app import create_app  # so that tests of the engine alone start no web framework

    return create_app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(autouse=True)
def own_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples that a test's lectures bring along are forgotten after it."""
    from service.engine import examples

    monkeypatch.setattr(examples, "_extra", {})
