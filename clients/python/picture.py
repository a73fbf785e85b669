"""Make notebook.png, the README's picture of a trace: `python clients/python/picture.py ADDRESS`.

Needs a running service at ADDRESS, an installed Chromium, and Playwright to drive it.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from blockwalk_client import Client
from playwright.sync_api import sync_playwright

SELECT = ["x", "attention.masked_scores", "attention.weights", "residual_1", "norm_1.*"]
PAGE = '<body style="margin:12px;width:max-content;font-family:system-ui,sans-serif;color:#222">'


def main(address: str) -> None:
    trace = Client(address).trace("lecture-05-causal", select=SELECT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(device_scale_factor=2)
        page.set_content(PAGE + trace._repr_html_())
        page.locator(".blockwalk").screenshot(path=Path(__file__).with_name("notebook.png"))
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
