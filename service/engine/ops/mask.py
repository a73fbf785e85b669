"""The mask: which keys a query may attend to. True means *may attend*; what it may not gets the score −∞."""

from __future__ import annotations

from typing import Literal

import numpy as np

from .op import Array, Op, Shape

Alignment = Literal["top_left", "bottom_right"]


def positions(n_queries: int, n_keys: int, alignment: Alignment) -> tuple[Array, Array]:
    """Positions of the queries, a column, and of the keys, a row.

    Aligned top left, query 0 stands at key 0; bottom right, the last query stands at the last key.
    """
    offset = n_keys - n_queries if alignment == "bottom_right" else 0
    return np.arange(n_queries)[:, None] + offset, np.arange(n_keys)[None, :]


def visible(
    n_queries: int, n_keys: int, *, causal: bool, window: int | None, alignment: Alignment
) -> Array | bool:
    """Which keys the causal mask and the sliding window leave, [query, key]; True where neither is asked for.

    A window of w counts the token itself: the query and the w − 1 before it, and, without a causal mask,
    the w − 1 after it.
    """
    query, key = positions(n_queries, n_keys, alignment)
    keep: Array | bool = True
    if causal:
        keep = key <= query
    if window is not None:
        keep &= abs(query - key) < window
    return keep


def allowed(
    scores: Array, keep: Array, *, causal: bool, window: int | None, alignment: Alignment
) -> Array | bool:
    """AND of the causal mask, the window and `keep`, broadcastable to the scores."""
    n_queries, n_keys = scores.shape[-2:]
    return keep & visible(n_queries, n_keys, causal=causal, window=window, alignment=alignment)


def forward(
    scores: Array, additive: Array, keep: Array, *, causal: bool, window: int | None, alignment: Alignment
) -> Array:
    """Return s + additive where it may attend, −∞ elsewhere, for s [..., head, query, key]."""
    if additive.ndim:
        scores = scores + additive
    may = allowed(scores, keep, causal=causal, window=window, alignment=alignment)
    return np.where(may, scores, scores.dtype.type(-np.inf))


def vjp(
    grad: Array,
    _answer: Array,
    scores: Array,
    _additive: Array,
    keep: Array,
    *,
    causal: bool,
    window: int | None,
    alignment: Alignment,
) -> tuple[Array, None, None]:
    """∂L/∂s = g where it may attend, 0 elsewhere."""
    may = allowed(scores, keep, causal=causal, window=window, alignment=alignment)
    return np.where(may, grad, grad.dtype.type(0)), None, None


def shape(scores: Shape, *_masks: Shape, **_options: object) -> Shape:
    return scores


def not_a_number(masked: Array) -> str | None:
    """Say so where an additive mask holds NaN or +∞, which no weights can come of."""
    return None if masked.max() < np.inf else "the additive mask makes scores that are not below +∞"


MASK = Op(
    "mask",
    forward,
    vjp,
    r"\operatorname{mask}\!\left({0}\right)",
    shape,
    warn=not_a_number,
    warning_code="non_finite",
)
