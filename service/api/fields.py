"""Fields that read as strictly as the engine does, and whose JSON schema is made from the same bounds.

marshmallow's own fields are kinder than the wire contract (they take "1" for 1 and 1 for true), and a nested
list of its floats costs about a hundred times what one NumPy conversion does. Each constructor here hands the
value to one reader of the engine and states in JSON Schema exactly what that reader accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from marshmallow import ValidationError, fields

from ..engine import reading
from ..errors import BlockwalkError, Fault, InvalidRequest

JSONSchema = dict[str, Any]
Reader = Callable[[Any, str], Any]


MOST_ITEMS = 256


def ref(name: str) -> JSONSchema:
    """A reference to a named schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


ABSENT: Any = {
    "required": Fault("is required", expected="a value", got="nothing"),
    "null": Fault("should not be null", expected="a value", got="null"),
}
"""What a field says where it has no value."""


class Checked(fields.Field[Any]):
    """A value that one function reads (value, pointer -> value, or a refusal), with one JSON schema."""

    def __init__(self, read: Reader, schema: JSONSchema, *, says: str = "", **options: Any) -> None:
        super().__init__(error_messages=ABSENT, **options)
        self.read, self.schema, self.says = read, schema, says

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return self.read(value, "")
        except BlockwalkError as wrong:
            raise ValidationError(list(wrong.faults)) from None

    def json_schema(self) -> JSONSchema:
        """What is accepted, description and null included."""
        schema = dict(self.schema)
        if self.allow_none:
            if isinstance(schema.get("type"), str) and "enum" not in schema:
                schema["type"] = [schema["type"], "null"]
            else:
                schema = {"anyOf": [schema, {"type": "null"}]}
        return {**schema, "description": self.says} if self.says else schema


class Tensor(Checked):
    """Nested lists of numbers, read straight to a float64 array of one of the `ranks` (None: any)."""

    def __init__(
        self, *, ranks: tuple[int, ...] | None = None, infinite: bool = False, **options: Any
    ) -> None:
        super().__init__(
            partial(reading.as_tensor, infinite=infinite, ranks=ranks),
            tensor_schema(ranks, infinite),
            **options,
        )


def tensor_schema(ranks: Iterable[int] | None, infinite: bool = False, leaf: str = "number") -> JSONSchema:
    """Nested lists of one of these ranks. That no list is ragged lies beyond JSON Schema."""
    if ranks is None:
        return ref("Numbers")
    return nested(ref("Addend") if infinite else {"type": leaf}, ranks)


def nested(element: JSONSchema, ranks: Iterable[int]) -> JSONSchema:
    """Lists of elements nested to one of these depths; spelled out, since few generators follow recursion."""

    def depth(rank: int) -> JSONSchema:
        return {"type": "array", "minItems": 1, "items": depth(rank - 1)} if rank else element

    forms = [depth(rank) for rank in ranks]
    return forms[0] if len(forms) == 1 else {"anyOf": forms}


def number(
    *, least: float | None = None, above: float | None = None, below: float | None = None, **options: Any
) -> Checked:
    """A finite number within bounds."""
    bounds = {"minimum": least, "exclusiveMinimum": above, "exclusiveMaximum": below}
    schema = {"type": "number", **{name: bound for name, bound in bounds.items() if bound is not None}}
    return Checked(partial(reading.as_number, least=least, above=above, below=below), schema, **options)


def count(*, least: int = 1, most: int | None = None, **options: Any) -> Checked:
    """A whole number of at least `least`."""
    schema: JSONSchema = {"type": "integer", "minimum": least}
    if most is not None:
        schema["maximum"] = most

    def read(value: Any, pointer: str) -> int:
        whole = reading.as_count(value, pointer, least=least)
        if most is not None and whole > most:
            raise InvalidRequest("is too large", pointer=pointer, expected=f"<= {most}", got=whole)
        return whole

    return Checked(read, schema, **options)


def choice(words: Sequence[str], **options: Any) -> Checked:
    """One of the words."""
    schema = {"type": "string", "enum": list(words)}
    return Checked(lambda value, pointer: reading.as_choice(value, pointer, tuple(words)), schema, **options)


def flag(**options: Any) -> Checked:
    """true or false."""
    return Checked(reading.as_flag, {"type": "boolean"}, **options)


def text(**options: Any) -> Checked:
    """A string."""
    return Checked(reading.as_string, {"type": "string"}, **options)


def listed(item: Reader, of: JSONSchema, **options: Any) -> Checked:
    """A list of at most `MOST_ITEMS` items, each read by `item`: long ones cost time no budget counts."""

    def read(value: Any, pointer: str) -> list[Any]:
        found = reading.as_list(value, pointer)
        if len(found) > MOST_ITEMS:
            raise InvalidRequest(
                "is too long", pointer=pointer, expected=f"at most {MOST_ITEMS} items", got=len(found)
            )
        return [item(each, f"{pointer}/{i}") for i, each in enumerate(found)]

    return Checked(read, {"type": "array", "items": of, "maxItems": MOST_ITEMS}, **options)


def texts(**options: Any) -> Checked:
    """A list of strings."""
    return listed(reading.as_string, {"type": "string"}, **options)


class Named(fields.Dict):
    """An object whose names are the caller's, with values of one kind, at most `most` of them."""

    def __init__(self, values: Any, *, most: int, says: str = "", **options: Any) -> None:
        metadata = {"description": says, "maxProperties": most}
        super().__init__(keys=fields.String(), values=values, metadata=metadata, **options)
        self.most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[str, Any]:
        # marshmallow's own puts "value" into the path of every error.
        if not isinstance(value, Mapping):
            raise ValidationError([Fault("should be an object", expected="object")])
        if len(value) > self.most:
            raise ValidationError([Fault("has too many members", "", f"at most {self.most}", len(value))])
        found, wrong = {}, {}
        for name, each in value.items():
            try:
                found[name] = self.value_field.deserialize(each, name, value, **kwargs)  # type: ignore[union-attr]  # bound by then
            except ValidationError as error:
                wrong[name] = error.messages
        if wrong:
            raise ValidationError(wrong)
        return found


def as_given(schema: JSONSchema, **options: Any) -> Checked:
    """Handed on untouched: the engine reads it with the rest, since it only makes sense beside the rest."""
    return Checked(lambda value, _: value, schema, **options)
