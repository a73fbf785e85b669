"""The lecture player as the service serves it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

import pytest

from service.api.player import CLIENTS

if TYPE_CHECKING:
    from flask.testing import FlaskClient

ROOT = Path(__file__).parents[2]
IMPORT = re.compile(r'^(?:import|export|}).*?"(\.[^"]+)"', re.MULTILINE)


def linked(page: str) -> list[str]:
    return re.findall(r'(?:href|src)="(player/.+?)"', page)


def test_the_player_is_the_page_at_the_root(client: FlaskClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"
    assert "<lecture-player" in answer.text


def test_the_page_and_every_module_it_leads_to_are_served(client: FlaskClient) -> None:
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    waiting, seen = [f"/{name}" for name in linked(client.get("/").text)], set[str]()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert answer.mimetype == kinds[Path(path).suffix]
        if path.endswith(".js"):
            named = IMPORT.findall(answer.text)
            waiting += [normpath(join(dirname(path), name)) for name in named]
    assert {"/js/src/client.js", "/player/src/app.js"} <= seen


def test_the_page_allows_no_inline_code_and_no_other_origin_but_any_frame(client: FlaskClient) -> None:
    answer = client.get("/")
    policy = dict(each.strip().split(" ", 1) for each in answer.headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "*"
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]* src=)", answer.text)


def test_the_files_are_asked_for_again_only_when_they_changed(client: FlaskClient) -> None:
    for path in ("/", "/player/src/main.js"):
        first = client.get(path)
        assert first.headers["Cache-Control"] == "no-cache"
        assert client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    "path",
    ["/player/src/../README.md", "/player/README.md", "/js/src/%2e%2e/package.json", "/player/src/none.js"],
)
def test_nothing_else_of_the_clients_is_served(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.mimetype == "application/problem+json"


def test_everything_that_is_served_ships_in_the_wheel() -> None:
    assert CLIENTS == ROOT / "clients"
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {
        name: f"service/{name}" for name in ("clients/index.html", "clients/js/src", "clients/player/src")
    }
    assert all((ROOT / name).exists() for name in wheel["force-include"])
