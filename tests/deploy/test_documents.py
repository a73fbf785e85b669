"""What the administrator reads names what exists."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from service.settings import PREFIX, Settings
from tests.deploy.files import DEPLOY, ROOT, SERVICE_LIMIT_UNITS, documents

PAGE = (DEPLOY / "README.md").read_text()
SETTINGS = {PREFIX + each.name.upper() for each in fields(Settings)}
(COMPOSE,) = documents(ROOT / "compose.yaml")
OF_COMPOSE = {"BLOCKWALK_IMAGE", "BLOCKWALK_LISTEN"}


@pytest.mark.parametrize(
    "path", ["deploy/README.md", "SECURITY.md", "deploy/nginx/nginx.conf", "deploy/nginx/upstream.conf"]
)
def test_a_setting_that_is_named_exists(path: str) -> None:
    named = set(re.findall(r"BLOCKWALK_[A-Z_]+[A-Z]", (ROOT / path).read_text()))
    assert named <= SETTINGS | OF_COMPOSE


def test_a_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)`", PAGE)) <= targets


def test_a_file_that_is_linked_exists() -> None:
    for path in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (DEPLOY / path).exists(), path


def test_the_page_gives_the_budget_that_compose_gives() -> None:
    default = COMPOSE["services"]["service-1"]["environment"]["BLOCKWALK_RATE_UNITS"]
    units = int(default.partition(":-")[2].rstrip("}"))
    assert f"({units:,} here" in PAGE


def test_the_page_gives_the_largest_cost_that_the_limits_allow() -> None:
    assert f"about {round(SERVICE_LIMIT_UNITS, -2):,}" in PAGE
