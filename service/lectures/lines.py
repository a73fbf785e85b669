"""Where in a TOML file a key stands, so that an error can name its line; `tomllib` keeps no places."""

from __future__ import annotations

import re
from collections.abc import Iterator

Key = tuple[str | int, ...]

BARE = r"[A-Za-z0-9_-]+"
PART = rf"(?:{BARE}|\"[^\"\n]*\"|'[^'\n]*')"
DOTTED = rf"{PART}(?:\s*\.\s*{PART})*"
HEADER = re.compile(rf"\s*(\[\[?)\s*({DOTTED})\s*\]\]?\s*(?:#.*)?$")
ASSIGNMENT = re.compile(rf"\s*({DOTTED})\s*=")
PIECES = re.compile(PART)
TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]|\n', re.DOTALL
)


class Lines:
    """Key path -> line, counted from one. Made for text that `tomllib` has accepted."""

    def __init__(self, text: str) -> None:
        self.known: dict[Key, int] = {}
        counts: dict[Key, int] = {}
        table: Key = ()
        for number, line in statements(text):
            if header := HEADER.match(line):
                table = entered(split(header[2]), counts)
                if header[1] == "[[":
                    counts[table] = counts.get(table, -1) + 1
                    table = (*table, counts[table])
                self.note(table, number)
            elif assignment := ASSIGNMENT.match(line):
                self.note((*table, *split(assignment[1])), number)

    def note(self, key: Key, number: int) -> None:
        for length in range(1, len(key) + 1):
            self.known.setdefault(key[:length], number)

    def line(self, key: Key) -> int:
        """The line of this key, or of the nearest table around it; 1 where none of it is written."""
        while key and key not in self.known:
            key = key[:-1]
        return self.known.get(key, 1)


def entered(path: Key, counts: dict[Key, int]) -> Key:
    """A header's path with the index of the latest element wherever it enters an array of tables."""
    full: Key = ()
    for i, part in enumerate(path):
        full = (*full, part)
        if full in counts and i < len(path) - 1:
            full = (*full, counts[full])
    return full


def split(dotted: str) -> Key:
    return tuple(part.strip("\"'") for part in PIECES.findall(dotted))


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Each line on which a statement begins, with its number; lines inside a longer value are passed over."""
    number, depth, start, first = 1, 0, 0, 1
    for token in TOKEN.finditer(text + "\n"):
        match token[0]:
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
            case "\n":
                number += 1
                if depth <= 0:
                    line = text[start : token.start()].partition("\n")[0]
                    if line.strip() and not line.lstrip().startswith("#"):
                        yield first, line
                    start, first, depth = token.end(), number, 0
            case several:
                number += several.count("\n")


def spelled(key: Key) -> str:
    """A key path as one writes it: `sections.details.parts[0].text.zh`."""
    written = ""
    for part in key:
        written += f"[{part}]" if isinstance(part, int) else f".{part}" if written else part
    return written
