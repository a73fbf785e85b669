"""What the operations answer with, for the document; the values themselves go out through `tensors.py`."""

from __future__ import annotations

from marshmallow import fields

from ... import engine
from ..fields import as_given, choice, count, number, ref, text, texts
from .base import Answer

SIZE = {"type": "integer", "minimum": 0}


class Tensor(Answer):
    """One named value of a trace: how it came about, and what it is."""

    name = text(required=True)
    symbol = text(required=True, says="as in the lecture, LaTeX")
    axes = texts(required=True, says="one name for each dimension")
    shape = as_given({"type": "array", "items": SIZE}, required=True)
    dtype = choice(engine.DTYPES, required=True)
    op = text(required=True, says="`given` for inputs and values set outright, `parameter` for parameters")
    inputs = texts(required=True, says="the steps it was computed from")
    latex = text(required=True)
    value = as_given(ref("Values"), required=True)


class Warned(Answer):
    """Something a reader of the numbers must know."""

    step = text(required=True)
    code = text(required=True)
    detail = text(required=True)


class Touched(Answer):
    """How much an intervention changed."""

    step = text(required=True)
    elements = count(least=0, required=True)


class ResolvedBlock(Answer):
    """The block with every field filled in."""

    kind = choice(engine.KINDS, required=True)
    norm_placement = choice(engine.PLACEMENTS, required=True)
    norm = choice(engine.NORMS, required=True)
    epsilon = number(required=True)
    activation = choice(engine.ACTIVATIONS, required=True)
    n_heads = count(required=True, allow_none=True)
    n_kv_heads = count(required=True, allow_none=True)
    d_model = count(required=True, allow_none=True)
    d_head = count(required=True, allow_none=True)
    d_ff = count(required=True, allow_none=True)
    scale = number(required=True, allow_none=True)
    softcap = number(required=True, allow_none=True)
    position = as_given(ref("Position"), required=True, allow_none=True)
    mask = as_given(ref("Mask"), required=True, allow_none=True)
    window = count(required=True, allow_none=True)
    key_padding_keep = as_given(ref("KeyPadding"), required=True, allow_none=True)
    causal_alignment = choice(engine.ALIGNMENTS, required=True)
    dropout = number(required=True)
    dtype = choice(engine.DTYPES, required=True)


PROVENANCE = text(
    required=True, says="where the numbers come from: published, reconstructed, modified, user, ..."
)
CONVENTIONS = as_given(
    {"type": "object", "additionalProperties": {"type": "string"}},
    required=True, says="the choices on which implementations differ",
)  # fmt: skip


class Trace(Answer):
    """Every intermediate of one block that was asked for, in order of computation."""

    block = fields.Nested(ResolvedBlock, required=True)
    output = text(required=True, says="the name of the block's last step")
    provenance = PROVENANCE
    steps = fields.List(fields.Nested(Tensor), required=True)
    interventions = fields.List(fields.Nested(Touched), required=True)
    warnings = fields.List(fields.Nested(Warned), required=True)
    conventions = CONVENTIONS
    engine = text(required=True, says="the version that computed this")


class Estimate(Answer):
    """What a trace costs, from its shapes: elements exactly, bytes and multiply-adds of the large work."""

    elements = count(least=0, required=True, says="numbers in all steps")
    parameter_elements = count(least=0, required=True)
    bytes = count(least=0, required=True)
    multiply_adds = count(least=0, required=True)


class PlannedStep(Answer):
    """A step as it would be computed."""

    name = text(required=True)
    symbol = text(required=True)
    axes = texts(required=True)
    shape = as_given({"type": "array", "items": SIZE}, required=True)
    op = text(required=True)
    inputs = texts(required=True)
    latex = text(required=True)


class Plan(Answer):
    """The steps that a trace would compute, in order, and what they would cost; no values."""

    block = fields.Nested(ResolvedBlock, required=True)
    output = text(required=True)
    provenance = PROVENANCE
    steps = fields.List(fields.Nested(PlannedStep), required=True)
    estimate = fields.Nested(Estimate, required=True)
    warnings = fields.List(fields.Nested(Warned), required=True)
    conventions = CONVENTIONS
    engine = text(required=True)


class Compared(Answer):
    """One step that both sides have; the two values where the request selects it."""

    name = text(required=True)
    max_abs_difference = as_given(
        ref("Value"),
        required=True, allow_none=True, says="null where the shapes differ",
    )  # fmt: skip
    base = fields.Nested(Tensor)
    variant = fields.Nested(Tensor)


class Variant(Answer):
    """One variant against the base."""

    block = fields.Nested(ResolvedBlock, required=True)
    output = text(required=True)
    first_difference = text(required=True, allow_none=True, says="the first common step whose values differ")
    steps = fields.List(fields.Nested(Compared), required=True)
    only_in_base = texts(required=True)
    only_in_variant = texts(required=True)
    warnings = fields.List(fields.Nested(Warned), required=True)


class ComparisonBase(Answer):
    """What the variants are compared with."""

    block = fields.Nested(ResolvedBlock, required=True)
    output = text(required=True)
    provenance = PROVENANCE


class Comparison(Answer):
    """Each variant against the base, aligned by step name."""

    base = fields.Nested(ComparisonBase, required=True)
    variants = fields.Dict(keys=fields.String(), values=fields.Nested(Variant), required=True)
    engine = text(required=True)


class Gradients(Answer):
    """∂(Σ cotangent ⊙ of)/∂w for each w asked for, each shaped as w."""

    of = text(required=True)
    gradients = fields.List(fields.Nested(Tensor), required=True)


class FiniteDifference(Answer):
    """How far the matrix is from central differences."""

    step = number(above=0, required=True)
    max_abs_error = as_given(ref("Value"), required=True)


class Jacobian(Answer):
    """∂of_i/∂wrt_j, with its attestation by central differences."""

    of = text(required=True)
    wrt = text(required=True)
    matrix = fields.Nested(Tensor, required=True)
    finite_difference = fields.Nested(FiniteDifference, required=True)
    warnings = fields.List(fields.Nested(Warned), required=True)


class Titles(Answer):
    """A title in each language."""

    zh = text(required=True)
    en = text(required=True)


class ExampleEntry(Answer):
    """An example in the list."""

    name = text(required=True)
    title = fields.Nested(Titles, required=True)
    provenance = PROVENANCE


class Examples(Answer):
    """The named examples."""

    examples = fields.List(fields.Nested(ExampleEntry), required=True)
