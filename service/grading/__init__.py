"""Grading: is the student's number right, and if not, why.

Reads the engine alone; see README.md in this folder.
"""

from .answers import MAX_LENGTH, Tolerance, read_numbers, typed_number
from .check import Check
from .evidence import Diagnosis
from .exercises import DIFFICULTIES, TOPICS, Asked, Exercise, ExerciseRequest, exercise, label
from .judging import Verdict, check, judge
from .misconceptions import CATALOGUE, EQUIVALENCES, LANGUAGES, Lang, Misconception
from .problem import Problem
from .question import cut, question

__all__ = [
    "CATALOGUE",
    "DIFFICULTIES",
    "EQUIVALENCES",
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
    "exercise",
    "judge",
    "label",
    "question",
    "read_numbers",
    "typed_number",
]
