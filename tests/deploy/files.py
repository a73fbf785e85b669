"""What the tests of the deployment's files share."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.api.rates import ELEMENTS, MULTIPLY_ADDS
from service.settings import PREFIX, Settings

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
DOCKERFILE = (ROOT / "Dockerfile").read_text()
IMAGE = dict(re.findall(r"(BLOCKWALK_[A-Z_]+)=(\S+)", DOCKERFILE.partition("ENTRYPOINT")[0]))
SERVICE_LIMIT_UNITS = Settings().max_multiply_adds // MULTIPLY_ADDS + Settings().max_elements // ELEMENTS


def documents(path: Path) -> list[dict[str, Any]]:
    """Every YAML document of a file."""
    return [each for each in yaml.safe_load_all(path.read_text()) if each]


def settings_from(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """What the service makes of an environment on top of the image's own."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    for name, value in (IMAGE | environment).items():
        monkeypatch.setenv(name, value)
    return Settings.from_environment()
