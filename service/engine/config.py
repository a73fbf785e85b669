"""What kind of block: every choice that the course can make, checked where it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from operator import attrgetter
from typing import Any, Literal, Self

from ..errors import InvalidRequest
from .activations import ACTIVATION_OPS
from .ops import Array
from .reading import as_choice, as_count, as_keep, as_number, as_object, as_tensor

KINDS = ("encoder", "decoder")
PLACEMENTS = ("post", "pre")
NORMS = ("layer_norm", "rms_norm")
ACTIVATIONS = tuple(ACTIVATION_OPS)
ALIGNMENTS = ("top_left", "bottom_right")
LAYOUTS = ("half", "interleaved")
DTYPES = ("float64", "float32", "float16")


@dataclass(frozen=True, slots=True, eq=False)
class Mask:
    """Which keys may be attended to: parts that combine, each optional.

    `keep` (True = may attend) and `additive` (added to the scaled scores) have shape [query, key],
    [head, query, key] or [batch, head, query, key].
    """

    causal: bool = False
    keep: Array | None = None
    additive: Array | None = None

    @classmethod
    def from_data(cls, data: Any) -> Self | None:
        where = "/block/mask"
        if data is None:
            return None
        if data == "causal":
            return cls(causal=True)
        if isinstance(data, str):
            raise InvalidRequest(
                f"mask: there is no mask {data!r}", pointer=where, expected=["causal"], got=data
            )
        known = as_object(data, where, ("causal", "keep", "additive"))
        causal = known.get("causal", False)
        if not isinstance(causal, bool):
            raise InvalidRequest(
                "mask.causal is true or false",
                pointer=f"{where}/causal",
                expected="boolean",
                got=type(causal).__name__,
            )
        keep, additive = known.get("keep"), known.get("additive")
        if not causal and keep is None and additive is None:
            raise InvalidRequest(
                "a mask says causal, keep or additive", pointer=where, expected=["causal", "keep", "additive"]
            )
        return cls(
            causal,
            None if keep is None else as_keep(keep, f"{where}/keep", ranks=(2, 3, 4)),
            None
            if additive is None
            else as_tensor(additive, f"{where}/additive", infinite=True, ranks=(2, 3, 4)),
        )

    @property
    def has_arrays(self) -> bool:
        return self.keep is not None or self.additive is not None

    def to_data(self) -> Any:
        if not self.has_arrays:
            return "causal"
        data = {"causal": self.causal or None, "keep": self.keep, "additive": self.additive}
        return {name: value for name, value in data.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Rope:
    """Rotary positions of base `theta`, on pairs laid out as `layout` says."""

    theta: float = 10000.0
    layout: Literal["half", "interleaved"] = "half"


@dataclass(frozen=True, slots=True)
class Alibi:
    """Linear biases by distance."""


def position_from_data(data: Any) -> Rope | Alibi | None:
    where = "/block/position"
    if data is None:
        return None
    known = as_object(data, where, ("rope", "alibi"))
    if len(known) != 1:
        raise InvalidRequest(
            "a position is either rope or alibi", pointer=where, expected=["rope", "alibi"], got=sorted(known)
        )
    if "alibi" in known:
        if known["alibi"] is not True:
            raise InvalidRequest(
                "position.alibi is true; leave position out for none",
                pointer=f"{where}/alibi",
                expected=True,
                got=known["alibi"],
            )
        return Alibi()
    rope = as_object(known["rope"], f"{where}/rope", ("theta", "layout"))
    return Rope(
        as_number(rope.get("theta", 10000), f"{where}/rope/theta", above=0),
        as_choice(rope.get("layout", "half"), f"{where}/rope/layout", LAYOUTS),
    )


def position_to_data(position: Rope | Alibi | None) -> Any:
    if isinstance(position, Rope):
        return {"rope": asdict(position)}
    return {"alibi": True} if isinstance(position, Alibi) else None


@dataclass(frozen=True, slots=True, eq=False)
class BlockConfig:
    """One Transformer block. Sizes left out (None) are taken from the arrays; see `sizes.py`."""

    kind: Literal["encoder", "decoder"] = "encoder"
    norm_placement: Literal["post", "pre"] = "post"
    norm: Literal["layer_norm", "rms_norm"] = "layer_norm"
    epsilon: float = 1e-5
    activation: str = "relu"
    n_heads: int | None = None
    n_kv_heads: int | None = None
    d_model: int | None = None
    d_head: int | None = None
    d_ff: int | None = None
    scale: float | None = None
    softcap: float | None = None
    position: Rope | Alibi | None = None
    mask: Mask | None = None
    window: int | None = None
    key_padding_keep: Array | None = None
    causal_alignment: Literal["top_left", "bottom_right"] = "top_left"
    dropout: float = 0.0
    dtype: Literal["float64", "float32", "float16"] = "float64"

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Read a `block` object as in the wire contract; null means the default. Raises `InvalidRequest`."""
        names = tuple(each.name for each in fields(cls))
        known = as_object(data, "/block", names)
        at = {name: f"/block/{name}" for name in names}
        read: dict[str, Callable[[Any], Any]] = {
            "kind": lambda v: as_choice(v, at["kind"], KINDS),
            "norm_placement": lambda v: as_choice(v, at["norm_placement"], PLACEMENTS),
            "norm": lambda v: as_choice(v, at["norm"], NORMS),
            "epsilon": lambda v: as_number(v, at["epsilon"], least=0),
            "activation": lambda v: as_choice(v, at["activation"], ACTIVATIONS),
            "scale": lambda v: as_number(v, at["scale"]),
            "softcap": lambda v: as_number(v, at["softcap"], above=0),
            "position": position_from_data,
            "mask": Mask.from_data,
            "key_padding_keep": lambda v: as_keep(v, at["key_padding_keep"], ranks=(1, 2)),
            "causal_alignment": lambda v: as_choice(v, at["causal_alignment"], ALIGNMENTS),
            "dropout": lambda v: as_number(v, at["dropout"], least=0, below=1),
            "dtype": lambda v: as_choice(v, at["dtype"], DTYPES),
            "window": lambda v: as_count(v, at["window"]),
            "n_heads": lambda v: as_count(v, at["n_heads"]),
            "n_kv_heads": lambda v: as_count(v, at["n_kv_heads"]),
            "d_model": lambda v: as_count(v, at["d_model"]),
            "d_head": lambda v: as_count(v, at["d_head"]),
            "d_ff": lambda v: as_count(v, at["d_ff"]),
        }
        return cls(**{name: read[name](value) for name, value in known.items() if value is not None})

    def to_data(self) -> dict[str, Any]:
        """The `block` object of an answer: every field, arrays as they are."""
        data = {each.name: getattr(self, each.name) for each in fields(self)}
        data["mask"] = None if self.mask is None else self.mask.to_data()
        data["position"] = position_to_data(self.position)
        return data

    @property
    def masked(self) -> bool:
        """Whether anything keeps a query from some key, so that masked scores are a step of their own."""
        return self.mask is not None or self.window is not None or self.key_padding_keep is not None

    @property
    def has_arrays(self) -> bool:
        """Whether its masks hold numbers of the request."""
        return self.key_padding_keep is not None or (self.mask is not None and self.mask.has_arrays)

    def emptied(self) -> Self:
        """The same choices without the numbers in its masks: what may be kept after the request."""
        if not self.has_arrays:
            return self
        return replace(self, mask=Mask(self.mask is not None and self.mask.causal), key_padding_keep=None)

    @property
    def gated(self) -> bool:
        """Whether the feed-forward network has a gate (Shazeer 2020)."""
        return self.activation.endswith("glu")

    def key(self) -> tuple[Any, ...]:
        """A hashable value, equal for blocks whose graphs are equal: all but the numbers in the arrays."""
        return (*SCALARS(self), self.masked, self.mask is not None and self.mask.causal)


SCALARS = attrgetter(
    *(each.name for each in fields(BlockConfig) if each.name not in ("mask", "key_padding_keep"))
)
