"""What every test may ask for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium")
CHROMIUM_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)

# A test may take as long as the machine is slow, and finds the same examples everywhere.
settings.register_profile("blockwalk", deadline=None, derandomize=True)
settings.load_profile("blockwalk")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """What is marked `browser` needs one on the machine."""
    if item.get_closest_marker("browser") and CHROMIUM is None:
        pytest.skip("Chromium is not installed")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium, one for the whole run: Playwright allows one of its loops a process."""
    from playwright.sync_api import sync_playwright  # so that tests without a browser load no driver

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS.split())
        yield running
        running.close()


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
