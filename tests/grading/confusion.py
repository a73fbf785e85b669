"""The confusion matrix: which mistake is diagnosed when each of them is made, over random blocks.

    python -m tests.grading.confusion    writes tests/grading/confusion.csv anew

A row is a mistake made, a column one diagnosed; `runs` counts the blocks in which it changes the answer.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path

import numpy as np

from service import engine
from service.engine.ops import Array
from service.grading import CATALOGUE, Check, judge, question
from service.grading.answers import Tolerance
from service.grading.derived import Derivative, Derived
from service.grading.problem import Problem, merged, quiet
from tests.grading.blocks import SEEDS, VARIANTS, random_block

ARTEFACT = Path(__file__).parent / "confusion.csv"
EXACT = Tolerance(absolute=1e-9, relative=1e-9)
QUESTIONS = (
    Derivative("x", 0, 0),
    Derivative("x", 0, 0, ("attention.output",)),
)
NOTHING = np.empty(0)
Made = tuple[str, list[str]]
"""A mistake made, and those diagnosed."""


def output(request: engine.TraceRequest) -> str:
    return engine.plan(request).graph.output


def wrong(request: engine.TraceRequest, step: str) -> Iterator[tuple[str, Array]]:
    """Each mistake that can be made in the block, everywhere at once, and what comes out."""
    problem = Problem(request, step)
    for name, each in CATALOGUE.items():
        other = each.instead(problem)
        if other is not None:
            yield name, other.right
        changes = merged(each.places(problem))
        values = problem.work(changes) if changes else None
        if values is not None:
            yield name, values[step]


def wrong_derivatives(request: engine.TraceRequest, step: str, by: Derivative) -> Iterator[tuple[str, Array]]:
    """Each mistake about derivatives, and the matrix that comes out."""
    derived = Derived(request, step, by)
    for name, each in CATALOGUE.items():
        matrix = each.derived(derived)
        if matrix is not None:
            yield name, matrix


def runs(variant: str, seed: int) -> Iterator[Made]:
    """What is diagnosed for each mistake that shows in the answer."""
    request = random_block(variant, seed)
    step = output(request)
    with quiet():
        yield from verdicts(Check(request, step, NOTHING), wrong(request, step))
        for by in QUESTIONS if "batch" not in engine.plan(request).axes(step) else ():
            asked = Check(request, step, NOTHING, jacobian=by)
            yield from verdicts(asked, wrong_derivatives(request, step, by))


def verdicts(asked: Check, answers: Iterable[tuple[str, Array]]) -> Iterator[Made]:
    """One question, worked out once and answered with every mistake."""
    worked = question(asked)
    for name, answer in answers:
        verdict = judge(worked, replace(asked, answer=answer, tolerance=EXACT))
        if not verdict.correct:
            yield name, [each.name for each in verdict.diagnoses]


def matrix() -> str:
    """The whole matrix as CSV."""
    counts = {name: dict.fromkeys(("runs", *CATALOGUE), 0) for name in CATALOGUE}
    for variant, seed in product(VARIANTS, SEEDS):
        for made, found in runs(variant, seed):
            counts[made]["runs"] += 1
            for name in found:
                counts[made][name] = counts[made].get(name, 0) + 1
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["made", "runs", *CATALOGUE])
    for made, row in counts.items():
        writer.writerow([made, *(count or "" for count in row.values())])
    return text.getvalue()


if __name__ == "__main__":
    ARTEFACT.write_text(matrix())
    sys.stdout.write(f"wrote {ARTEFACT}\n")
