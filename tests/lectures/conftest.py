"""The lectures that come with the service, and their states as plain data."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from service import engine
from service.lectures import Catalogue, pages

State = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return Catalogue.load()


@pytest.fixture
def state(catalogue: Catalogue) -> State:
    """`state("R44", "b2", "zh")`, and with a merge patch `state("R44", "b2", "zh", {...})`."""

    def find(lecture: str, name: str, lang: str = "zh", patch: Any = None) -> dict[str, Any]:
        if patch is None:
            return deepcopy(pages.state(catalogue, lecture, name, lang))  # tests alter what they got
        return pages.changed_state(catalogue, lecture, name, lang, patch, engine.UNLIMITED)

    return find
