"""What is shipped: names, metadata, files."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import blockwalk_client
import pytest

ROOT = Path(__file__).parents[3]
PROJECT = ROOT / "clients" / "python"
PACKAGE = PROJECT / "src" / "blockwalk_client"


def test_the_exported_names_are_these() -> None:
    assert blockwalk_client.__all__ == [
        "BlockwalkError",
        "Client",
        "Comparison",
        "Difference",
        "Figure",
        "Gradients",
        "InvalidRequest",
        "Jacobian",
        "NotFound",
        "RateLimited",
        "Scope",
        "ServiceUnavailable",
        "Tensor",
        "TooCostly",
        "Trace",
        "Variant",
        "__version__",
    ]


@pytest.mark.parametrize("name", blockwalk_client.__all__)
def test_every_exported_name_is_there_and_explains_itself(name: str) -> None:
    of = getattr(blockwalk_client, name)
    assert name == "__version__" or inspect.getdoc(of)


def test_what_is_not_exported_is_not_lying_around() -> None:
    public = {name for name in vars(blockwalk_client) if not name.startswith("_")}
    modules = {path.stem for path in PACKAGE.glob("*.py")}
    assert public <= set(blockwalk_client.__all__) | modules


def test_nothing_but_requests_is_imported() -> None:
    """NumPy is imported by name, where it is installed; PyTorch, and the service, are not."""
    imported = set()
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add(str(node.module).partition(".")[0])
    assert imported - set(sys.stdlib_module_names) == {"requests"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_has_the_package_its_types_and_its_licence(wheel: zipfile.ZipFile) -> None:
    files = set(wheel.namelist())
    assert {f"blockwalk_client/{path.name}" for path in PACKAGE.iterdir() if path.is_file()} <= files
    assert "blockwalk_client/py.typed" in files
    (licence,) = (name for name in files if name.endswith("/LICENSE"))
    assert wheel.read(licence) == (ROOT / "LICENSE").read_bytes()
    assert all(name.startswith("blockwalk_client") for name in files)


def test_the_wheel_needs_requests_alone(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
    metadata = Parser().parsestr(wheel.read(name).decode())
    needed = [each for each in metadata.get_all("Requires-Dist", []) if "extra ==" not in each]
    assert [re.split(r"[<>=]", each)[0] for each in needed] == ["requests"]
    assert metadata["Version"] == blockwalk_client.__version__


def test_the_client_has_the_version_of_the_service_it_is_made_with() -> None:
    service = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert blockwalk_client.__version__ == service
