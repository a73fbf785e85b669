"""Stepping: buttons, keys, links and the back button lead to the same place, and nothing jumps on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .conftest import LECTURES, Open, at, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page

ORDER = ["b4", "b5", "b0", "b1", "b2", "b3"]


def current(page: Page) -> str | None:
    return page.locator(".state[aria-current=step]").get_attribute("data-state")


def wait_for(page: Page, state: str) -> None:
    page.locator(f".panel.shown[data-state={state}]").wait_for()
    assert current(page) == state


def test_the_page_opens_on_its_default_state_and_steps_on_from_there(open_page: Open) -> None:
    page = open_page()
    wait_for(page, "b4")
    page.keyboard.press("ArrowRight")
    wait_for(page, "b5")
    assert page.evaluate("location.hash") == "#/R44/b5"


def test_arrow_keys_step_in_page_order_and_home_goes_back_to_the_default(open_page: Open) -> None:
    page = open_page(at("R44"))
    wait_for(page, "b4")
    for state in ORDER[1:]:
        page.keyboard.press("ArrowRight")
        wait_for(page, state)
    page.keyboard.press("ArrowRight")
    wait_for(page, "b3")
    page.keyboard.press("ArrowLeft")
    wait_for(page, "b2")
    page.keyboard.press("Home")
    wait_for(page, "b4")


def test_a_button_keeps_the_focus_that_pressed_it(open_page: Open) -> None:
    page = open_page(at("R44"))
    page.get_by_role("button", name="下一步").focus()
    for state in ORDER[1:]:
        page.keyboard.press("Enter")
        wait_for(page, state)
    assert (
        page.evaluate("document.activeElement.shadowRoot.activeElement.getAttribute('aria-label')")
        == "下一步"
    )


def test_every_step_is_an_address_and_the_back_button_goes_back(open_page: Open) -> None:
    page = open_page(at("R44", "b0", lang="en"))
    wait_for(page, "b0")
    for state in ("b1", "b2"):
        page.keyboard.press("ArrowRight")
        wait_for(page, state)
        assert page.evaluate("location.hash") == f"#/R44/{state}?lang=en"
    page.go_back()
    wait_for(page, "b1")
    page.go_forward()
    wait_for(page, "b2")


def test_a_deep_link_opens_its_state_in_its_language(open_page: Open) -> None:
    page = open_page(at("R45", "b2", lang="en"))
    wait_for(page, "b2")
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.title().endswith("· R45")


def test_the_language_switch_keeps_the_place(open_page: Open) -> None:
    page = open_page(at("R44", "b2", lang="zh"))
    wait_for(page, "b2")
    chinese = page.locator(".panel.shown figcaption").text_content()
    page.get_by_role("button", name="English").click()
    page.locator("html[lang=en]").wait_for()
    wait_for(page, "b2")
    assert page.locator(".panel.shown figcaption").text_content() != chinese


def test_without_a_language_in_the_address_the_readers_own_is_shown(open_page: Open) -> None:
    page = open_page(at("R44"), locale="en-GB")
    page.locator("html[lang=en]").wait_for()


def test_a_state_that_does_not_exist_shows_the_default(open_page: Open) -> None:
    wait_for(open_page(at("R44", "b9")), "b4")


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("lecture", LECTURES)
def test_nothing_shifts_while_stepping(open_page: Open, lecture: str, width: int) -> None:
    page = open_page(at(lecture), width=width)
    seen = []
    for state in ORDER:
        page.locator(f".state[data-state={state}]").click()
        wait_for(page, state)
        seen.append(
            [page.locator(each).bounding_box() for each in (".stack", ".stepper", ".section >> nth=0")]
        )
    assert all(boxes == seen[0] for boxes in seen)


@pytest.mark.parametrize("lecture", LECTURES)
def test_what_a_state_adds_leaves_the_rows_before_it_where_they_were(open_page: Open, lecture: str) -> None:
    page = open_page(at(lecture, "b0"))
    before: list[tuple[str | None, object]] = []
    for state in ("b0", "b1", "b2", "b3"):
        page.locator(f".state[data-state={state}]").click()
        wait_for(page, state)
        settle(page)
        rows = page.locator(".panel.shown .row:not(.detail)").all()
        now = [(row.locator(".name").text_content(), row.bounding_box()) for row in rows]
        assert now[: len(before)] == before
        before = now


def test_only_what_is_new_moves(open_page: Open) -> None:
    page = open_page(at("R44", "b0"))
    wait_for(page, "b0")
    page.keyboard.press("ArrowRight")
    wait_for(page, "b1")
    moving = page.evaluate(
        "document.querySelector('lecture-player').shadowRoot.getAnimations()"
        ".filter((each) => each.animationName).map((each) => each.effect.target.className)"
    )
    assert moving == ["row new"]


def test_nothing_moves_for_who_asked_for_less_motion(open_page: Open) -> None:
    page = open_page(at("R44", "b0"), reduced_motion="reduce")
    wait_for(page, "b0")
    page.keyboard.press("ArrowRight")
    wait_for(page, "b1")
    assert page.evaluate("document.querySelector('lecture-player').shadowRoot.getAnimations().length") == 0


def test_a_step_is_told_to_screen_readers(open_page: Open) -> None:
    page = open_page(at("R44", "b0", lang="en"))
    wait_for(page, "b0")
    page.keyboard.press("ArrowRight")
    wait_for(page, "b1")
    said = page.locator(".stepping [role=status]").text_content() or ""
    assert said.startswith("b1 (4 of 6)")
    assert (page.locator(".panel.shown figcaption").text_content() or "") in said


def test_a_link_between_the_pages_leads_to_the_state_where_the_next_begins(open_page: Open) -> None:
    page = open_page(at("R44", "b3", lang="en"))
    page.locator(".hand-over.to a").click()
    wait_for(page, "b0")
    assert page.evaluate("location.hash").startswith("#/R45/b0")
