"""A request as bytes: JSON, or a safetensors file where its arrays are large."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from . import safetensors
from .arrays import Packed, shape_of, to_bytes, to_json

JSON = "application/json"
LARGE = 4096
"""Numbers in a request, or in one answer, above which decimals cost more than they are worth."""

INPUTS = ("/x", "/memory")
ARRAYS = re.compile(
    r"/(x|memory|parameters/[^/]+|interventions/[0-9]+/(set|add)|block/(key_padding_keep|mask/(keep|additive)))"
)
"""Where in a trace request an array may stand, as JSON pointers."""


class TraceFields(TypedDict, total=False):
    """What says which block, which numbers and which inputs. Wherever numbers stand, lists, NumPy arrays,
    PyTorch tensors and tensors of an earlier trace will do. None removes what an example has set."""

    example: str | None
    block: Mapping[str, Any] | None
    parameters: Mapping[str, Any] | None
    seed: int | None
    x: Any
    memory: Any
    interventions: Sequence[Mapping[str, Any]] | None
    select: Sequence[str] | None
    tokens: Sequence[int] | None
    include_parameters: bool | None


def encoded(request: Mapping[str, Any], *, binary: bool) -> tuple[bytes, str]:
    """The body, and its media type."""
    if binary:
        tensors: dict[str, Packed] = {}
        rest = without_arrays(request, "", tensors)
        return safetensors.write(tensors, {"request": dumps(rest)}), safetensors.MEDIA_TYPE
    return dumps(request).encode(), JSON


def dumps(data: Any) -> str:
    return json.dumps(to_json(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def is_large(request: Mapping[str, Any]) -> bool:
    """Whether decimals would be slow: many numbers in the request, or in what its `x` makes of the answer."""
    if count(request) > LARGE:
        return True
    shape = shape_of(request.get("x"))
    return len(shape) > 1 and math.prod(shape[:-1]) * (shape[-2] + shape[-1]) > LARGE


def count(part: Any) -> int:
    """How many numbers stand in a request, as far as first elements tell."""
    if isinstance(part, Mapping):
        return sum(count(each) for each in part.values())
    if isinstance(part, list | tuple) and part and isinstance(part[0], Mapping):
        return sum(count(each) for each in part)
    return math.prod(shape_of(part))


def without_arrays(part: Any, pointer: str, tensors: dict[str, Packed]) -> Any:
    """The request without its arrays, which are put into `tensors` under the names that the service knows."""
    if isinstance(part, Mapping):
        rest = {}
        for key, each in part.items():
            place = f"{pointer}/{escaped(key)}"
            packed = to_bytes(each) if ARRAYS.fullmatch(place) and shape_of(each) else None
            if packed is None:
                rest[key] = without_arrays(each, place, tensors)
            else:
                tensors[tensor_name(place, key)] = packed
        return rest
    if isinstance(part, list | tuple) and pointer == "/interventions":
        return [without_arrays(each, f"{pointer}/{i}", tensors) for i, each in enumerate(part)]
    return part


def tensor_name(pointer: str, key: str) -> str:
    """`x`, `memory` and parameters go by their own names, other arrays by their JSON pointer."""
    if pointer in INPUTS or (
        pointer.startswith("/parameters/") and f"/{key}" not in INPUTS and key[:1] != "/"
    ):
        return key
    return pointer


def escaped(key: Any) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")
