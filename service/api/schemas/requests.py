"""What the operations on a block take. The engine reads the rest: do sizes fit, do names exist."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import fields, post_load

from ... import engine
from ...engine.config import ALIGNMENTS
from ...engine.reading import escape
from ...engine.request import MAX_SEED
from ...errors import BlockwalkError
from ..fields import Named, Tensor, as_given, choice, count, flag, listed, number, ref, text, texts
from ..media import MERGE_PATCH, SAFETENSORS
from .base import Body

MOST_VARIANTS = 16
MOST_PARAMETERS = 256


def optional(field: Any) -> Any:
    """Null is "not set": it removes what an example has set (RFC 7396), and is nothing without one."""
    field.allow_none = True
    return field


class Block(Body):
    """The kind of block. Sizes left out are taken from the arrays."""

    kind = optional(
        choice(engine.KINDS, says="encoder: self-attention and FFN; decoder: cross-attention too")
    )
    norm_placement = optional(
        choice(engine.PLACEMENTS, says="norm after each sum (post) or before each sublayer (pre)")
    )
    norm = optional(choice(engine.NORMS))
    epsilon = optional(number(least=0, says="inside the root of the normalisation"))
    activation = optional(choice(engine.ACTIVATIONS, says="gelu is the erf form; those in -glu are gated"))
    n_heads = optional(count())
    n_kv_heads = optional(
        count(says="key/value heads, each repeated in place for the query heads that share it")
    )
    d_model = optional(count())
    d_head = optional(count())
    d_ff = optional(count())
    scale = optional(number(says="factor on the scores; 1/√d_head unless given"))
    softcap = optional(
        number(above=0, says="scores become softcap · tanh(scores / softcap), before the mask")
    )
    position = optional(as_given(ref("Position")))
    mask = optional(as_given(ref("Mask")))
    window = optional(count(says="keys that a query sees, itself included"))
    key_padding_keep = optional(as_given(ref("KeyPadding")))
    causal_alignment = optional(
        choice(ALIGNMENTS, says="where the causal diagonal ends if there are more keys than queries")
    )
    dropout = optional(number(least=0, below=1, says="rate; above 0 it needs a seed"))
    dtype = optional(choice(engine.DTYPES))


class TracePatch(Body):
    """A merge patch (RFC 7396) of a trace request: what it leaves out stays, and null removes."""

    also: ClassVar[tuple[str, ...]] = (MERGE_PATCH,)

    example = optional(text(says="a named example (GET /examples) that the other fields patch (RFC 7396)"))
    block = fields.Nested(Block, allow_none=True)
    parameters = Named(
        Tensor(ranks=(1, 2), allow_none=True),
        most=MOST_PARAMETERS,
        allow_none=True,
        says="learned arrays by name, [in, out], x multiplies from the left: x W + b",
    )
    seed = optional(
        count(least=0, most=MAX_SEED, says="draws the weights that a needed step lacks, and dropout")
    )
    x = Tensor(ranks=(2, 3), allow_none=True, says="[token, d_model] or [batch, token, d_model]")
    memory = Tensor(
        ranks=(2, 3), allow_none=True, says="what a decoder's cross-attention looks at, shaped like x"
    )
    interventions = optional(
        listed(lambda item, _: item, ref("Intervention"), says="edits of steps, in order")
    )
    select = optional(texts(says="step names and globs to answer with; `output` is the block's last step"))
    tokens = optional(
        as_given(
            {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1, "uniqueItems": True},
            says="rows of the token and query axes to answer with; the computation stays whole",
        )
    )
    include_parameters = optional(flag(says="answer with the parameters too"))


class TraceRequest(TracePatch):
    """A block, its numbers and its inputs; all of it may come from an example."""

    also = (SAFETENSORS,)
    # Null removes a parameter of the example; without an example there is none to remove.
    beyond: ClassVar[dict[str, Any]] = {
        "if": {"properties": {"example": {"type": "null"}}, "additionalProperties": True},
        "then": {
            "properties": {"parameters": {"additionalProperties": {"type": "array"}}},
            "additionalProperties": True,
        },
    }

    @post_load
    def checked(self, data: dict[str, Any], **_: Any) -> engine.TraceRequest:
        return engine.TraceRequest.from_data(data)


class TraceField(fields.Nested):
    """A trace request inside a larger body."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Any, partial: Any = None, **kwargs: Any
    ) -> Any:
        try:
            return super()._deserialize(value, attr, data, partial=partial, **kwargs)
        except BlockwalkError as wrong:
            raise wrong.under(f"/{attr}") from None


class CompareRequest(Body):
    """A trace request, and patches of it to compare with."""

    base = fields.Nested(TracePatch, required=True)
    variants = Named(
        fields.Nested(TracePatch),
        most=MOST_VARIANTS,
        required=True,
        says="by name, merge patches (RFC 7396) of the base",
    )

    @post_load
    def checked(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        base, _provenance = placed("/base", engine.examples.expand, data["base"])
        return {
            "base": placed("/base", engine.TraceRequest.from_data, data["base"]),
            "variants": {
                name: placed(
                    f"/variants/{escape(name)}",
                    engine.TraceRequest.from_data,
                    engine.merge_patch(base, patch),
                )
                for name, patch in data["variants"].items()
            },
        }


def placed(pointer: str, read: Any, data: Any) -> Any:
    """`read(data)`, any refusal re-rooted at `pointer`."""
    try:
        return read(data)
    except BlockwalkError as wrong:
        raise wrong.under(pointer) from None


class Derivative(Body):
    """What gradients and Jacobians have in common."""

    @post_load
    def checked(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """The arguments of the engine's function."""
        return {"request": data.pop("trace"), **data}


class GradientRequest(Derivative):
    """Which step to differentiate, by which arrays."""

    trace = TraceField(TraceRequest, required=True)
    of = text(required=True, says="the step that is differentiated")
    wrt = texts(required=True, says="steps, `x` or parameters to differentiate by")
    cotangent = Tensor(allow_none=True, says="∂L/∂of, shaped like `of`; all ones unless given")
    stop = texts(says="steps through which no gradient passes")


class JacobianRequest(Derivative):
    """One token's row of a step, by one token's row of an earlier one."""

    trace = TraceField(TraceRequest, required=True)
    of = text(required=True)
    of_token = count(least=0, allow_none=True)
    wrt = text(required=True)
    wrt_token = count(least=0, allow_none=True)
    stop = texts(says="steps through which no gradient passes")
