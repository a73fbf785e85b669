"""When something is wrong, the page says what and what to do, and goes on when it can."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from .conftest import Open, at

if TYPE_CHECKING:
    from playwright.sync_api import Page

Axe = Callable[..., list[str]]
LECTURES = "**/lectures*"


@pytest.fixture
def without_service(open_page: Open, service: str) -> Page:
    """A page whose calls of the service come to nothing."""
    page = open_page("player/src/style/icon.svg", expects_trouble=True)
    page.route(LECTURES, lambda route: route.abort("connectionrefused"))
    page.goto(f"{service}/{at('R44', 'b2', lang='en')}")
    return page


def test_a_service_that_does_not_answer_is_said_plainly_and_can_be_asked_again(
    without_service: Page, axe: Axe, service: str
) -> None:
    page = without_service
    message = page.get_by_role("alert")
    message.wait_for()
    text = message.text_content() or ""
    assert "The service does not answer" in text
    assert service in text
    assert axe(page) == []
    page.unroute(LECTURES)
    page.get_by_role("button", name="Try again").click()
    page.locator(".panel.shown[data-state=b2]").wait_for()


def test_a_lecture_that_does_not_exist_is_named_with_those_that_do(open_page: Open) -> None:
    page = open_page(at("R99", lang="en"), expects_trouble=True)
    text = page.get_by_role("alert").text_content() or ""
    assert "R99" in text
    assert "R44" in text
    page.get_by_role("link", name="R45").click()
    page.locator("h1").wait_for()


def test_a_refusal_is_shown_with_its_request_id(open_page: Open) -> None:
    page = open_page(at("R44", lang="en", view="explore", example="none"), expects_trouble=True)
    text = page.get_by_role("alert").text_content() or ""
    assert "none" in text
    assert "Request id" in text


def test_a_page_loaded_once_goes_on_stepping_without_the_service(open_page: Open) -> None:
    # The browser itself asks for the icon again, in vain.
    page = open_page(at("R44", "b0", lang="en"), expects_trouble=True)
    page.locator(".panel.shown[data-state=b0]").wait_for()
    page.context.set_offline(True)
    try:
        page.keyboard.press("ArrowRight")
        page.locator(".panel.shown[data-state=b1]").wait_for()
    finally:
        page.context.set_offline(False)


def test_a_late_answer_does_not_replace_a_newer_one(open_page: Open, service: str) -> None:
    page = open_page(at("R44", "b3", lang="en", view="what-if"))
    field = page.get_by_role("textbox", name="ε", exact=True)
    field.wait_for()
    for epsilon in ("0.1", "0.2", "0.3", "0.4", "0.5"):
        field.fill(epsilon)
    page.locator(".panel.shown .changed").first.wait_for()
    page.locator(".stack[aria-busy=false]").wait_for()
    assert "0.5" in (page.locator(".panel.shown .notes").text_content() or "")
