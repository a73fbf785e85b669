"""Numbers in and out: NumPy arrays where NumPy is installed, nested lists otherwise.

Whatever holds numbers may go into a request: lists, tuples, NumPy arrays, PyTorch tensors, and the tensors of
an earlier trace.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

np: Any
try:
    np = import_module("numpy")
except ImportError:
    np = None

CODES = {
    "F64": "d", "F32": "f", "F16": "e",
    "I64": "q", "I32": "i", "I16": "h", "I8": "b", "U8": "B", "BOOL": "?",
}  # fmt: skip
"""The dtypes of safetensors that the service knows, as `struct` calls them."""
NUMPY = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1", "BOOL": "?",
}  # fmt: skip
SPELLED = {spelling: dtype for dtype, spelling in NUMPY.items()}


class Packed(NamedTuple):
    """An array as bytes: little-endian, row-major."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes | bytearray


# -- reading --------------------------------------------------------------------------------------


def from_json(value: Any, dtype: str) -> Any:
    """The numbers of a JSON answer, in which "-Infinity", "Infinity" and "NaN" are strings."""
    if np is not None:
        return np.asarray(value, dtype=dtype)
    return map_leaves(single if dtype == "float32" else float, value)


def from_bytes(packed: Packed) -> Any:
    """The numbers of a tensor in a safetensors file."""
    if np is not None:
        return np.frombuffer(packed.data, NUMPY[packed.dtype]).reshape(packed.shape)
    count = math.prod(packed.shape)
    return nested(list(struct.unpack(f"<{count}{CODES[packed.dtype]}", packed.data)), packed.shape)


def single(number: Any) -> float:
    """The float32 that a decimal stands for, as NumPy would hold it."""
    return float(struct.unpack("f", struct.pack("f", float(number)))[0])


def nested(flat: list[Any], shape: tuple[int, ...]) -> Any:
    """Row-major numbers as nested lists."""
    if not shape:
        return flat[0]
    for size in reversed(shape[1:]):
        flat = [flat[i : i + size] for i in range(0, len(flat), size)] if size else []
    return flat


# -- writing --------------------------------------------------------------------------------------


def to_list(value: Any) -> Any:
    """Nested lists, or a number, of whatever holds numbers."""
    return value.tolist() if hasattr(value, "tolist") else value


def to_json(value: Any) -> Any:
    """Plain data that JSON can hold, of a request or answer with arrays anywhere in it."""
    value = to_list(value)
    if isinstance(value, Mapping):
        return {key: to_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def to_bytes(value: Any) -> Packed | None:
    """The bytes of an array or of nested lists of numbers; None of anything else.

    What only looks like an array (ragged lists, truth values among numbers) is None too, so that it travels
    as JSON, and the service can say exactly what is wrong with it.
    """
    if hasattr(value, "detach"):  # PyTorch
        value = value.detach().cpu()
        value = value.numpy() if np is not None and str(value.dtype) != "torch.bfloat16" else value.tolist()
    elif hasattr(value, "__array__") and np is not None:
        value = np.asarray(value)
    if np is not None and isinstance(value, np.ndarray):
        little = np.ascontiguousarray(value, value.dtype.newbyteorder("<")).reshape(value.shape)
        spelling = little.dtype.str.replace("|", "").replace("b1", "?")
        return Packed(SPELLED[spelling], little.shape, little.tobytes()) if spelling in SPELLED else None
    return pack_list(to_list(value))


def pack_list(value: Any) -> Packed | None:
    if not isinstance(value, list | tuple):
        return None
    shape = shape_of(value)
    try:
        flat = list(leaves(value, shape))
        return Packed("F64", shape, struct.pack(f"<{len(flat)}d", *flat))
    except (TypeError, OverflowError, struct.error):
        return None


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of an array, or of nested lists as their first elements have it; () of a number."""
    if hasattr(value, "shape"):
        return tuple(value.shape)
    shape: list[int] = []
    while isinstance(value, list | tuple):
        shape.append(len(value))
        if not value:
            break
        value = value[0]
    return tuple(shape)


def leaves(value: Any, shape: tuple[int, ...]) -> Iterator[float]:
    """The numbers of nested lists, row by row. Raises `TypeError` where they are ragged or no numbers."""
    if shape:
        if not isinstance(value, list | tuple) or len(value) != shape[0]:
            raise TypeError
        for each in value:
            yield from leaves(each, shape[1:])
    elif type(value) in (float, int):
        yield value
    else:
        raise TypeError


def map_leaves(function: Any, value: Any) -> Any:
    if isinstance(value, list):
        return [map_leaves(function, each) for each in value]
    return function(value)
