"""safetensors <-> trace: large arrays without decimals. Never pickle, npy or npz: they can run code or lie.

Request: the tensors `x` and `memory`, parameters under their names, and any other array under its JSON
pointer (`/interventions/0/set`, `/block/mask/keep`); the rest of the request is JSON in the metadata, under
`request`. Answer: one tensor for each step, the rest as JSON in the metadata, under `trace`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray
from safetensors import SafetensorError, deserialize

from ..engine.reading import MAX_RANK
from ..errors import InvalidRequest, NotJSON
from ..settings import Settings
from .strict_json import read_json
from .tensors import dumps

DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1", "BOOL": "?",
}  # fmt: skip
NAMES = {np.dtype(form): name for name, form in DTYPES.items()}
LONGEST_NAME, LONGEST_HEADER = 256, 1024 * 1024
INPUTS = ("x", "memory")


def read_request(body: bytes, of: Settings) -> dict[str, Any]:
    """The trace request in a safetensors file. Raises `NotJSON` (a broken file) or `InvalidRequest`."""
    header = read_header(body, of)
    metadata = header.pop("__metadata__", {})
    check_tensors(header, of)
    text = metadata.get("request", "{}") if isinstance(metadata, dict) else None
    data = read_json(text.encode(), of.max_depth) if isinstance(text, str) else None
    if not isinstance(data, dict):
        raise InvalidRequest(
            "the metadata has the rest of the request, a JSON object, under `request`",
            expected="a JSON object",
        )
    try:
        tensors = deserialize(body)  # type: ignore[no-untyped-call]  # written in Rust
    except SafetensorError as wrong:
        raise NotJSON(f"the body is not a safetensors file: {wrong}") from None
    for name, tensor in tensors:
        place(data, name, np.frombuffer(tensor["data"], DTYPES[tensor["dtype"]]).reshape(tensor["shape"]))
    return data


def read_header(body: bytes, of: Settings) -> dict[str, Any]:
    """The header, its length held against the body's before anything is read by it."""
    length = int.from_bytes(body[:8], "little")
    longest = min(len(body) - 8, LONGEST_HEADER)
    if len(body) < 10 or length > longest:
        raise NotJSON(
            "the body is not a safetensors file: its header is longer than it may be",
            expected=f"at most {max(longest, 0)} bytes",
            got=length,
        )
    header = read_json(body[8 : 8 + length], of.max_depth)
    if not isinstance(header, dict):
        raise NotJSON("the body is not a safetensors file: its header is no object", expected="object")
    return header


def check_tensors(header: dict[str, Any], of: Settings) -> None:
    """Count, names, dtypes and sizes, before the data; in Python's own integers, which do not overflow."""
    if len(header) > of.max_tensors:
        raise InvalidRequest(
            "there are too many tensors", expected=f"at most {of.max_tensors}", got=len(header)
        )
    for name, described in header.items():
        entry = described if isinstance(described, dict) else {}
        dtype: Any = entry.get("dtype")
        shape: Any = entry.get("shape")
        span: Any = entry.get("data_offsets")
        where = f"tensor {name[:LONGEST_NAME]!r}"
        if not 0 < len(name) <= LONGEST_NAME:
            raise InvalidRequest(
                "a tensor's name is too long, or empty",
                expected=f"1 to {LONGEST_NAME} characters",
                got=len(name),
            )
        if not isinstance(dtype, str) or dtype not in DTYPES:
            raise InvalidRequest(
                f"{where} has a dtype that is not read here", expected=list(DTYPES), got=dtype
            )
        if not is_counts(shape) or len(shape) > MAX_RANK or not is_counts(span) or len(span) != 2:
            raise InvalidRequest(
                f"{where} has no readable shape or place", expected=f"at most {MAX_RANK} sizes", got=shape
            )
        size = math.prod(shape) * np.dtype(DTYPES[dtype]).itemsize
        if size != span[1] - span[0]:
            raise InvalidRequest(
                f"{where} has a size that its shape contradicts", expected=size, got=span[1] - span[0]
            )


def is_counts(value: Any) -> bool:
    return isinstance(value, list) and all(type(each) is int and each >= 0 for each in value)


def place(data: dict[str, Any], name: str, tensor: NDArray[Any]) -> None:
    """Put one tensor where its name says. Raises `InvalidRequest` if nothing can stand there."""
    if not name.startswith("/"):
        name = f"/{name}" if name in INPUTS else f"/parameters/{name.replace('~', '~0').replace('/', '~1')}"
    *path, last = (token.replace("~1", "/").replace("~0", "~") for token in name[1:].split("/"))
    target: Any = data
    try:
        for token in path:
            target = target[int(token)] if isinstance(target, list) else target.setdefault(token, {})
        if isinstance(target, list):
            target[int(last)] = tensor
        elif last not in target:
            target[last] = tensor
        else:
            raise InvalidRequest("is said twice", pointer=name, expected="a tensor or JSON, not both")
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise InvalidRequest(
            "no tensor can stand here", pointer=name, expected="a place in the request"
        ) from None


def write_answer(answer: dict[str, Any]) -> bytes:
    """A trace answer as one safetensors file."""
    rest = {**answer, "steps": [{k: v for k, v in step.items() if k != "value"} for step in answer["steps"]]}
    tensors = {step["name"]: np.ascontiguousarray(step["value"]) for step in answer["steps"]}
    return written(tensors, {"trace": dumps(rest).decode()})


def written(tensors: dict[str, NDArray[Any]], metadata: dict[str, str]) -> bytes:
    """A safetensors file, its numbers copied once; the library's own writer copies them three times.

    Wide numbers come first, so that each tensor begins at a multiple of its item's size, as in the library.
    """
    header: dict[str, Any] = {"__metadata__": metadata}
    ordered = sorted(tensors.items(), key=lambda named: (-named[1].itemsize, named[0]))
    end = 0
    for name, tensor in ordered:
        start, end = end, end + tensor.nbytes
        header[name] = {
            "dtype": NAMES[tensor.dtype.newbyteorder("<")],
            "shape": tensor.shape,
            "data_offsets": [start, end],
        }
    text = orjson.dumps(header)
    text += b" " * (-len(text) % 8)
    numbers = (little(tensor).reshape(-1).view(np.uint8).data for _, tensor in ordered)
    return b"".join((len(text).to_bytes(8, "little"), text, *numbers))


def little(tensor: NDArray[Any]) -> NDArray[Any]:
    """The same numbers with their low byte first."""
    return tensor.astype(tensor.dtype.newbyteorder("<"), copy=False)
