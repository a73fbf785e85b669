"""What if: the reader's own numbers, computed by the service, marked against the published ones, shared."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import LANGUAGES, LECTURES, Open, at, fits_across, settle

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

Ask = Callable[..., Any]
Axe = Callable[..., list[str]]
SHOWN = ".panel.shown"
ZEROED = {"interventions": [{"step": "attention.output", "set": 0}]}


def printed(page: Page) -> list[str]:
    return page.locator(f"{SHOWN} .row .cell .number").all_text_contents()


def epsilon(page: Page) -> Locator:
    return page.get_by_role("textbox", name="ε", exact=True)


def as_printed(state: Any) -> list[str]:
    return [number for row in state["figure"]["rows"] for number in row["printed"]]


def wait_until_changed(page: Page) -> None:
    page.locator(f"{SHOWN} .changed").first.wait_for()
    page.locator(".stack[aria-busy=false]").wait_for()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("field", "typed", "patch"),
    [
        ("ε", "0.1", {"block": {"epsilon": 0.1}}),
        ("x₁ 1", "−2", {"x": [[-2, 0, 1, 0]]}),
        ("γ 2", "1/2", {"parameters": {name: [1, 0.5, 1, 1] for name in ("norm_1.gamma", "norm_2.gamma")}}),
        ("β 4", "3", {"parameters": {name: [0, 0, 0, 3] for name in ("norm_1.beta", "norm_2.beta")}}),
    ],
    ids=["epsilon", "x", "gamma", "beta"],
)
def test_a_changed_number_changes_what_the_service_says_it_does(
    open_page: Open, ask: Ask, lang: str, field: str, typed: str, patch: Any
) -> None:
    page = open_page(at("R44", "b3", lang=lang, view="what-if"))
    name, _, index = field.partition(" ")
    page.locator(f".what-if input[aria-label*='{name}']").nth(int(index or 1) - 1).fill(typed)
    wait_until_changed(page)
    published, state = (ask(f"/lectures/R44/states/b3?lang={lang}", body) for body in (None, patch))
    assert printed(page) == as_printed(state)
    assert page.locator(f"{SHOWN} figcaption").text_content() == state["caption"]
    differing = [old for old, new in zip(as_printed(published), as_printed(state), strict=True) if old != new]
    was = [text.split()[-1] for text in page.locator(f"{SHOWN} .cell.changed .was").all_text_contents()]
    assert was == differing != []
    changed = page.locator(f"{SHOWN} .changed").count()
    assert str(changed) in (page.locator(".what-if .said").first.text_content() or "")


def test_the_matrices_of_the_ffn_can_be_changed(open_page: Open, ask: Ask) -> None:
    page = open_page(at("R45", "b2", lang="en", view="what-if"))
    for name in ("W₁", "W₂"):
        page.get_by_label(f"{name}", exact=False).and_(page.locator("[aria-label*='row 1, column 1']")).fill(
            "2"
        )
    wait_until_changed(page)
    body = ask("/examples/lecture-05")["parameters"]
    for name in ("ffn.w_1", "ffn.w_2"):
        body[name][0][0] = 2
    state = ask(
        "/lectures/R45/states/b2", {"parameters": {name: body[name] for name in ("ffn.w_1", "ffn.w_2")}}
    )
    page.locator(f"{SHOWN} .cell.changed").first.wait_for()
    settle(page)
    assert printed(page) == as_printed(state)


@pytest.mark.parametrize(
    ("label", "patch"),
    [
        ("pre-norm: normalise inside the branch", {"block": {"norm_placement": "pre"}}),
        ("attention writes nothing back", ZEROED),
    ],
    ids=["placement", "zeroed"],
)
def test_the_wiring_can_be_changed(open_page: Open, ask: Ask, label: str, patch: Any) -> None:
    page = open_page(at("R45", "b3", lang="en", view="what-if"))
    page.get_by_label(label).check()
    wait_until_changed(page)
    assert printed(page) == as_printed(ask("/lectures/R45/states/b3?lang=en", patch))


def test_every_step_follows_and_reset_brings_the_published_numbers_back(open_page: Open, ask: Ask) -> None:
    page = open_page(at("R44", "b0", lang="en", view="what-if"))
    epsilon(page).fill("0.5")
    page.locator(".state[data-state=b3]").click()
    wait_until_changed(page)
    assert printed(page) == as_printed(ask("/lectures/R44/states/b3", {"block": {"epsilon": 0.5}}))
    page.get_by_role("button", name="Back to the published values").click()
    page.locator(f"{SHOWN} .changed").first.wait_for(state="detached")
    assert printed(page) == as_printed(ask("/lectures/R44/states/b3"))
    assert "patch" not in page.evaluate("location.hash")
    assert epsilon(page).input_value() == "0.00001"


@pytest.mark.parametrize("lecture", LECTURES)
def test_a_shared_link_shows_the_same_numbers_and_the_same_fields(open_page: Open, lecture: str) -> None:
    page = open_page(at(lecture, "b3", lang="en", view="what-if"))
    page.get_by_label("Input x₁, feature 2").fill("1.25")
    wait_until_changed(page)
    page.get_by_role("button", name="Copy a link to share").click()
    page.get_by_text("Link copied").wait_for()
    shared = open_page(page.evaluate("navigator.clipboard.readText()"))
    wait_until_changed(shared)
    assert printed(shared) == printed(page)
    assert shared.get_by_label("Input x₁, feature 2").input_value() == "1.25"


def test_what_is_no_number_is_said_and_not_sent(open_page: Open) -> None:
    page = open_page(at("R44", "b3", lang="en", view="what-if"))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    field = epsilon(page)
    field.fill("1,5")
    assert field.get_attribute("aria-invalid") == "true"
    assert "1/2" in (page.locator(".said").last.text_content() or "")
    assert "POST" not in sent


def test_what_the_service_refuses_is_said_in_its_words(open_page: Open) -> None:
    page = open_page(at("R44", "b3", lang="en", view="what-if"), expects_trouble=True)
    epsilon(page).fill("-1")
    message = page.locator(".what-if .message")
    message.wait_for()
    assert "epsilon" in (message.text_content() or "")
    epsilon(page).fill("0.1")
    message.wait_for(state="detached")


def test_a_link_cut_short_shows_the_published_numbers(open_page: Open, ask: Ask) -> None:
    page = open_page("#/R44/b3?lang=en&patch=%7B%22block%22%3A")
    page.locator(f"{SHOWN}[data-state=b3]").wait_for()
    assert printed(page) == as_printed(ask("/lectures/R44/states/b3"))


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open, axe: Axe, scheme: str, width: int
) -> None:
    page = open_page(
        at("R44", "b3", lang="en", patch={"block": {"epsilon": 0.1}}), width=width, color_scheme=scheme
    )
    wait_until_changed(page)
    assert axe(page) == []
    assert fits_across(page)


def test_the_figure_does_not_grow_with_the_marks(open_page: Open) -> None:
    page = open_page(at("R44", "b3", lang="en", view="what-if"))
    page.locator(f"{SHOWN}[data-state=b3]").wait_for()
    cell = page.locator(f"{SHOWN} .row.new .cell").first
    before = cell.bounding_box()
    epsilon(page).fill("0.1")
    wait_until_changed(page)
    settle(page)
    assert cell.bounding_box() == before


def test_the_numbers_do_not_wait_for_the_fields(open_page: Open, service: str) -> None:
    page = open_page("player/src/style/icon.svg")
    held: list[Route] = []
    page.route("**/examples/*", lambda route: held.append(route))  # noqa: PLW0108  # Playwright takes no built-in
    page.goto(f"{service}/{at('R44', 'b3', lang='en', patch={'block': {'epsilon': 0.1}})}")
    wait_until_changed(page)
    assert page.locator(".what-if input").count() == 0
    for route in held:
        route.continue_()
    epsilon(page).wait_for()
    page.get_by_text("4 numbers of the figure differ").wait_for()
