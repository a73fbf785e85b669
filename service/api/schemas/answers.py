"""What the operations answer with, for the document; the values themselves go out through `tensors.py`."""

from __future__ import annotations

from marshmallow import fields

from ... import engine
from ..fields import NON_FINITE, as_given, choice, count, number, ref, text, texts
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
    """What a trace costs; exact but for small change."""

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
        {"anyOf": [{"type": "number", "minimum": 0}, NON_FINITE]},
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
    max_abs_error = as_given({"anyOf": [{"type": "number", "minimum": 0}, NON_FINITE]}, required=True)


class Jacobian(Answer):
    """∂of_i/∂wrt_j, with its attestation by central differences."""

    of = text(required=True)
    wrt = text(required=True)
    matrix = fields.Nested(Tensor, required=True)
    finite_difference = fields.Nested(FiniteDifference, required=True)


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


class Health(Answer):
    """That the service is there."""

    status = choice(("ok",), required=True)
    engine = text(required=True)


class Limits(Answer):
    """The limits in force; each is a setting of the deployment."""

    max_json_bytes = count(required=True, says="longest JSON body")
    max_binary_bytes = count(required=True, says="longest safetensors body")
    max_depth = count(required=True, says="deepest nesting of a JSON body")
    max_tensors = count(required=True, says="most tensors in a safetensors body")
    max_rank = count(required=True, says="most dimensions of an array")
    max_elements = count(required=True, says="most numbers that one request may have computed")
    max_bytes = count(required=True, says="most bytes that these may take")
    max_multiply_adds = count(required=True)
    max_json_numbers = count(required=True, says="most numbers in one JSON answer")
    deadline_seconds = number(above=0, required=True)
    max_concurrent = count(required=True, says="computations at once in one worker")
    queue_seconds = number(least=0, required=True)
    rate_units = count(
        least=0, required=True, says="cost units a minute for a caller without an API key; 0 for no limit"
    )


class ProblemKind(Answer):
    """What one problem type means."""

    type = text(required=True)
    title = text(required=True)
    status = count(required=True)
    description = text(required=True)


class FaultEntry(Answer):
    """One thing that is wrong."""

    pointer = text(required=True, says="JSON pointer (RFC 6901) into the request; empty for all of it")
    detail = text(required=True)
    expected = as_given({}, required=True)
    got = as_given({}, required=True)


class Problem(Answer):
    """What every error answers with (RFC 9457)."""

    type = text(required=True, says="the address of an explanation; its last part names the kind")
    title = text(required=True)
    status = as_given({"type": "integer", "minimum": 400, "maximum": 599}, required=True)
    detail = text(required=True)
    instance = text(required=True, says="the address that was asked")
    request_id = text(required=True, says="also in X-Request-ID, and in the service's log")
    errors = fields.List(fields.Nested(FaultEntry), required=True)
    estimate = fields.Nested(Estimate, metadata={"description": "cost-limit: what the request would cost"})
    limit = as_given({"type": "object", "additionalProperties": SIZE}, says="cost-limit: what it may cost")
