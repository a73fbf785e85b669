"""From a folder to a lecture: `lecture.toml`, and beside it any examples of its own as further TOML files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

from .. import engine
from ..errors import BlockwalkError
from .check import faults, pointed
from .lines import Key, Lines, spelled
from .model import Lecture
from .reading import read_all
from .schema import NAME

FILE = "lecture.toml"
PLACE = re.compile(r"\(at (?:line (\d+), column \d+|end of document)\)")
MOST_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a lecture: in which file, under which key, on which line."""

    file: str
    line: int
    key: str
    detail: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.key + ': ' if self.key else ''}{self.detail}"

    def to_data(self) -> dict[str, Any]:
        return {"file": self.file, "line": self.line, "key": self.key, "detail": self.detail}


def load(folder: Traversable) -> tuple[Lecture | None, list[Problem]]:
    """Read one lecture folder, and say everything that is wrong with it. Its name is the lecture's id."""
    problems: list[Problem] = []
    if not NAME.fullmatch(folder.name):
        detail = "a lecture's folder is named by its id: letters, digits, - and _, beginning with a letter"
        return None, [Problem(folder.name, 1, "", detail)]
    for source in examples(folder):
        problems += register_example(folder, source)
    parsed, text, wrong = parse(folder, folder / FILE)
    if parsed is None:
        return None, [*problems, *wrong]
    lines = Lines(text)

    def problem(key: Key, detail: str) -> Problem:
        return Problem(f"{folder.name}/{FILE}", lines.line(key), spelled(key), detail)

    lecture, faulty = read_all(folder.name, parsed)
    if lecture is not None:
        faulty += faults(lecture)
    problems += sorted((problem(key, detail) for key, detail in faulty), key=lambda each: each.line)
    return (None if problems else lecture), problems


def examples(folder: Traversable) -> list[Traversable]:
    """The example files of a lecture folder: every TOML file but the lecture's own."""
    found = (each for each in folder.iterdir() if each.name.endswith(".toml") and each.name != FILE)
    return sorted(found, key=lambda each: each.name)


def parse(folder: Traversable, source: Traversable) -> tuple[Mapping[str, Any] | None, str, list[Problem]]:
    """The parsed file, its text, and what kept it from being read."""
    name = f"{folder.name}/{source.name}"
    try:
        raw = source.read_bytes()
        if len(raw) > MOST_BYTES:
            return None, "", [Problem(name, 1, "", f"the file is longer than {MOST_BYTES} bytes")]
        text = raw.decode()
        return tomllib.loads(text), text, []
    except FileNotFoundError:
        return None, "", [Problem(name, 1, "", "there is no such file")]
    except OSError as error:
        return None, "", [Problem(name, 1, "", f"cannot be read: {error.strerror}")]
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        return None, "", [Problem(name, line, "", "is not UTF-8")]
    except RecursionError:
        return None, "", [Problem(name, 1, "", "is nested too deeply")]
    except tomllib.TOMLDecodeError as error:
        place = PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else max(1, len(text.splitlines()))
        return None, "", [Problem(name, line, "", f"is not TOML: {PLACE.sub('', str(error)).strip()}")]


def register_example(folder: Traversable, source: Traversable) -> list[Problem]:
    """Make an example of the folder known to the engine, or say why it cannot be."""
    name = f"{folder.name}/{source.name}"
    parsed, text, problems = parse(folder, source)
    if parsed is None:
        return problems
    example, lines = source.name.removesuffix(".toml"), Lines(text)
    try:
        read = engine.examples.read(example, parsed)
        engine.plan(engine.TraceRequest.from_data(read.request))
        engine.examples.register(example, source)
    except BlockwalkError as error:
        keys = [("request", *pointed(fault.pointer)) for fault in error.faults]
        return [
            Problem(name, lines.line(key), spelled(key), fault.detail)
            for key, fault in zip(keys, error.faults, strict=True)
        ]
    except (ValueError, TypeError, AttributeError) as error:
        return [Problem(name, 1, "", str(error))]
    return []
