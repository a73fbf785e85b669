"""The README's code runs as it stands, in order, and prints what stands under it."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
README = ROOT / "clients" / "python" / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [README, ROOT / "README.md"], ids=["client", "service"])
def test_every_code_block_prints_what_the_readme_says(base_url: str, page: Path) -> None:
    blocks = BLOCK.findall(page.read_text())
    assert blocks
    names: dict[str, Any] = {}
    for code, expected in blocks:
        needed = re.findall(r"^# needs: (\w+)$", code, re.MULTILINE)
        if all(importlib.util.find_spec(name) for name in needed):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(code.replace("http://127.0.0.1:8000", base_url), names)
            assert printed.getvalue() == expected, code


def test_the_first_call_needs_no_numpy(base_url: str) -> None:
    code, expected = BLOCK.findall(README.read_text())[0]
    program = f"import sys\nsys.modules['numpy'] = None\n{code.replace('http://127.0.0.1:8000', base_url)}"
    environment = {"PYTHONPATH": str(README.parent / "src")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == expected
