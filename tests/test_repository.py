"""What the files beside the code promise."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from service import engine

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK_FILES = sorted(ROOT.glob("requirements*.lock"))


def entries(lock: Path) -> dict[str, str]:
    """Each pinned requirement of a lock file, and the lines that belong to it."""
    blocks = re.split(r"^(?=[a-z0-9])", lock.read_text(), flags=re.MULTILINE)[1:]
    return {block.split(" ", 1)[0]: block for block in blocks}


@pytest.mark.parametrize("lock", LOCK_FILES, ids=lambda lock: lock.name)
def test_every_locked_package_is_pinned_and_hashed_and_no_address_is_named(lock: Path) -> None:
    assert entries(lock)
    for requirement, block in entries(lock).items():
        assert re.fullmatch(r"[a-z0-9.-]+(\[[a-z,]+\])?==\S+", requirement)
        assert "--hash=sha256:" in block
    assert "://" not in lock.read_text()


def test_development_runs_with_the_releases_that_the_service_runs_with() -> None:
    assert len(LOCK_FILES) == 4
    everything = entries(ROOT / "requirements-dev.lock").keys()
    for lock in LOCK_FILES:
        assert entries(lock).keys() <= everything


def test_the_version_is_the_same_wherever_it_is_said() -> None:
    version = PROJECT["project"]["version"]
    assert version == engine.VERSION
    assert f"ARG VERSION={version}\n" in (ROOT / "Dockerfile").read_text()
    assert re.search(rf"\b{re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text())


def test_every_make_target_that_the_documents_name_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    for page in ROOT.glob("*.md"):
        named = set(re.findall(r"(?:`|^)make ([a-z-]+)", page.read_text(), flags=re.MULTILINE))
        assert named <= targets, page.name


def test_importing_the_package_alone_imports_nothing() -> None:
    assert (ROOT / "service" / "__init__.py").read_text() == ""
