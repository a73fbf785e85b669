"""Take the README's screenshots of the lecture player from a running service.

    python clients/player/screenshots/take.py http://127.0.0.1:8000

Needs Playwright (a development dependency) and Chromium; the pictures are made beside this file.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]


class Shot(NamedTuple):
    """One picture: where in the player, how large, and what must be there before it is taken."""

    name: str
    place: str
    ready: str
    width: int = 1280
    height: int = 900
    scheme: str = "light"


SHOTS = (
    Shot("lecture", "#/R44/b3?lang=en", ".panel.shown .row.new"),
    Shot("explore", "#/R44/b4?lang=zh&view=explore&step=norm_1.output", ".look .cell", height=1180),
    Shot(
        "what-if",
        '#/R44/b3?lang=en&patch={"block":{"epsilon":0.1}}',
        ".panel.shown .cell.changed",
        scheme="dark",
    ),
)


def take(browser: Browser, base: str, shot: Shot) -> None:
    """Write one picture."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.scheme == "dark" else "light",
        reduced_motion="reduce",
        device_scale_factor=1.5,
    )
    page = context.new_page()
    page.goto(f"{base}/{shot.place}")
    page.locator(shot.ready).first.wait_for()
    page.wait_for_load_state("networkidle")
    page.screenshot(path=HERE / f"{shot.name}.png")
    context.close()


def main(base: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for shot in SHOTS:
            take(browser, base.rstrip("/"), shot)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
