"""What every body shares: unknown fields are refused by pointer, and all faults are told at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, fields

from ...engine.reading import escape, kind_of
from ...errors import Fault
from ..fields import ABSENT, text, texts


class Described(Schema):
    """A schema of the document. `beyond` is what its JSON schema says beyond its fields."""

    beyond: ClassVar[dict[str, Any]] = {}


class Body(Described):
    """A request body. `also` lists the types it is read from beside JSON."""

    also: ClassVar[tuple[str, ...]] = ()

    class Meta:
        unknown = RAISE

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        known = sorted(field.data_key or name for name, field in self.fields.items())
        self.error_messages["unknown"] = Fault("is no field that exists here", expected=known)  # type: ignore[assignment]  # no sentence: it passes through as it is
        for field in self.fields.values():  # nested objects too, whose own words are marshmallow's
            field.error_messages |= ABSENT
        self.error_messages["type"] = Fault("should be an object", expected="object")  # type: ignore[assignment]  # likewise


class Answer(Described):
    """The body of an answer. Never dumped through: it tells readers of the document what they get."""

    class Meta:
        unknown = RAISE


class LanguageNote(Answer):
    """A language that was asked for and does not exist."""

    asked = text(required=True)
    served = text(required=True)
    available = texts(required=True)


class Worded(Answer):
    """An answer with words in it, hence in one language; every `localized` route has one."""

    language_note = fields.Nested(LanguageNote, metadata={"description": "only where another was asked for"})


def faults(messages: Any, body: Any, pointer: str = "") -> Iterator[Fault]:
    """marshmallow's tree of messages as flat faults with pointers, what was got filled in from the body."""
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            # marshmallow puts faults of the object itself under "_schema".
            here = key == "_schema"
            yield from faults(
                inner,
                body if here else child(body, key),
                pointer if here else f"{pointer}/{escape(str(key))}",
            )
    elif isinstance(messages, list):
        for inner in messages:
            yield from faults(inner, body, pointer)
    else:
        fault = messages if isinstance(messages, Fault) else Fault(str(messages))
        got = kind_of(body) if fault.got is None else fault.got
        yield Fault(fault.detail, pointer + fault.pointer, fault.expected, got)


def child(body: Any, key: Any) -> Any:
    try:
        return body[key]
    except (KeyError, IndexError, TypeError):
        return None
