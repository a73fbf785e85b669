"""What the service says of itself: health, limits, problems."""

from __future__ import annotations

from marshmallow import fields

from ..fields import as_given, choice, count, number, text
from .answers import SIZE, Estimate
from .base import Answer


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
