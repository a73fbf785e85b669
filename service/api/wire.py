"""What the engine returns -> what the wire carries, arrays still arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import engine
from ..engine.execute import described

UNKNOWN = np.empty(0)


def tensor(step: Any) -> dict[str, Any]:
    """One named value: how it came about, and what it is."""
    return {
        "name": step.name,
        "symbol": step.symbol,
        "axes": step.axes,
        "shape": step.shape,
        "dtype": step.dtype,
        "op": step.op,
        "inputs": step.inputs,
        "latex": step.latex,
        "value": step.value,
    }


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
    return {
        "name": step.name,
        "symbol": step.symbol,
        "axes": step.axes,
        "shape": of.shapes[name],
        "op": step.op,
        "inputs": step.inputs,
        "latex": step.latex,
    }


def example(of: engine.examples.Example) -> dict[str, Any]:
    return {"name": of.name, "title": dict(of.title), "provenance": of.provenance}
