"""The safetensors format, read and written: eight bytes of length, a JSON header, then the arrays one by one.

https://github.com/huggingface/safetensors#format
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .arrays import Packed, from_bytes

MEDIA_TYPE = "application/vnd.blockwalk+safetensors"


def write(tensors: Mapping[str, Packed], metadata: Mapping[str, str]) -> bytes:
    """One file of these tensors; the header is padded with blanks, so that the arrays begin aligned."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    begin = 0
    for name, each in tensors.items():
        end = begin + len(each.data)
        header[name] = {"dtype": each.dtype, "shape": list(each.shape), "data_offsets": [begin, end]}
        begin = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *(each.data for each in tensors.values())])


def read(body: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    """The arrays by name, and the metadata. Raises `ValueError` where the body is no such file."""
    length = int.from_bytes(body[:8], "little")
    if len(body) < 8 or length > len(body) - 8:
        raise ValueError("not a safetensors file: its header is longer than the file")
    header = json.loads(body[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    data = memoryview(body)[8 + length :]
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        own = bytearray(data[begin:end])  # which NumPy lets the caller write to
        arrays[name] = from_bytes(Packed(entry["dtype"], tuple(entry["shape"]), own))
    return arrays, metadata
