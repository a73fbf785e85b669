"""Grading: is the student's number right, and if not, why.

Reads the engine alone; see README.md in this folder.
"""

from .answers import MAX_LENGTH, Tolerance, read_numbers, typed_number
from .check import Check, Verdict, check, cut
from .diagnosis import Diagnosis, diagnose
from .exercises import DIFFICULTIES, TOPICS, Asked, Exercise, ExerciseRequest, exercise, label
from .misconceptions import CATALOGUE, LANGUAGES, Lang, Misconception
from .problem import Problem

__all__ = [
    "CATALOGUE",
    "DIFFICULTIES",
    "LANGUAGES",
    "MAX_LENGTH",
    "TOPICS",
    "Asked",
    "Check",
    "Diagnosis",
    "Exercise",
    "ExerciseRequest",
    "Lang",
    "Misconception",
    "Problem",
    "Tolerance",
    "Verdict",
    "check",
    "cut",
    "diagnose",
    "exercise",
    "label",
    "read_numbers",
    "typed_number",
]
