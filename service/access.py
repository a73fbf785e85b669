"""API keys: who may spend how much. The file holds their hashes alone, so reading it opens nothing.

    [keys.course-tools]
    sha256 = "9f86d0…"
    units = 60000      # cost units a minute; left out: no limit

A key is 32 random bytes, so there is nothing to guess and a plain hash suffices: slow ones are for passwords.
"""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PREFIX = "bw_"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
HASH = re.compile(r"[0-9a-f]{64}")
log = logging.getLogger(__name__)


class KeysError(Exception):
    """The file of keys cannot be read as one; the text is one clear line."""


@dataclass(frozen=True, slots=True)
class Key:
    """One caller that is known by name, and the cost units it may spend a minute; 0 for no limit."""

    name: str
    units: int


def new_key(name: str, units: int) -> tuple[str, str]:
    """A new key, and the entry that lets it in. Raises `KeysError` for a name that may not stand there."""
    if not NAME.fullmatch(name):
        raise KeysError(f"{name!r} is no name like course-tools: small letters, digits and hyphens")
    key = PREFIX + secrets.token_urlsafe(32)
    limit = f"units = {units}\n" if units else ""
    return key, f'[keys.{name}]\nsha256 = "{digest(key)}"\n{limit}'


def digest(key: str) -> str:
    """What the file holds of a key."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def read_keys(path: Path) -> dict[str, Key]:
    """Hash -> key. Raises `KeysError`, which names the file and what is wrong in it."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["keys"]
        found = {
            checked(entry)["sha256"]: Key(name, entry.get("units", 0)) for name, entry in entries.items()
        }
    except KeyError as missing:
        raise KeysError(f"{path}: there is no {missing}") from None
    except OSError as wrong:
        raise KeysError(f"the file of keys {path} cannot be read: {wrong.strerror}") from None
    except (ValueError, AttributeError) as wrong:
        raise KeysError(f"{path}: {wrong}") from None
    if len(found) < len(entries):
        raise KeysError(f"{path}: two names have one hash")
    return found


def checked(entry: Any) -> Any:
    """An entry that is what it should be."""
    units = entry.get("units", 0)
    if entry.keys() - {"sha256", "units"} or type(units) is not int or units < 0:
        raise ValueError("an entry has sha256, and units as a whole number from 0 on, and nothing else")
    if not HASH.fullmatch(str(entry.get("sha256"))):
        raise ValueError("sha256 is 64 small hexadecimal digits")
    return entry


class Keys:
    """The keys of a file that may change while the service runs: a mounted secret, a key taken back."""

    def __init__(self, path: Path) -> None:
        self.path, self.known, self.seen = path, read_keys(path), self.stamp(path)

    @staticmethod
    def stamp(path: Path) -> tuple[int, int, int]:
        state = path.stat()
        return state.st_mtime_ns, state.st_ino, state.st_size

    def find(self, key: str) -> Key | None:
        """Whose key this is, by the file as it stands now; while it cannot be read, as it last stood."""
        try:
            if (stamp := self.stamp(self.path)) != self.seen:
                self.seen = stamp
                self.known = read_keys(self.path)
        except (OSError, KeysError) as wrong:
            log.error("the keys known before hold: %s", wrong)
        return self.known.get(digest(key))
