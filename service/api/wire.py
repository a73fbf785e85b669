"""What the engine returns -> what the wire carries, arrays still arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import engine, grading
from ..engine.execute import described

UNKNOWN = np.empty(0)


OUTLINE = ("name", "symbol", "axes", "shape", "op", "inputs", "latex")
TENSOR = ("name", "symbol", "axes", "shape", "dtype", "op", "inputs", "latex", "value")


def tensor(step: engine.TracedStep) -> dict[str, Any]:
    """One named value: how it came about, and what it is."""
    return {each: getattr(step, each) for each in TENSOR}


def trace(of: engine.Trace) -> dict[str, Any]:
    return {
        "block": of.block,
        "output": of.output,
        "provenance": of.provenance,
        "steps": [tensor(step) for step in of.steps],
        "interventions": of.interventions,
        "warnings": of.warnings,
        "conventions": of.conventions,
        "engine": engine.VERSION,
    }


def plan(of: engine.Plan) -> dict[str, Any]:
    """The steps in order, what is given first, as in the trace that would follow."""
    return {
        "block": engine.Trace(of, {}).block,
        "output": of.graph.output,
        "provenance": of.request.provenance,
        "steps": [planned(of, name) for name in of.graph.names() if name in of.shapes],
        "estimate": of.estimate.to_data(),
        "warnings": of.warnings,
        "conventions": engine.CONVENTIONS,
        "engine": engine.VERSION,
    }


def planned(of: engine.Plan, name: str) -> dict[str, Any]:
    """One step before it has a value."""
    step = described(of, name, UNKNOWN)
    return {each: getattr(step, each) for each in OUTLINE} | {"shape": of.shapes[name]}


def example(of: engine.examples.Example) -> dict[str, Any]:
    return {"name": of.name, "title": dict(of.title), "provenance": of.provenance}


def comparison(of: engine.Comparison) -> dict[str, Any]:
    return {
        "base": {"block": of.base.block, "output": of.base.output, "provenance": of.base.provenance},
        "variants": {name: variant(each) for name, each in of.variants.items()},
        "engine": engine.VERSION,
    }


def variant(of: engine.Variant) -> dict[str, Any]:
    return {
        "block": of.block,
        "output": of.output,
        "first_difference": of.first_difference,
        "steps": [difference(each) for each in of.steps],
        "only_in_base": of.only_in_base,
        "only_in_variant": of.only_in_variant,
        "warnings": of.warnings,
    }


def difference(of: engine.StepDifference) -> dict[str, Any]:
    """One common step, with both values where it is selected."""
    found: dict[str, Any] = {"name": of.name, "max_abs_difference": of.max_abs_difference}
    if of.base is not None and of.variant is not None:
        found |= {"base": tensor(of.base), "variant": tensor(of.variant)}
    return found


def gradients(of: str, found: list[engine.TracedStep]) -> dict[str, Any]:
    return {"of": found[0].inputs[0] if found else of, "gradients": [tensor(each) for each in found]}


def jacobian(of: engine.Jacobian) -> dict[str, Any]:
    return {
        "of": of.of,
        "wrt": of.wrt,
        "matrix": tensor(of.matrix),
        "finite_difference": {"step": of.step, "max_abs_error": of.max_abs_error},
        "warnings": of.warnings,
    }


def misconception(of: grading.Misconception, lang: grading.Lang) -> dict[str, Any]:
    said = of.explanation(lang)
    return {
        "name": of.name,
        "done": said.done,
        "right": said.right,
        "why": said.why,
        "explanation": said.text(lang),
        "equivalents": [
            {"name": name, "reason": each.reason(lang)}
            for each in grading.EQUIVALENCES
            if of.name in each.names
            for name in each.names - {of.name}
        ],
    }


def verdict(of: grading.Verdict, lang: grading.Lang) -> dict[str, Any]:
    return {
        "correct": of.correct,
        "score": of.score,
        "elements": of.right.tolist(),
        "expected": of.expected if of.check.reveal else None,
        "diagnoses": [diagnosis(each, lang) for each in of.diagnoses],
    }


def diagnosis(of: grading.Diagnosis, lang: grading.Lang) -> dict[str, Any]:
    return {
        "misconception": of.name,
        "misconceptions": [each.name for each in of.made],
        "explanation": of.explanation(lang),
        "steps": of.steps,
        "distance": of.distance,
    }


def exercise(of: grading.Exercise, lang: grading.Lang) -> dict[str, Any]:
    return {
        "topic": of.topic.name,
        "seed": of.seed,
        "difficulty": of.difficulty,
        "lang": lang,
        "title": of.topic.title[lang],
        "statement": of.statement[lang],
        "given": of.given,
        "asked": [asked(each, lang) for each in of.asked],
        "check": of.asked[-1].check,
        "working": of.working,
    }


def asked(of: grading.Asked, lang: grading.Lang) -> dict[str, Any]:
    return {
        "step": of.question.step,
        "label": grading.label(of, lang),
        "symbol": of.symbol,
        "axes": of.axes,
        "shape": of.answer.shape,
        "tokens": None if of.question.jacobian else of.question.tokens,
        "check": of.check,
    }
