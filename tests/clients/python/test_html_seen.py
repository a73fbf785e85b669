"""The table of a trace as a browser draws it, with its style sheet and as JupyterLab sanitises it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from blockwalk_client import Trace

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
SEEN = (
    """(selector) => [...document.querySelectorAll(selector)].filter((each) => each.offsetWidth > 0).length"""
)
SPILT = """() => [...document.querySelectorAll("td, th")]
  .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)"""
CONTRAST = """() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const page = parse(getComputedStyle(document.body).backgroundColor);
  return Math.min(...[...document.querySelectorAll(".grid td")].map((cell) => {
    const ink = light(parse(getComputedStyle(cell).color));
    const [r, g, b, alpha = 1] = parse(getComputedStyle(cell).backgroundColor);
    const ground = light([r, g, b].map((c, i) => alpha * c + (1 - alpha) * page[i]));
    return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
  }));
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_with_its_style_sheet_the_browser_draws_the_formulas(page: Page, causal: Trace) -> None:
    page.set_content(causal._repr_html_())
    assert page.evaluate(SEEN, ".mathml") == len(causal)
    assert page.evaluate(SEEN, ".latex") == 0
    assert page.evaluate(SPILT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_where_style_sheet_and_mathml_are_stripped_the_latex_is_seen(page: Page, causal: Trace) -> None:
    kept = re.sub(r"<style>.*?</style>|</?m[a-z]+\b[^>]*>", "", causal._repr_html_(), flags=re.DOTALL)
    page.set_content(kept)
    assert page.evaluate(SEEN, ".mathml") == 0
    assert page.evaluate(SEEN, ".latex") == len(causal)
    heads = page.locator(".grids").nth(1).locator("table")
    first, second = (heads.nth(i).bounding_box() for i in (0, 1))
    assert first is not None
    assert second is not None
    assert first["y"] == second["y"]


@pytest.mark.parametrize(("ink", "ground"), [("#222", "#fff"), ("#e0e0e0", "#111")], ids=["light", "dark"])
def test_numbers_are_legible_on_their_tints(page: Page, causal: Trace, ink: str, ground: str) -> None:
    page.set_content(f'<body style="color:{ink};background:{ground}">{causal._repr_html_()}')
    assert page.evaluate(CONTRAST) >= 4.5
