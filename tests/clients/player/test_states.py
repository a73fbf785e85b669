"""Every state of both lectures, in both languages: what the service says is what the page shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import LANGUAGES, LECTURES, Open, at, fits_across

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHOWN = ".panel.shown"
Ask = Callable[..., Any]
Axe = Callable[..., list[str]]


def texts(page: Page, selector: str) -> list[str]:
    return [text.strip() for text in page.locator(f"{SHOWN} {selector}").all_text_contents()]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lecture", LECTURES)
def test_every_state_shows_what_the_service_says_and_axe_finds_nothing(
    open_page: Open, ask: Ask, axe: Axe, lecture: str, lang: str
) -> None:
    page = open_page(at(lecture, lang=lang))
    about = ask(f"/lectures/{lecture}?lang={lang}")
    assert page.locator("h1").text_content() == about["title"]
    assert page.locator(".lead").text_content() == about["lead"]
    assert (
        page.locator(".state").evaluate_all("all => all.map((each) => each.dataset.state)")
        == about["page_order"]
    )
    for name in about["page_order"]:
        page.locator(f".state[data-state={name}]").click()
        page.locator(f"{SHOWN}[data-state={name}]").wait_for()
        state = ask(f"/lectures/{lecture}/states/{name}?lang={lang}")
        figure = state["figure"]
        assert texts(page, ".heading") == [figure["heading"]]
        assert texts(page, "figcaption") == [state["caption"]]
        assert [text.split("(")[0] for text in texts(page, ".label .name")] == [
            row["label"].split("(")[0] for row in figure["rows"]
        ]
        assert texts(page, ".row .cell .number") == [
            number for row in figure["rows"] for number in row["printed"]
        ]
        assert texts(page, ".statistic .number") == [each["printed"] for each in figure["statistics"]]
        assert page.locator(f"{SHOWN} .row.new").count() == sum(row["new"] for row in figure["rows"])
        assert page.locator(f"{SHOWN} .formula math").count() == len(figure["formulas"])
        boxes = page.locator(f"{SHOWN} .drawing.across .box").all_text_contents()
        assert sorted(box.replace(" ", "") for box in boxes) == sorted(
            "".join([node["label"], *node["detail"]]).replace(" ", "") for node in figure["nodes"]
        )
        assert page.locator(f"{SHOWN} .drawing.across .arrow").count() == len(figure["edges"])
        said = "".join([*texts(page, ".notes, .detail"), *boxes]).replace(" ", "")
        assert all(note.replace(" ", "") in said for note in figure["notes"])
        assert axe(page) == [], name


@pytest.mark.parametrize("lecture", LECTURES)
def test_every_state_reads_in_the_dark(open_page: Open, ask: Ask, axe: Axe, lecture: str) -> None:
    page = open_page(at(lecture, lang="en"), color_scheme="dark")
    for name in ask(f"/lectures/{lecture}")["page_order"]:
        page.locator(f".state[data-state={name}]").click()
        assert axe(page) == [], name


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lecture", LECTURES)
@pytest.mark.parametrize(("width", "scale"), [(360, 1), (640, 2)], ids=["360px", "200%"])
def test_no_state_scrolls_sideways_on_a_phone_or_at_twice_the_size(
    open_page: Open, ask: Ask, lecture: str, lang: str, width: int, scale: int
) -> None:
    page = open_page(at(lecture, lang=lang), width=width, height=430 * scale, device_scale_factor=scale)
    for name in ask(f"/lectures/{lecture}")["page_order"]:
        page.locator(f".state[data-state={name}]").click()
        assert fits_across(page), name
        page_edge = page.locator(SHOWN).bounding_box()
        assert page_edge is not None
        for cell in page.locator(f"{SHOWN} .cell").all():
            box = cell.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= page_edge["x"] + page_edge["width"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lecture", LECTURES)
def test_sections_references_and_further_reading_stand_under_the_figure(
    open_page: Open, ask: Ask, lecture: str, lang: str
) -> None:
    page = open_page(at(lecture, lang=lang))
    sections = ask(f"/lectures/{lecture}?lang={lang}")["sections"]
    shown = page.locator(".section")
    shown.first.wait_for()
    assert shown.count() == len(sections)
    for element, section in zip(shown.all(), sections, strict=True):
        text = element.text_content() or ""
        assert section["title"] in text
        for part in section["parts"]:
            assert all(each in text for each in [part["title"], *part["paragraphs"], *part["points"]])
            assert all(row["printed"] in text for row in part["rows"])
            assert all(link["label"] in text for link in part["links"])
        assert element.locator("math[display=block]").count() == sum(
            len(part["formulas"]) for part in section["parts"]
        )
