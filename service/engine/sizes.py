"""Sizes: what the request states, what its arrays show, and what follows from both.

Every size has one owner; a second statement that disagrees is an error naming both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ..errors import InvalidRequest, MissingValue, ShapeMismatch
from .config import BlockConfig
from .ops import Array, Shape

BLOCK_SIZES = ("n_heads", "n_kv_heads", "d_model", "d_head", "d_ff")

FEATURE_AXES = {
    "d_model": "d_model",
    "d_ff": "d_ff",
    "d_head": "d_head",
    "head": "n_heads",
    "kv_head": "n_kv_heads",
}
"""Axis -> the size it states. Rows are left to the steps that combine them: scores may be given for fewer
queries than keys."""

TOKEN_SIZES = {
    "batch": "n_batch",
    "token": "n_tokens",
    "query": "n_tokens",
    "key": "n_tokens",
    "memory": "n_memory",
}
"""Axis -> the count of rows it runs over."""

JOINED_AXES = {"concat": "n_heads", "kv_concat": "n_kv_heads"}
"""Axis -> the number of heads whose d_head features it holds side by side."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A size, who states it, and where in the request."""

    value: int
    who: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Given:
    """An array in the request: an input, a parameter, or a step set outright."""

    name: str
    array: Array
    axes: tuple[str, ...]
    pointer: str

    def sized(self) -> Iterator[tuple[str, int]]:
        """Pairs of axis and size, without a leading batch axis."""
        return zip(self.axes, self.array.shape[-len(self.axes) :], strict=True)


class Sizes:
    """All sizes of one request. An unknown size is None: a pruned part of the block may leave it open."""

    def __init__(self, config: BlockConfig, arrays: Iterable[Given]) -> None:
        self._claims: dict[str, Claim] = {}
        for size in BLOCK_SIZES:
            stated = getattr(config, size)
            if stated is not None:
                self._claim(size, Claim(stated, f"block.{size}", f"/block/{size}"))
        joined: list[tuple[str, Claim]] = []
        for given in arrays:
            for axis, length in given.sized():
                claim = Claim(length, given.name, given.pointer)
                if axis in FEATURE_AXES:
                    self._claim(FEATURE_AXES[axis], claim)
                elif axis in JOINED_AXES:
                    joined.append((axis, claim))
                else:
                    cross = axis == "key" and given.name.startswith("cross_attention.")
                    self._claims.setdefault(TOKEN_SIZES["memory" if cross else axis], claim)
        self._settle_heads(dict(reversed(joined)))
        for axis, claim in joined:
            self._check_joined(axis, claim)

    def get(self, size: str) -> int | None:
        """The value of a size, or None where nothing tells."""
        return self._claims[size].value if size in self._claims else None

    def resolve(self, config: BlockConfig) -> BlockConfig:
        """The same block with its five sizes filled in, as far as they are known."""
        return replace(
            config,
            n_heads=self.get("n_heads"),
            n_kv_heads=self.get("n_kv_heads"),
            d_model=self.get("d_model"),
            d_head=self.get("d_head"),
            d_ff=self.get("d_ff"),
        )

    def of_axis(self, axis: str, *, cross: bool = False) -> int | None:
        """How long an axis is when nothing computed tells; cross-attention's keys are the memory's rows."""
        if cross and axis == "key":
            axis = "memory"
        if axis in JOINED_AXES:
            n, d_head = self.get(JOINED_AXES[axis]), self.get("d_head")
            return None if n is None or d_head is None else n * d_head
        return self.get(FEATURE_AXES.get(axis) or TOKEN_SIZES[axis])

    def shape(self, name: str, axes: Iterable[str], pointer: str) -> Shape:
        """The shape of something named, by its axes; `MissingValue` where nothing tells how long one is."""
        shape: list[int] = []
        for axis in axes:
            length = self.of_axis(axis, cross=name.startswith("cross_attention."))
            if length is None:
                raise MissingValue(
                    f"nothing tells how long {axis} of {name} is",
                    pointer=pointer,
                    expected=f"a size for {axis}, or an array that has it",
                )
            shape.append(length)
        return tuple(shape)

    # -- inside -----------------------------------------------------------------------------------

    def _claim(self, size: str, claim: Claim) -> None:
        first = self._claims.setdefault(size, claim)
        if first.value != claim.value:
            raise ShapeMismatch(
                claim.who,
                axis=size,
                expected=first.value,
                got=claim.value,
                pointer=claim.pointer,
                because=f"{first.who} says so",
            )

    def _infer(self, size: str, value: int, who: str) -> None:
        self._claims.setdefault(size, Claim(value, who, f"/block/{size}"))

    def _settle_heads(self, width: Mapping[str, Claim]) -> None:
        """Find n_heads, d_head, n_kv_heads and d_ff from whatever is known; `width` are the joined axes."""
        concat, kv_concat, d_head = width.get("concat"), width.get("kv_concat"), self.get("d_head")
        if concat is not None and d_head and concat.value % d_head == 0:
            self._infer("n_heads", concat.value // d_head, concat.who)
        self._infer("n_heads", 1, "the default")
        n_heads = self._claims["n_heads"].value

        if d_head is None:
            self._settle_d_head(concat, kv_concat, n_heads)
            d_head = self.get("d_head")

        if kv_concat is not None and d_head and kv_concat.value % d_head == 0:
            self._infer("n_kv_heads", kv_concat.value // d_head, kv_concat.who)
        self._infer("n_kv_heads", n_heads, "n_heads")
        shared = self._claims["n_kv_heads"]
        if n_heads % shared.value:
            raise InvalidRequest(
                f"n_heads {n_heads} is not a multiple of n_kv_heads {shared.value}",
                pointer=shared.pointer,
                expected=f"a divisor of {n_heads}",
                got=shared.value,
            )
        if "d_model" in self._claims:
            self._infer("d_ff", 4 * self._claims["d_model"].value, "4 d_model")

    def _settle_d_head(self, concat: Claim | None, kv_concat: Claim | None, n_heads: int) -> None:
        """Find d_head from the width of the projections, else from d_model, by the heads that share it."""
        n_kv_heads = self.get("n_kv_heads")
        if concat is not None:
            self._infer("d_head", divided(concat, n_heads, f"the width of {concat.who}"), concat.who)
        elif kv_concat is not None and n_kv_heads is not None:
            d_head = divided(kv_concat, n_kv_heads, f"the width of {kv_concat.who}")
            self._infer("d_head", d_head, kv_concat.who)
        elif "d_model" in self._claims:
            self._infer("d_head", divided(self._claims["d_model"], n_heads, "d_model"), "d_model / n_heads")

    def _check_joined(self, axis: str, claim: Claim) -> None:
        expected = self.of_axis(axis)
        if expected is not None and expected != claim.value:
            heads = JOINED_AXES[axis]
            raise ShapeMismatch(
                claim.who,
                axis=f"{heads}·d_head",
                expected=expected,
                got=claim.value,
                pointer=claim.pointer,
                because=f"{heads} {self.get(heads)}, d_head {self.get('d_head')}",
            )


def divided(claim: Claim, n: int, what: str) -> int:
    """The claim's value over n heads, or a refusal naming both."""
    if claim.value % n:
        raise InvalidRequest(
            f"{what} is {claim.value}, which {n} heads do not divide",
            pointer=claim.pointer,
            expected=f"a multiple of n_heads = {n}",
            got=claim.value,
        )
    return claim.value // n
