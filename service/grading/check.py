"""One check: read it, judge every element, and where some are wrong, look for the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from ..engine import TraceRequest
from ..engine.block import wire
from ..engine.graph import Graph
from ..engine.interventions import indices_from_data
from ..engine.ops import Array
from ..engine.reading import as_flag, as_object, as_string, escape
from ..errors import BlockwalkError, InvalidRequest, Misread, MissingValue, UnknownName
from .answers import Tolerance, read_numbers
from .derived import Derivative

FIELDS = ("trace", "step", "tokens", "jacobian", "answer", "tolerance", "carried", "reveal")
REQUIRED = ("trace", "step", "answer")


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """A student's answer for one step of one trace.

    `answer` has the shape of the step, cut to the rows of `tokens`. `carried` are the student's own values of
    earlier steps, cut alike; the step is then judged on them. With `jacobian` the answer is the matrix of the
    step's derivatives.
    """

    trace: TraceRequest
    step: str
    answer: Array
    tokens: tuple[int, ...] | None = None
    jacobian: Derivative | None = None
    tolerance: Tolerance = field(default_factory=Tolerance)
    carried: Mapping[str, Array] | None = None
    reveal: bool = False

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Read a check as in the wire contract. Raises `InvalidRequest` with a pointer into it."""
        known = as_object(data, "", FIELDS)
        values = {name: value for name, value in known.items() if value is not None}
        for name in REQUIRED:
            if name not in values:
                raise MissingValue(f"{name} is missing", pointer=f"/{name}", expected=name)
        request = read_trace(values["trace"])
        graph = wire(request.block, request.seed)
        read: dict[str, Any] = {
            "trace": request,
            "step": step_name(graph, values["step"], "/step"),
            "answer": read_numbers(values["answer"], "/answer"),
            "tokens": request.tokens,
        }
        if "tokens" in values:
            read["tokens"] = indices_from_data(values["tokens"], "/tokens")
        if "jacobian" in values:
            read["jacobian"] = Derivative.from_data(values["jacobian"], "/jacobian")
        if "tolerance" in values:
            read["tolerance"] = Tolerance.from_data(values["tolerance"], "/tolerance")
        if "reveal" in values:
            read["reveal"] = as_flag(values["reveal"], "/reveal")
        if "carried" in values:
            read["carried"] = carried_from_data(graph, values["carried"], read["step"])
        return cls(**read)


# -- inside ---------------------------------------------------------------------------------------


def read_trace(data: Any) -> TraceRequest:
    """The trace of a check, pointers re-rooted; what it selects is the check's to say."""
    try:
        request = data if isinstance(data, TraceRequest) else TraceRequest.from_data(data)
    except BlockwalkError as error:
        raise error.under("/trace") from None
    return replace(request, select=None, include_parameters=False)


def step_name(graph: Graph, called: Any, pointer: str) -> str:
    """The graph's own name of a step; `output` is the block's last one."""
    name: str = as_string(called, pointer)
    if name == "output":
        return graph.output
    if name not in graph.names():
        raise UnknownName("step", name, graph.names(), pointer=pointer)
    return name


def carried_from_data(graph: Graph, data: Any, asked: str) -> dict[str, Array]:
    """The student's own earlier values by step; what is no earlier step is refused."""
    if not isinstance(data, Mapping):
        raise Misread("should map steps to values", pointer="/carried", expected="object")
    carried = {}
    for key, value in data.items():
        pointer = f"/carried/{escape(key)}"
        name = step_name(graph, key, pointer)
        if name == asked:
            raise InvalidRequest(
                f"{name} is the step asked for; earlier ones carry",
                pointer=pointer,
                expected="an earlier step",
            )
        carried[name] = read_numbers(value, pointer)
    return carried
