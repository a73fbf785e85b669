"""Laws of every lecture folder that the service ships."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from service.lectures import Catalogue, pages
from service.lectures.loading import load
from service.lectures.showing import ids

CONTENT = Path("service/lectures/content")
FOLDERS = sorted(each for each in CONTENT.iterdir() if each.is_dir())


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [each for inner in value.values() for each in strings(inner)]
    if isinstance(value, list):
        return [each for inner in value for each in strings(inner)]
    return [value] if isinstance(value, str) else []


def numbers(value: Any, key: str = "") -> list[tuple[str, float]]:
    if isinstance(value, dict):
        return [each for name, inner in value.items() for each in numbers(inner, name)]
    if isinstance(value, list):
        return [each for inner in value for each in numbers(inner, key)]
    return [(key, value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda each: each.name)
def test_a_lecture_is_sound(folder: Path) -> None:
    lecture, problems = load(folder)
    assert not problems
    assert lecture is not None


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda each: each.name)
def test_no_number_of_the_course_is_typed(folder: Path) -> None:
    data = tomllib.loads((folder / "lecture.toml").read_text(encoding="utf-8"))
    assert not [words for words in strings(data) if re.search(r"\d[.,]\d|10⁻", words)]
    choices = {"token", "head", "of_token", "wrt_token", "seed", "set"}
    assert {key for key, _value in numbers(data)} <= choices
    assert all(value in (0, 1) for _key, value in numbers(data))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda each: each.name)
def test_everything_that_is_defined_is_shown_somewhere(folder: Path) -> None:
    lecture, _problems = load(folder)
    assert lecture is not None
    for kind in ("rows", "statistics", "heat_maps", "nodes", "edges", "notes", "formulas"):
        shown = {name for state in lecture.states.values() for name in ids(lecture, state, kind)}
        parts = [part for section in lecture.sections.values() for part in section.parts]
        shown |= {name for part in parts for name in (*part.rows, *part.formulas)}
        shown |= {each.row or "" for each in (lecture.receives, lecture.hands_on) if each is not None}
        assert set(getattr(lecture, kind)) <= shown
    linked = {name for section in lecture.sections.values() for part in section.parts for name in part.links}
    assert set(lecture.links) == linked


@pytest.mark.parametrize("lecture", [each.name for each in FOLDERS])
def test_the_page_is_the_same_in_both_languages_but_for_its_words(catalogue: Catalogue, lecture: str) -> None:
    def skeleton(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: skeleton(inner) for name, inner in value.items()}
        return [skeleton(inner) for inner in value] if isinstance(value, list) else type(value).__name__

    zh, en = (pages.lecture(catalogue, lecture, lang) for lang in ("zh", "en"))
    assert skeleton(zh) == skeleton(en)


@pytest.mark.parametrize("lecture", [each.name for each in FOLDERS])
def test_english_prose_is_english(catalogue: Catalogue, lecture: str) -> None:
    han = re.compile(r"[\u4e00-\u9fff]")
    page = pages.lecture(catalogue, lecture, "en")
    for state in page["page_order"]:
        shown = pages.state(catalogue, lecture, state, "en")
        spoken = [shown["title"], shown["label"], shown["caption"], shown["figure"]["heading"]]
        spoken += [*shown["figure"]["notes"], *(row["label"] for row in shown["figure"]["rows"])]
        assert not [words for words in spoken if han.search(words)]
    for section in page["sections"]:
        for part in section["parts"]:
            assert not [words for words in part["paragraphs"] if han.search(words)]
