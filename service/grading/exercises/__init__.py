"""Exercises from a seed: the same seed gives the same exercise on every machine, another seed another one."""

from .ask import ExerciseRequest, exercise
from .exercise import DIFFICULTIES, TOLERANCE, Asked, Exercise, Topic
from .labels import label
from .topics import TOPICS

__all__ = [
    "DIFFICULTIES",
    "TOLERANCE",
    "TOPICS",
    "Asked",
    "Exercise",
    "ExerciseRequest",
    "Topic",
    "exercise",
    "label",
]
