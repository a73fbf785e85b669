"""Many answers to one question, or to several: a file of submissions in, a table of verdicts out.

    {"check": {"trace": {"example": "lecture-05"}, "step": "norm_1.output", "tokens": [0]},
     "submissions": [{"student": "a12", "answer": [["1.171", "0.650", "−0.385", "−1.435"]]}, ...]}

`check` holds what all submissions share, in the fields of `POST /checks`; a submission holds the student, the
answer, and whatever is its own. A question is worked out once, however many answer it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TextIO

from ..engine import merge_patch
from ..engine.reading import as_list, as_object, as_string, escape
from ..errors import BlockwalkError, Fault, MissingValue
from .check import Check
from .judging import judge
from .question import Question, question

COLUMNS = ("student", "score", "diagnosis")
REMEMBERED = 16
"""How many questions are kept worked out; students' own carried numbers make one for each."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take a cell for a formula by."""

Ask = Callable[[Check, str], Question]


@dataclass(frozen=True, slots=True)
class Graded:
    """One row: the fraction right and the first diagnosis, or the faults for which it could not be judged."""

    student: str
    score: float | None
    diagnosis: str
    faults: tuple[Fault, ...] = ()

    def cells(self) -> tuple[str, str, str]:
        """The row as text; a student's name is never a formula."""
        student = f"'{self.student}" if self.student.startswith(FORMULA) else self.student
        return student, "" if self.score is None else f"{self.score:.4g}", self.diagnosis


def grade(data: Any) -> Iterator[Graded]:
    """Judge every submission of a file, one row each, in order.

    Raises `InvalidRequest` where the file itself is wrong; a submission that is, is a row with its faults.
    """
    known = as_object(data, "", ("check", "submissions"))
    if "submissions" not in known:
        raise MissingValue("submissions are missing", pointer="/submissions", expected="an array")
    shared = known.get("check") or {}
    as_object(shared, "/check", tuple(shared))
    submissions = as_list(known["submissions"], "/submissions")
    students = [student_of(each, f"/submissions/{i}") for i, each in enumerate(submissions)]
    ask = remembering()
    return (
        graded(student, merge_patch(shared, of_its_own(each)), f"/submissions/{i}", ask)
        for i, (student, each) in enumerate(zip(students, submissions, strict=True))
    )


def write_csv(rows: Iterable[Graded], file: TextIO) -> list[Graded]:
    """Write the rows under their headings as they come; return those that could not be judged."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    refused = []
    for row in rows:
        writer.writerow(row.cells())
        if row.faults:
            refused.append(row)
    return refused


# -- inside ---------------------------------------------------------------------------------------


def student_of(submission: Any, pointer: str) -> str:
    as_object(submission, pointer, tuple(submission) if isinstance(submission, Mapping) else ())
    if "student" not in submission:
        raise MissingValue("student is missing", pointer=f"{pointer}/student", expected="a string")
    student: str = as_string(submission["student"], f"{pointer}/{escape('student')}")
    return student


def of_its_own(submission: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in submission.items() if name != "student"}


def graded(student: str, data: Any, pointer: str, ask: Ask) -> Graded:
    try:
        asked = Check.from_data(data)
        verdict = judge(ask(asked, key_of(data)), asked)
    except BlockwalkError as error:
        return Graded(student, None, "", error.under(pointer).faults)
    found = verdict.diagnoses
    return Graded(student, verdict.score, found[0].name if found else "")


def key_of(data: Mapping[str, Any]) -> str:
    """What makes two submissions answers to one question: all but the answer and how it is judged."""
    return json.dumps([data.get(name) for name in ("trace", "step", "tokens", "jacobian", "carried")])


def remembering() -> Ask:
    """Ask each question once."""
    asked: dict[str, Check] = {}

    @lru_cache(maxsize=REMEMBERED)
    def worked(key: str) -> Question:
        return question(asked.pop(key))

    def ask(check: Check, key: str) -> Question:
        asked[key] = check
        return worked(key)

    return ask
