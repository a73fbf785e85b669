"""Figures as a browser draws them: no text leaves the picture, and no number its cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import pytest

from service.lectures import figures
from service.lectures.figures.theme import DARK, LIGHT

from .conftest import State
from .test_course import STATES
from .test_live import PATCHES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
SHOWN = [(lecture, name, lang) for lecture, name in STATES for lang in ("zh", "en")]
OVERFLOWING = """() => {
  const svg = document.querySelector("svg"), frame = svg.viewBox.baseVal, found = [];
  const cells = [...svg.querySelectorAll("rect.cell, rect.node, rect.pill")].map((cell) => cell.getBBox());
  for (const text of svg.querySelectorAll("text")) {
    const box = text.getBBox(), right = box.x + box.width, low = box.y + box.height;
    const x = (box.x + right) / 2, y = (box.y + low) / 2;
    const around = cells.filter((c) => x > c.x && x < c.x + c.width && y > c.y && y < c.y + c.height);
    const left = Math.max(0, ...around.map((c) => c.x));
    const end = Math.min(frame.width, ...around.map((c) => c.x + c.width));
    if (box.x < left || right > end || low > frame.height) found.push(text.textContent);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    yield context.new_page()
    context.close()


def overflowing(page: Page, state: dict[str, Any]) -> list[str]:
    page.set_content(figures.draw(state))
    found: list[str] = page.evaluate(OVERFLOWING)
    return found


@pytest.mark.parametrize(("lecture", "name", "lang"), SHOWN)
def test_no_text_leaves_its_place(page: Page, state: State, lecture: str, name: str, lang: str) -> None:
    assert overflowing(page, state(lecture, name, lang)) == []


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
@pytest.mark.parametrize("lecture", ["R44", "R45"])
def test_no_text_leaves_its_place_when_numbers_change(
    page: Page, state: State, lecture: str, patch: Any
) -> None:
    for lang in ("zh", "en"):
        assert overflowing(page, state(lecture, "b3", lang, patch)) == []


@pytest.mark.parametrize(("scheme", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_a_figure_is_as_light_or_dark_as_its_reader_prefers(
    page: Page, state: State, scheme: Literal["light", "dark"], theme: dict[str, str]
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_content(figures.draw(state("R44", "b0")))
    ground = page.evaluate("getComputedStyle(document.querySelector('.ground')).fill")
    assert ground == f"rgb({', '.join(str(int(theme['ground'][i : i + 2], 16)) for i in (1, 3, 5))})"


def test_a_figure_within_a_page_changes_nothing_else_on_it(page: Page, state: State) -> None:
    figure = figures.draw(state("R44", "b0"), "dark")
    page.set_content(f"<svg class='other'><text class='strong accent quiet'>a</text></svg>{figure}")
    page.evaluate("window.seen = getComputedStyle(document.querySelector('.other text'))")
    assert page.evaluate("[seen.fill, seen.fontWeight]") == ["rgb(0, 0, 0)", "400"]
