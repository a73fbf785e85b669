"""Grouped-query attention: a group of query heads shares one key/value head (Ainslie et al. 2023).

Key/value heads repeat in place: with four query heads on two key/value heads, the query heads 0, 1, 2, 3
read 0, 0, 1, 1.
"""

from __future__ import annotations

import numpy as np

from .op import Array, Misfit, Shape


def share(kv: Array, n_heads: int) -> Array:
    """[..., kv_head, key, d_head] -> [..., head, key, d_head], each head repeated in place."""
    n_kv_heads = kv.shape[-3]
    return kv if n_kv_heads == n_heads else np.repeat(kv, n_heads // n_kv_heads, axis=-3)


def gather(grad: Array, n_kv_heads: int) -> Array:
    """The vjp of `share`: [..., head, key, d_head] -> [..., kv_head, key, d_head], summed over who shared."""
    *batch, n_heads, n_keys, d_head = grad.shape
    if n_heads == n_kv_heads:
        return grad
    return grad.reshape(*batch, n_kv_heads, n_heads // n_kv_heads, n_keys, d_head).sum(axis=-3)


def check_groups(head: Shape, kv_head: Shape) -> None:
    """Refuse operands [..., head, _, _] and [..., kv_head, _, _] whose heads cannot be grouped."""
    if head[:-3] != kv_head[:-3]:
        raise Misfit(f"batches {list(head[:-3])} and {list(kv_head[:-3])} differ")
    if head[-3] % kv_head[-3]:
        raise Misfit(f"{head[-3]} heads cannot share {kv_head[-3]} key/value heads evenly")
