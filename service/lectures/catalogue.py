"""All lectures: those that come with the service, those of extra folders, and those that cannot be served."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Self

from .. import engine
from ..errors import Fault, NotFound
from .loading import FILE, Problem, load
from .model import Lecture, State
from .run import Run, changed_run, own_run
from .showing import all_names


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A lecture that is not served, and everything that is wrong with it."""

    id: str
    problems: tuple[Problem, ...]


def counted(n: int, noun: str) -> str:
    """`1 problem`, `2 problems`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


class NotServed(NotFound):
    """A lecture that exists but is broken; the faults are what keeps it from being served."""

    def __init__(self, broken: Unavailable, exists: Iterable[str]) -> None:
        super().__init__("lecture", broken.id, exists)
        self.args = (f"lecture {broken.id!r} cannot be served: {counted(len(broken.problems), 'problem')}",)
        self.faults = tuple(Fault(str(problem)) for problem in broken.problems)


class Catalogue:
    """The lectures by id, made once when the service starts; numbers are computed when first asked for."""

    def __init__(
        self, lectures: Mapping[str, Lecture], unavailable: Iterable[Unavailable] = (), version: str = ""
    ) -> None:
        self.lectures = dict(lectures)
        self.unavailable = tuple(unavailable)
        self.version = version
        """A digest of the extra folders: what they say may change while the service's version does not."""
        self.own = lru_cache(maxsize=None)(self._own)

    @classmethod
    def load(cls, extra: Iterable[str | Path] = ()) -> Self:
        """The shipped lectures and those of extra folders; a broken one stops no other."""
        lectures: dict[str, Lecture] = {}
        unavailable: list[Unavailable] = []
        digest = hashlib.blake2b(digest_size=16)
        for folder in (*shipped(), *(each for place in extra for each in found(Path(place)))):
            if isinstance(folder, Problem):
                unavailable.append(Unavailable(folder.file, (folder,)))
            elif folder.name in lectures:
                problem = Problem(
                    f"{folder.name}/{FILE}", 1, "", f"there is a lecture {folder.name!r} already"
                )
                unavailable.append(Unavailable(folder.name, (problem,)))
            else:
                lecture, problems = readable(folder)
                if lecture is None:
                    unavailable.append(Unavailable(folder.name, tuple(problems)))
                else:
                    lectures[lecture.id] = lecture
                    digest.update(spelled_out(folder))
        return cls(lectures, unavailable, digest.hexdigest())

    # -- finding ----------------------------------------------------------------------------------

    def lecture(self, lecture_id: str) -> Lecture:
        """Raises `NotFound` naming the lectures that exist."""
        if lecture_id in self.lectures:
            return self.lectures[lecture_id]
        for each in self.unavailable:
            if each.id == lecture_id:
                raise NotServed(each, self.lectures)
        raise NotFound("lecture", lecture_id, self.lectures)

    def state(self, lecture_id: str, state_id: str) -> tuple[Lecture, State]:
        """Raises `NotFound` naming the lectures, or the lecture's states, that exist."""
        lecture = self.lecture(lecture_id)
        if state_id not in lecture.states:
            raise NotFound(f"state of lecture {lecture_id}", state_id, lecture.page_order)
        return lecture, lecture.states[state_id]

    # -- running ----------------------------------------------------------------------------------

    def _own(self, lecture_id: str) -> Run:
        lecture = self.lecture(lecture_id)
        return own_run(lecture, all_names(lecture))

    def changed(
        self, lecture: Lecture, state: State, patch: Any, budget: engine.Budget = engine.UNLIMITED
    ) -> Run:
        """The numbers of one state after a merge patch of the lecture's trace request.

        Raises `InvalidRequest` and its kinds; `Vanished` among them names the row that no longer exists.
        """
        return changed_run(lecture, self.own(lecture.id), state.id, patch, budget=budget)


def shipped() -> list[Traversable]:
    """The folders of the lectures that come with the service, in order of their ids."""
    content = files(__package__) / "content"
    return sorted((each for each in content.iterdir() if each.is_dir()), key=lambda each: each.name)


def readable(folder: Traversable) -> tuple[Lecture | None, list[Problem]]:
    """The lecture of a folder, also where the folder itself cannot be read."""
    try:
        return load(folder)
    except OSError as error:
        return None, [Problem(folder.name, 1, "", f"cannot be read: {error.strerror}")]


def spelled_out(folder: Traversable) -> bytes:
    """Every TOML file of a folder, with its name."""
    files = sorted(
        (each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name
    )
    return b"".join(each.name.encode() + b"\0" + each.read_bytes() + b"\0" for each in files)


def found(place: Path) -> list[Path | Problem]:
    """The lecture folders of a place: itself, if it is one, or those within it that are."""
    try:
        if (place / FILE).is_file():
            return [place.resolve()]
        inner = sorted(each for each in place.iterdir() if (each / FILE).is_file())
    except OSError as error:
        return [Problem(place.name, 1, "", f"cannot be read: {error.strerror}")]
    return [*inner] or [Problem(place.name, 1, "", f"holds no folder with a {FILE}")]
