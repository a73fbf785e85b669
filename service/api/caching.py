"""Weak ETags from what an answer depends on, never from the computed numbers.

float32 products differ in their last digit between thread counts, so a hash of the answer would tell one
computation from itself. What is hashed: the request as it was understood (arrays by their bytes, so 1 and
1.0, JSON and safetensors, are one), the language, the media type, and every file of this package.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
from flask import current_app, request

from .. import engine

COMPUTED = "no-cache"
"""A computed answer: keep it, but ask each time; the ETag makes that cheap."""
CONTENT = "public, max-age=300"
"""Published content: the same for everybody until the next deployment."""
NEVER = "no-store"


def etag(*parts: Any) -> str:
    """The opaque tag of an answer that depends on these parts."""
    digest = hashlib.blake2b(digest_size=16)
    feed(digest.update, (engine.VERSION, content_version(), extra_version(), parts))
    return digest.hexdigest()


def unchanged(tag: str) -> bool:
    """Whether the caller holds this answer already. `*` means "any", which says nothing of a computation."""
    known = request.if_none_match
    return known.contains_weak(tag) and not (known.star_tag and request.method == "POST")


def feed(update: Callable[[bytes], None], part: Any) -> None:
    """Hash nested data in an unambiguous spelling: each piece is preceded by its kind and length."""
    if part is None or isinstance(part, str | int | float):
        text = repr(part).encode()
        update(b"s%d:%s" % (len(text), text))
    elif isinstance(part, np.ndarray):
        update(b"a%s%r" % (part.dtype.str.encode(), part.shape))
        update(np.ascontiguousarray(part).tobytes())
    elif isinstance(part, list | tuple):
        update(b"l%d" % len(part))
        for each in part:
            feed(update, each)
    elif isinstance(part, Mapping):
        update(b"m%d" % len(part))
        for key in sorted(part):
            feed(update, key)
            feed(update, part[key])
    else:
        feed(update, [type(part).__name__, *(getattr(part, each.name) for each in fields(part))])


def extra_version() -> str:
    """A digest of the lectures that this deployment adds, and of their examples."""
    version: str = current_app.extensions["blockwalk"]["lectures"].version
    return version


@cache
def content_version() -> str:
    """A digest of every file of the package: code, examples and lectures alike."""
    digest = hashlib.blake2b(digest_size=16)
    for path, file in sorted(shipped(files("service"), "")):
        digest.update(path.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def shipped(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        name = f"{path}/{each.name}"
        if each.is_dir() and each.name != "__pycache__":
            yield from shipped(each, name)
        elif each.is_file():
            yield name, each
