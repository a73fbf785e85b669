"""What an exercise is asked for by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from ...engine.reading import as_choice, as_count, as_object
from ...engine.request import seed_from_data
from ...errors import InvalidRequest, MissingValue
from ..misconceptions import LANGUAGES, Lang
from . import topics
from .exercise import DIFFICULTIES, Exercise, made

FIELDS = ("topic", "seed", "difficulty", "lang")


@dataclass(frozen=True, slots=True)
class ExerciseRequest:
    """A topic, a seed and a difficulty make one exercise; `lang` says how it is told, not what it is."""

    topic: str
    seed: int
    difficulty: int = DIFFICULTIES[0]
    lang: Lang | None = None

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Read a request as in the wire contract. Raises `InvalidRequest` with a pointer into it."""
        known = as_object(data, "", FIELDS)
        values = {name: value for name, value in known.items() if value is not None}
        for name in ("topic", "seed"):
            if name not in values:
                raise MissingValue(f"{name} is missing", pointer=f"/{name}", expected=name)
        read = {
            "topic": as_choice(values["topic"], "/topic", tuple(topics.TOPICS)),
            "seed": seed_from_data(values["seed"]),
        }
        if "difficulty" in values:
            read["difficulty"] = difficulty_from_data(values["difficulty"])
        if "lang" in values:
            read["lang"] = as_choice(values["lang"], "/lang", LANGUAGES)
        return cls(**read)


def difficulty_from_data(value: Any) -> int:
    difficulty = as_count(value, "/difficulty")
    if difficulty not in DIFFICULTIES:
        raise InvalidRequest(
            "there is no such difficulty",
            pointer="/difficulty",
            expected=list(DIFFICULTIES),
            got=difficulty,
        )
    return difficulty


def exercise(asked: ExerciseRequest) -> Exercise:
    """Make the exercise: the same for the same topic, seed and difficulty, on every machine."""
    return made(topics.TOPICS[asked.topic], asked.seed, asked.difficulty)
