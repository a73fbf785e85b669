"""The player on other pages: as an element, in a frame, and from nothing but a static file server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.serving import serving

from .conftest import Open, at, fits_across

CLIENTS = Path(__file__).parents[3] / "clients"
HOST_PAGE = """<!doctype html><html lang="en"><title>A course page</title><meta charset="utf-8">
<link rel="icon" href="data:,"><h1>Week 5</h1><input aria-label="notes">
<script type="module" src="{clients}/player/src/element.js"></script>
<lecture-player src="{api}/lectures/R45" lang="en" state="b1"></lecture-player>
"""
FRAME_PAGE = """<!doctype html><html lang="en"><title>A course page</title><link rel="icon" href="data:,">
<iframe title="R44" width="800" height="700" src="{api}/#/R44/b2?lang=en"></iframe>
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Tests print nothing."""


@pytest.fixture(scope="module")
def static(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server of nothing but files, with the clients among them: its address and its folder."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "clients").symlink_to(CLIENTS)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", folder
        server.shutdown()


@pytest.fixture(scope="module")
def open_service(static: tuple[str, Path]) -> Iterator[str]:
    """A service that pages of the static server may call."""
    with serving(workers=1, queue_seconds=8, cors_origins=static[0]) as running:
        yield running.url


def test_a_static_file_server_and_the_service_are_enough(
    open_page: Open, static: tuple[str, Path], open_service: str
) -> None:
    page = open_page(f"{static[0]}/clients/index.html?api={open_service}{at('R44', 'b3', lang='en')}")
    page.locator(".panel.shown[data-state=b3]").wait_for()
    page.get_by_role("link", name="Explore").click()
    page.locator(".look .cell").first.wait_for()


def test_the_element_works_on_another_page_and_leaves_that_page_alone(
    open_page: Open, static: tuple[str, Path], open_service: str
) -> None:
    address, folder = static
    (folder / "course.html").write_text(HOST_PAGE.format(api=open_service, clients=f"{address}/clients"))
    page = open_page(f"{address}/course.html")
    page.locator(".panel.shown[data-state=b1]").wait_for()
    page.locator(".state[data-state=b2]").click()
    page.locator(".panel.shown[data-state=b2]").wait_for()
    assert page.url == f"{address}/course.html"
    assert page.title() == "A course page"
    assert page.locator("main").count() == 0
    page.get_by_label("notes").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".state[aria-current=step]").get_attribute("data-state") == "b2"
    page.evaluate("document.querySelector('lecture-player').setAttribute('lang', 'zh')")
    page.locator(".player[lang=zh-CN] .panel.shown").wait_for()


def test_the_element_can_be_loaded_from_the_service_itself(
    open_page: Open, static: tuple[str, Path], open_service: str
) -> None:
    address, folder = static
    (folder / "remote.html").write_text(HOST_PAGE.format(api=open_service, clients=open_service))
    page = open_page(f"{address}/remote.html")
    page.locator(".panel.shown[data-state=b1]").wait_for()


def test_the_page_of_the_service_may_stand_in_a_frame(
    open_page: Open, static: tuple[str, Path], service: str
) -> None:
    address, folder = static
    (folder / "frame.html").write_text(FRAME_PAGE.format(api=service))
    page = open_page(f"{address}/frame.html")
    frame = page.frame_locator("iframe")
    frame.locator(".panel.shown[data-state=b2]").wait_for()
    frame.locator(".state[data-state=b3]").click()
    frame.locator(".panel.shown[data-state=b3]").wait_for()


def test_in_a_narrow_column_the_element_takes_its_narrow_form(
    open_page: Open, static: tuple[str, Path], open_service: str
) -> None:
    address, folder = static
    column = HOST_PAGE.replace("<lecture-player", "<div id=column><lecture-player")
    (folder / "column.html").write_text(column.format(api=open_service, clients=f"{address}/clients"))
    page = open_page(f"{address}/column.html")
    page.evaluate("document.querySelector('#column').style.width = '400px'")
    page.locator(".state[data-state=b5]").click()
    page.locator(".panel.shown .drawing.down").wait_for()
    assert fits_across(page)


def test_the_snippets_of_the_readme_work_when_pasted(
    open_page: Open, static: tuple[str, Path], open_service: str
) -> None:
    address, folder = static
    snippets = re.findall(r"```html\n(.*?)```", (CLIENTS / "player" / "README.md").read_text(), re.DOTALL)
    assert len(snippets) == 2
    element, frame = (each.replace("http://127.0.0.1:8000", open_service) for each in snippets)
    head = '<!doctype html><html lang="en"><title>Pasted</title><link rel="icon" href="data:,">'
    (folder / "pasted.html").write_text(head + element + frame)
    page = open_page(f"{address}/pasted.html")
    page.locator("lecture-player .panel.shown[data-state=b4]").wait_for()
    page.frame_locator("iframe").locator(".panel.shown[data-state=b2]").wait_for()


def test_the_screenshots_of_the_readme_are_those_that_the_script_takes() -> None:
    shown = set(re.findall(r"\]\(screenshots/(.+?)\)", (CLIENTS / "player" / "README.md").read_text()))
    script = (CLIENTS / "player" / "screenshots" / "take.py").read_text()
    taken = {f"{name}.png" for name in re.findall(r'Shot\(\s*"(.+?)"', script)}
    assert shown == taken == {each.name for each in (CLIENTS / "player" / "screenshots").glob("*.png")}
