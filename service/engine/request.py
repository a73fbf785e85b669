"""What a trace is asked for: the block, its numbers, its inputs, the what-ifs, and what to keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from ..errors import Misread
from . import examples
from .config import BlockConfig
from .interventions import Intervention, indices_from_data
from .ops import Array
from .reading import as_count, as_flag, as_list, as_object, as_string, as_tensor, escape, kind_of

FIELDS = (
    "block",
    "parameters",
    "seed",
    "x",
    "memory",
    "interventions",
    "select",
    "tokens",
    "include_parameters",
)
MAX_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True, eq=False)
class TraceRequest:
    """One trace, checked as far as it can be without building the graph.

    `x` is [token, d_model] or [batch, token, d_model], `memory` likewise. `select` None keeps every step that
    the output rests on. `provenance` is that of the example the request started from.
    """

    block: BlockConfig = field(default_factory=BlockConfig)
    parameters: Mapping[str, Array] = field(default_factory=dict)
    seed: int | None = None
    x: Array | None = None
    memory: Array | None = None
    interventions: tuple[Intervention, ...] = ()
    select: tuple[str, ...] | None = None
    tokens: tuple[int, ...] | None = None
    include_parameters: bool = False
    provenance: str = "user"

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Read a trace request as in the wire contract; arrays may be ndarrays already.

        Raises `InvalidRequest` with a pointer relative to the request.
        """
        as_object(data, "", ("example", *FIELDS))
        merged, provenance = examples.expand(data)
        values = {name: value for name, value in merged.items() if value is not None}
        read: dict[str, Any] = {"provenance": provenance}
        if "block" in values:
            read["block"] = BlockConfig.from_data(values["block"])
        if "parameters" in values:
            read["parameters"] = parameters_from_data(values["parameters"])
        if "seed" in values:
            read["seed"] = seed_from_data(values["seed"])
        for name in ("x", "memory"):
            if name in values:
                read[name] = as_tensor(values[name], f"/{name}", ranks=(2, 3))
        if "interventions" in values:
            listed = as_list(values["interventions"], "/interventions")
            read["interventions"] = tuple(
                Intervention.from_data(each, f"/interventions/{i}") for i, each in enumerate(listed)
            )
        if "select" in values:
            listed = as_list(values["select"], "/select")
            read["select"] = tuple(as_string(each, f"/select/{i}") for i, each in enumerate(listed))
        if "tokens" in values:
            read["tokens"] = indices_from_data(values["tokens"], "/tokens")
        if "include_parameters" in values:
            read["include_parameters"] = as_flag(values["include_parameters"], "/include_parameters")
        return cls(**read)


def seed_from_data(value: Any) -> int:
    seed = as_count(value, "/seed", least=0)
    if seed > MAX_SEED:
        raise Misread("is too large", pointer="/seed", expected=f"<= {MAX_SEED}", got=seed)
    return seed


def parameters_from_data(value: Any) -> dict[str, Array]:
    """A map from parameter name to array; whether the block has such a parameter is the plan's to say."""
    if not isinstance(value, Mapping):
        raise Misread(
            "should map parameter names to arrays",
            pointer="/parameters",
            expected="object",
            got=kind_of(value),
        )
    return {
        name: as_tensor(array, f"/parameters/{escape(name)}", ranks=(1, 2)) for name, array in value.items()
    }
