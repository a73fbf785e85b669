"""Keys of a TOML file and the lines they stand on."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from service.lectures.lines import Key, Lines, spelled

TEXT = '''# a comment with [brackets]
title = "a"
text.zh = """
[not.a.table]
key = "inside a string"
"""
text.en = \'\'\'
also = "inside"\'\'\'
listed = [
    "one", # ]
    { two = 2 },
]

[rows.x] # a table
step = "x"
"quoted key" = 1

[[parts]]
text = "first"
[[parts.points]]
zh = "a"
[[parts]]
text = "second"
[[parts.points]]
zh = "b"
[[parts.points]]
zh = "c"
[parts.inner]
deep = true
'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("title",), 2),
        (("text",), 3),
        (("text", "zh"), 3),
        (("text", "en"), 7),
        (("listed",), 9),
        (("listed", 1, "two"), 9),
        (("rows", "x"), 14),
        (("rows", "x", "step"), 15),
        (("rows", "x", "quoted key"), 16),
        (("rows", "x", "missing"), 14),
        (("parts",), 18),
        (("parts", 0, "text"), 19),
        (("parts", 0, "points", 0, "zh"), 21),
        (("parts", 1, "text"), 23),
        (("parts", 1, "points", 0, "zh"), 25),
        (("parts", 1, "points", 1, "zh"), 27),
        (("parts", 1, "inner", "deep"), 29),
        (("nowhere",), 1),
    ],
)
def test_a_key_is_found_on_its_line_or_on_that_of_the_table_around_it(key: Key, line: int) -> None:
    assert Lines(TEXT).line(key) == line


def leaves(value: Any, key: Key = ()) -> list[Key]:
    if isinstance(value, dict):
        return [leaf for name, inner in value.items() for leaf in leaves(inner, (*key, name))]
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [leaf for i, inner in enumerate(value) for leaf in leaves(inner, (*key, i))]
    return [key]


FILES = sorted(Path("service/lectures").rglob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=str)
def test_every_key_of_a_shipped_file_stands_on_the_line_that_is_named(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    lines, written = Lines(text), text.splitlines()
    keys = leaves(tomllib.loads(text))
    assert keys
    for key in keys:
        if key in lines.known:  # keys of inline tables stand on the line of their table
            name = str(next(part for part in reversed(key) if isinstance(part, str)))
            assert name in written[lines.line(key) - 1], spelled(key)


def test_a_key_is_spelled_as_one_writes_it() -> None:
    assert spelled(("sections", "details", "parts", 0, "text", "zh")) == "sections.details.parts[0].text.zh"
