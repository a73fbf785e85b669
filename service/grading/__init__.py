"""Grading: is the student's number right, and if not, why.

Reads the engine alone; see README.md in this folder.
"""

from .answers import MAX_LENGTH, Tolerance, read_numbers, typed_number
from .check import Check, Verdict, check
from .diagnosis import Diagnosis, diagnose
from .misconceptions import CATALOGUE, Lang, Misconception
from .problem import Problem

__all__ = [
    "CATALOGUE",
    "MAX_LENGTH",
    "Check",
    "Diagnosis",
    "Lang",
    "Misconception",
    "Problem",
    "Tolerance",
    "Verdict",
    "check",
    "diagnose",
    "read_numbers",
    "typed_number",
]
