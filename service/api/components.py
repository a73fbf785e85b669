"""The named parts of the OpenAPI document: recursive and united schemas, headers, error responses."""

from __future__ import annotations

from typing import Any

from ..engine import LAYOUTS
from ..engine.reading import MAX_RANK
from ..grading import MAX_LENGTH
from .fields import NON_FINITE, ref, tensor_schema

NULL = {"type": "null"}
KEEP_RANKS = (2, 3, 4)
DECIMAL = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+\-−]?[0-9]{1,3})?"


def either(*schemas: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"anyOf": list(schemas), **more}


def closed(title: str, properties: dict[str, Any], required: list[str], **more: Any) -> dict[str, Any]:
    """An object with these properties and no others."""
    return {
        "type": "object", "title": title, "properties": properties, "required": required,
        "additionalProperties": False, **more,
    }  # fmt: skip


WHERE = {
    "type": "object",
    "description": "axis of the step -> the indices touched",
    "additionalProperties": {
        "type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1, "uniqueItems": True,
    },
}  # fmt: skip
STEP = {"type": "string", "description": "a step's name, or `output`"}
AMOUNT = either({"type": "number"}, ref("Numbers"))

TYPED = {
    "type": "string",
    "description": "such as -0.198 (either minus), 1/2, 1e-3, or ∞ where a masked score is asked for",
    "maxLength": MAX_LENGTH,
    "pattern": rf"^[+\-−]?({DECIMAL}(\s*/\s*{DECIMAL})?|∞|[Ii]nf(inity)?)$",
}


def intervention(title: str, action: str, amount: dict[str, Any]) -> dict[str, Any]:
    return closed(title, {"step": STEP, action: amount, "where": either(WHERE, NULL)}, ["step", action])


MASK_PARTS: dict[str, dict[str, Any]] = {
    "causal": {"type": "boolean"},
    "keep": {"description": "true = may attend", **tensor_schema(KEEP_RANKS, leaf="boolean")},
    "additive": {"description": "added to the scaled scores", **tensor_schema(KEEP_RANKS, infinite=True)},
}


def mask(title: str, said: str) -> dict[str, Any]:
    """A mask that says this part, and perhaps others."""
    parts = {name: part if name == said else either(part, NULL) for name, part in MASK_PARTS.items()}
    return closed(title, parts | ({"causal": {"const": True}} if said == "causal" else {}), [said])


SCHEMAS: dict[str, dict[str, Any]] = {
    "Numbers": {
        "type": "array",
        "minItems": 1,
        "description": f"nested row-major lists of finite numbers, no list ragged, at most {MAX_RANK} deep",
        "items": either({"type": "number"}, ref("Numbers")),
    },
    "Values": {
        "description": "nested row-major lists; non-finite numbers are strings",
        **either({"type": "number"}, NON_FINITE, {"type": "array", "items": ref("Values")}),
    },
    "Answered": {
        "type": "array",
        "minItems": 1,
        "description": "nested row-major lists of numbers, each a number or a string as a student types it",
        "items": either({"type": "number"}, TYPED, ref("Answered")),
    },
    "Flags": {
        "description": "nested row-major lists of true and false",
        **either({"type": "boolean"}, {"type": "array", "items": ref("Flags")}),
    },
    "KeyPadding": {
        "description": "[key] or [batch, key]; true = may be attended to",
        **tensor_schema((1, 2), leaf="boolean"),
    },
    "Mask": {
        "description": (
            "`causal`, `keep` and `additive` combine; "
            "[query, key], [head, query, key] or [batch, head, query, key]"
        ),
        **either(
            {"type": "string", "const": "causal", "title": "CausalMask"},
            # Parts may be null, which says nothing; a mask says at least one of them.
            mask("KeepMask", "keep"),
            mask("AdditiveMask", "additive"),
            mask("CausalPartMask", "causal"),
        ),
    },
    "Position": {
        "oneOf": [
            closed(
                "Rope",
                {
                    "rope": closed(
                        "RopeOptions",
                        {
                            "theta": {"type": "number", "exclusiveMinimum": 0, "default": 10000},
                            "layout": {"type": "string", "enum": list(LAYOUTS), "default": LAYOUTS[0]},
                        },
                        [],
                    )
                },
                ["rope"],
            ),
            closed("Alibi", {"alibi": {"const": True}}, ["alibi"]),
        ]
    },
    "Intervention": {
        "oneOf": [
            intervention("SetIntervention", "set", AMOUNT),
            intervention("ScaleIntervention", "scale", {"type": "number"}),
            intervention("AddIntervention", "add", AMOUNT),
        ]
    },
}

HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-ID": {
        "description": "the id under which this request is logged: yours if well-formed, else a new one",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"},
    },
    "ETag": {"description": "weak; send it back in If-None-Match", "schema": {"type": "string"}},
    "Cache-Control": {"description": "how long this may be kept", "schema": {"type": "string"}},
    "Vary": {"description": "the request headers that this answer depends on", "schema": {"type": "string"}},
    "Content-Language": {"description": "the language of the answer", "schema": {"type": "string"}},
    "Retry-After": {"description": "seconds after which to try again", "schema": {"type": "integer"}},
}


COMMON = {"X-Request-ID": "X-Request-ID"}
LATER = {**COMMON, "Retry-After": "Retry-After"}

# Name -> what it means, and its headers by the names they have above.
RESPONSES: dict[str, tuple[str, dict[str, str]]] = {
    "NotModified": ("You hold this answer already: If-None-Match names its ETag", {"ETag": "ETag"}),
    "NotJSON": ("The body could not be read: not JSON, too deep, beyond float64, a key twice", COMMON),
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
