"""For those who write lectures: check folders, and begin a new one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from .catalogue import Catalogue, shipped
from .loading import FILE, Problem
from .schema import NAME

STARTING, PLACEHOLDER = "starting.toml", "LECTURE"


class CannotStart(Exception):
    """A new lecture cannot be begun here; the text says why."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one lecture: how many states it has, or everything that is wrong with it."""

    id: str
    n_states: int
    problems: tuple[Problem, ...]


def check(places: Iterable[str | Path], *, all_lectures: bool = False) -> list[Verdict]:
    """Check the lectures of these folders; with `all_lectures` those that come with the service too."""
    catalogue = Catalogue.load(places)
    own = set() if all_lectures else {folder.name for folder in shipped()}
    served = [each for each in catalogue.lectures.values() if each.id not in own]
    sound = [Verdict(each.id, len(each.states), ()) for each in served]
    return [*sound, *(Verdict(each.id, 0, each.problems) for each in catalogue.unavailable)]


def start(lecture_id: str, into: Path) -> Path:
    """Write a commented lecture that passes the check; returns its file. Raises `CannotStart`."""
    if not NAME.fullmatch(lecture_id):
        raise CannotStart(f"{lecture_id!r} is no id: letters, digits, - and _, beginning with a letter")
    folder = into / lecture_id
    if lecture_id in {each.name for each in shipped()}:
        raise CannotStart(f"there is a lecture {lecture_id!r} already; it comes with the service")
    try:
        folder.mkdir(parents=True)
        text = (files(__package__) / STARTING).read_text(encoding="utf-8")
        (folder / FILE).write_text(text.replace(PLACEHOLDER, lecture_id), encoding="utf-8")
    except FileExistsError:
        raise CannotStart(f"{folder} is there already") from None
    except OSError as error:
        raise CannotStart(f"{folder} cannot be written: {error.strerror}") from None
    return folder / FILE
