"""The named parts of the OpenAPI document: recursive and united schemas, headers, error responses."""

from __future__ import annotations

from typing import Any

from ..engine import LAYOUTS
from ..engine.reading import MAX_RANK
from ..grading import MAX_LENGTH
from .fields import nested, ref, tensor_schema

NULL = {"type": "null"}
KEEP_RANKS = (2, 3, 4)
INSIDE = range(1, MAX_RANK + 1)
ANSWERED = range(MAX_RANK + 1)
DECIMAL = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+\-−]?[0-9]{1,3})?"


def either(*schemas: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"anyOf": list(schemas), **more}


def closed(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    """An object with these properties and no others."""
    return {
        "type": "object", "properties": properties, "required": required, "additionalProperties": False,
    }  # fmt: skip


TYPED = {
    "type": "string",
    "description": "such as -0.198 (either minus), 1/2, 1e-3, or ∞ where a masked score is asked for",
    "maxLength": MAX_LENGTH,
    "pattern": rf"^[+\-−]?({DECIMAL}(\s*/\s*{DECIMAL})?|∞|[Ii]nf(inity)?)$",
}
MASK_PARTS: dict[str, dict[str, Any]] = {
    "causal": {"type": "boolean"},
    "keep": {"description": "true = may attend", **tensor_schema(KEEP_RANKS, leaf="boolean")},
    "additive": {"description": "added to the scaled scores", **tensor_schema(KEEP_RANKS, infinite=True)},
}


def mask(said: str) -> dict[str, Any]:
    """A mask that says this part, and perhaps others: null says nothing, and a mask says something."""
    parts = {name: part if name == said else either(part, NULL) for name, part in MASK_PARTS.items()}
    if said == "causal":
        parts["causal"] = {"type": "boolean", "const": True}
    return {"description": f"a mask that says `{said}`"} | closed([said], **parts)


def intervention(action: str, amount: dict[str, Any]) -> dict[str, Any]:
    step = {"type": "string", "description": "a step's name, or `output`"}
    parts = {"step": step, action: amount, "where": either(ref("Where"), NULL)}
    return {"description": f"`{action}` the step, or the part of it that `where` names"} | closed(
        ["step", action], **parts
    )


# Each member of a union has a name of its own, so that generated clients have one for it too.
SCHEMAS: dict[str, dict[str, Any]] = {
    "NonFinite": {"type": "string", "enum": ["-Infinity", "Infinity", "NaN"]},
    "Addend": {"description": "added to a scaled score", **either({"type": "number"}, ref("NonFinite"))},
    "Value": {"description": "a computed number", **either({"type": "number"}, ref("NonFinite"))},
    "Values": {
        "description": "a number, or nested row-major lists; non-finite numbers are strings",
        **nested(ref("Value"), ANSWERED),
    },
    "Numbers": {
        "description": "nested row-major lists of finite numbers, no list ragged",
        **nested({"type": "number"}, INSIDE),
    },
    "Amount": {
        "description": "a number, or an array that broadcasts from the right",
        **either({"type": "number"}, ref("Numbers")),
    },
    "TypedNumber": either({"type": "number"}, TYPED),
    "Answered": {
        "description": "nested row-major lists of numbers, each a number or a string as a student types it",
        **nested(ref("TypedNumber"), INSIDE),
    },
    "Flags": {
        "description": "true or false, or nested row-major lists of them",
        **nested({"type": "boolean"}, ANSWERED),
    },
    "KeyPadding": {
        "description": "[key] or [batch, key]; true = may be attended to",
        **tensor_schema((1, 2), leaf="boolean"),
    },
    "CausalMask": {"type": "string", "const": "causal"},
    "CausalPartMask": mask("causal"),
    "KeepMask": mask("keep"),
    "AdditiveMask": mask("additive"),
    "Mask": {
        "description": (
            "`causal`, `keep` and `additive` combine; "
            "[query, key], [head, query, key] or [batch, head, query, key]"
        ),
        **either(*map(ref, ("CausalMask", "CausalPartMask", "KeepMask", "AdditiveMask"))),
    },
    "RopeOptions": {"description": "base, and which features make a pair"} | closed(
        [],
        theta={"type": "number", "exclusiveMinimum": 0, "default": 10000},
        layout={"type": "string", "enum": list(LAYOUTS), "default": LAYOUTS[0]},
    ),
    "Rope": {"description": "rotary positions"} | closed(["rope"], rope=ref("RopeOptions")),
    "Alibi": {"description": "linear biases by distance"}
    | closed(["alibi"], alibi={"type": "boolean", "const": True}),
    "Position": {"oneOf": [ref("Rope"), ref("Alibi")]},
    "Where": {
        "type": "object",
        "description": "axis of the step -> the indices touched",
        "additionalProperties": {
            "type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1, "uniqueItems": True,
        },
    },
    "SetIntervention": intervention("set", ref("Amount")),
    "ScaleIntervention": intervention("scale", {"type": "number"}),
    "AddIntervention": intervention("add", ref("Amount")),
    "Intervention": {"oneOf": [*map(ref, ("SetIntervention", "ScaleIntervention", "AddIntervention"))]},
}  # fmt: skip

HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-ID": {
        "description": "the id under which this request is logged: yours if well-formed, else a new one",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"},
    },
    "ETag": {"description": "weak; send it back in If-None-Match", "schema": {"type": "string"}},
    "Cache-Control": {"description": "how long this may be kept", "schema": {"type": "string"}},
    "Vary": {"description": "the request headers that this answer depends on", "schema": {"type": "string"}},
    "Content-Language": {"description": "the language of the answer", "schema": {"type": "string"}},
    "WWW-Authenticate": {"description": "how to send a key", "schema": {"type": "string"}},
    "Retry-After": {"description": "seconds after which to try again", "schema": {"type": "integer"}},
}


COMMON = {"X-Request-ID": "X-Request-ID"}
LATER = {**COMMON, "Retry-After": "Retry-After"}

# Name -> what it means, and its headers by the names they have above.
RESPONSES: dict[str, tuple[str, dict[str, str]]] = {
    "NotModified": ("You hold this answer already: If-None-Match names its ETag", {"ETag": "ETag"}),
    "NotJSON": ("The body could not be read: not JSON, too deep, beyond float64, a key twice", COMMON),
    "Unauthorized": (
        "An API key that is not known, or none where this deployment asks for one (`Authorization: Bearer`)",
        {**COMMON, "WWW-Authenticate": "WWW-Authenticate"},
    ),
    "NotFound": ("Nothing of that name; the problem lists what there is", COMMON),
    "NotAcceptable": ("No representation that Accept allows", COMMON),
    "BodyTooLarge": ("The body is longer than the limit, which the problem names", COMMON),
    "UnsupportedMediaType": ("The body has a type or a coding that is not read here", COMMON),
    "InvalidRequest": (
        "Understood but wrong, each fault with its pointer; or too costly (cost-limit)", COMMON,
    ),
    "TooManyRequests": ("Too many requests from one caller", LATER),
    "InternalError": ("The service's own fault", COMMON),
    "Unavailable": ("All places to compute are taken, or the computation took too long", LATER),
}  # fmt: skip
