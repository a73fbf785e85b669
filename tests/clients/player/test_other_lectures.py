"""A lecture that the player has never seen: another figure kind, sizes of its own, no code."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.serving import serving

from .conftest import Open, at, fits_across

Axe = Callable[..., list[str]]
EXTRA = Path(__file__).parents[2] / "lectures" / "extra"


@pytest.fixture(scope="module")
def with_more(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with one more lecture, and one that cannot be served."""
    broken = tmp_path_factory.mktemp("lectures") / "Z99"
    broken.mkdir()
    (broken / "lecture.toml").write_text("title = 3\n")
    with serving(workers=1, queue_seconds=8, lectures=f"{EXTRA},{broken}") as running:
        yield running.url


def test_every_state_of_another_lecture_is_shown(open_page: Open, axe: Axe, with_more: str) -> None:
    page = open_page(f"{with_more}/{at('C01', lang='en')}")
    page.locator(".panel.shown").wait_for()
    for name in page.locator(".state").evaluate_all("all => all.map((each) => each.dataset.state)"):
        page.locator(f".state[data-state={name}]").click()
        page.locator(f".panel.shown[data-state={name}]").wait_for()
        with urlopen(f"{with_more}/lectures/C01/states/{name}?lang=en") as answer:
            figure = json.load(answer)["figure"]
        shown = page.locator(".panel.shown .heat .cell").all_text_contents()
        assert shown == [
            number for each in figure["heat_maps"] for line in each["printed"] for number in line
        ]
        assert axe(page) == []


def test_a_lecture_that_cannot_be_served_is_not_offered(open_page: Open, with_more: str) -> None:
    page = open_page(f"{with_more}/{at('C01', lang='en')}")
    page.locator(".panel.shown").wait_for()
    assert page.locator(".pages a").all_text_contents() == ["R44", "R45", "C01"]


@pytest.mark.parametrize("view", ["what-if", "explore"])
def test_its_numbers_can_be_changed_and_its_block_explored(
    open_page: Open, with_more: str, view: str
) -> None:
    page = open_page(f"{with_more}/{at('C01', lang='en', view=view)}", width=360)
    page.locator(".what-if input[type=text], .part-content .cell").first.wait_for()
    assert fits_across(page)
