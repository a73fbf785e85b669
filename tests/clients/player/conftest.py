"""The lecture player in headless Chromium, and what a page is held to wherever it is opened."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from urllib.request import Request, urlopen
from weakref import WeakSet

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

AXE = Path(__file__).parents[3] / "clients" / "node_modules" / "axe-core" / "axe.min.js"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LECTURES = ("R44", "R45")
LANGUAGES = ("zh", "en")
AUDITED = WeakSet["Page"]()
Open = Callable[..., "Page"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


def counts(said: ConsoleMessage, page: Page) -> bool:
    """Whether a message complains of the page; axe itself sets inline styles, which the policy forbids."""
    by_axe = page in AUDITED and "inline style" in said.text
    return said.type in ("error", "warning") and not by_axe


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Callable[..., BrowserContext]:
    """One profile for each set of options: its cache knows the modules, its clipboard may be used."""
    made: dict[str, BrowserContext] = {}

    def context(**options: Any) -> BrowserContext:
        key = json.dumps(options, sort_keys=True)
        if key not in made:
            made[key] = browser.new_context(**options, permissions=["clipboard-read", "clipboard-write"])
        return made[key]

    return context


@pytest.fixture
def open_page(contexts: Callable[..., BrowserContext], service: str) -> Iterator[Open]:
    """Open an address of the player: a fragment, or a whole address. No page may complain on its console."""
    pages, complaints = [], list[str]()

    def opened(
        address: str = "",
        *,
        width: int = 1280,
        height: int = 860,
        locale: str = "zh-CN",
        expects_trouble: bool = False,
        **options: Any,
    ) -> Page:
        page = contexts(viewport={"width": width, "height": height}, locale=locale, **options).new_page()
        pages.append(page)
        page.set_default_timeout(30_000)
        if not expects_trouble:
            page.on("console", lambda said: complaints.append(said.text) if counts(said, page) else None)
            page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address if "://" in address else f"{service}/{address}")
        return page

    yield opened
    for page in pages:
        page.close()
    assert complaints == []


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """What axe finds wrong with a page, a line a finding."""
    if not AXE.exists():
        pytest.skip("`npm ci` has not run in clients/")
    source = AXE.read_text()

    def findings(page: Page) -> list[str]:
        settle(page)
        if not page.evaluate("'axe' in window"):
            page.evaluate(source)
        AUDITED.add(page)
        result = page.evaluate(
            "(tags) => axe.run(document, { runOnly: tags, resultTypes: ['violations'] })", WCAG
        )
        return [
            f"{each['id']}: {each['help']}: {node['target']} {node['html'][:200]}"
            for each in result["violations"]
            for node in each["nodes"]
        ]

    return findings


@pytest.fixture(scope="session")
def ask(service: str) -> Callable[..., Any]:
    """The service's own answer, to hold the page to."""

    def asked(path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urlopen(
            Request(service + path, data, {"Content-Type": "application/json"}), timeout=30
        ) as answer:
            return json.load(answer)

    return asked


def at(lecture: str, state: str = "", **query: Any) -> str:
    """The fragment of a place in the player."""
    pairs = [
        f"{name}={quote(value if isinstance(value, str) else json.dumps(value))}"
        for name, value in query.items()
    ]
    return f"#/{lecture}{f'/{state}' if state else ''}{'?' if pairs else ''}{'&'.join(pairs)}"


def settle(page: Page) -> None:
    """Let everything that moves arrive."""
    page.evaluate(
        "() => document.querySelectorAll('lecture-player').forEach(({ shadowRoot }) =>"
        " shadowRoot.getAnimations().forEach((each) => each.finish()))"
    )


def fits_across(page: Page) -> bool:
    """Whether the page needs no sideways scrolling."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
