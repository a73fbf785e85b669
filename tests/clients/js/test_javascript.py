"""The JavaScript client: its own tests in Node, its types, and its README, against a running service."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CLIENT = ROOT / "clients" / "js"
NODE = shutil.which("node")
TYPESCRIPT = ROOT / "clients" / "node_modules" / ".bin" / "tsc"

needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
needs_typescript = pytest.mark.skipif(not TYPESCRIPT.exists(), reason="`npm ci` has not run in clients/")


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """What the command printed; a failure shows it."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@needs_node
def test_the_modules_do_in_node_what_their_tests_say(service: str) -> None:
    tests = sorted(map(str, Path(__file__).parents[1].glob("*/*.test.js")))
    printed = run("node", "--test", *tests, BLOCKWALK_URL=service)
    assert re.search(r"^# fail 0$", printed, re.MULTILINE)
    assert re.search(r"^# skipped 0$", printed, re.MULTILINE)


@needs_node
@pytest.mark.parametrize("readme", [ROOT / "README.md", CLIENT / "README.md"], ids=["service", "client"])
def test_every_sample_of_the_readmes_works_when_pasted(readme: Path, service: str, tmp_path: Path) -> None:
    samples = re.findall(r"```js\n(.*?)```\n\n```text\n(.*?)```", readme.read_text(), re.DOTALL)
    assert len(samples) == readme.read_text().count("```js\n") > 0
    source = json.dumps((CLIENT / "src/index.js").as_uri())
    for number, (code, shown) in enumerate(samples):
        pasted = re.sub(r'from ".*?"', f"from {source}", code.replace("http://127.0.0.1:8000", service))
        script = tmp_path / f"sample-{number}.mjs"
        script.write_text(pasted)
        assert run("node", script) == shown


@needs_typescript
def test_types_hold_under_strict_checking() -> None:
    run(TYPESCRIPT, "-p", CLIENT)


@needs_typescript
def test_types_agree_with_the_openapi_document() -> None:
    run("npm", "run", "--silent", "drift", cwd=ROOT / "clients")


@needs_typescript
def test_declarations_are_emitted_for_everything_that_is_exported(tmp_path: Path) -> None:
    run(TYPESCRIPT, "-p", CLIENT / "tsconfig.build.json", "--outDir", tmp_path)
    assert {each.stem for each in (CLIENT / "src").glob("*.js")} == {
        each.name.removesuffix(".d.ts") for each in tmp_path.iterdir()
    }


def test_the_client_depends_on_nothing_and_has_the_version_of_the_service() -> None:
    package = json.loads((CLIENT / "package.json").read_text())
    assert not {name for name in package if name.lower().endswith("dependencies")}
    for module in (CLIENT / "src").glob("*.js"):
        assert all(
            name.startswith("./")
            for name in re.findall(r'^import .*?from "(.+?)"', module.read_text(), re.MULTILINE)
        )
    assert f'version = "{package["version"]}"' in (ROOT / "pyproject.toml").read_text()
