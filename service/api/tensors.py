"""ndarray -> wire: nested row-major lists in shortest round-trip decimals, inside any answer.

orjson writes arrays straight from memory, but refuses strided, Fortran-order and foreign-byte-order ones, and
writes null for every non-finite number. So arrays are normalised first, and the nulls (which nothing else in
an array can be) become the words of the proto3 JSON mapping: "-Infinity", "Infinity" and "NaN".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

OPTIONS = orjson.OPT_SERIALIZE_NUMPY
NULL = b"null"


def dumps(answer: Any) -> bytes:
    """One JSON text, UTF-8, never a bare NaN, of plain data with ndarrays anywhere in it."""
    return orjson.dumps(ready(answer), default=default, option=OPTIONS)


PLAIN = {str, bool, type(None)}


def ready(part: Any) -> Any:
    """Plain data in which orjson finds nothing that it would refuse or spoil."""
    kind = type(part)  # nearly every part is of one of these types exactly, and this is asked of every part
    if kind in PLAIN:
        return part
    if kind is dict:
        return {key: ready(value) for key, value in part.items()}
    if kind is list or kind is tuple:
        return [ready(value) for value in part]
    if isinstance(part, np.ndarray):
        return encoded(part)
    if isinstance(part, float | np.floating):
        return part if math.isfinite(part) else word(float(part))
    if isinstance(part, int) and not -(2**63) <= part < 2**64:
        return orjson.Fragment(str(part))  # an estimate of what nobody could compute; orjson stops at 64 bits
    return part


def encoded(array: NDArray[Any]) -> Any:
    """An array as orjson takes it, or as finished JSON where it holds a non-finite number."""
    if array.ndim == 0:
        return ready(array.item())
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return array
    amiss, text = array[~np.isfinite(array)], orjson.dumps(array, option=OPTIONS)
    if (amiss == amiss[0]).all():  # a mask: all of them −∞
        return orjson.Fragment(text.replace(NULL, quoted(amiss[0])))
    pieces, words = text.split(NULL), [*map(quoted, amiss.tolist()), b""]
    return orjson.Fragment(b"".join(part for pair in zip(pieces, words, strict=True) for part in pair))


def quoted(value: float) -> bytes:
    return b'"%s"' % word(value).encode()


def word(value: float) -> str:
    """The name of a non-finite number."""
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def default(part: Any) -> Any:
    """Mappings that are no dict."""
    if hasattr(part, "keys"):
        return ready(dict(part))
    raise TypeError(f"{type(part).__name__} has no place in an answer")
