"""The form of `lecture.toml`: which keys there are, what they hold, and what the model makes of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate

from . import model
from .text import LANGUAGES, NOTHING, Text

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
"""What an id looks like: it becomes part of an address."""
NO_KEY, NO_LANGUAGE = "there is no such key here", "there is no such language"


class Words(fields.Field[Text]):
    """Text in both languages: `caption.zh` and `caption.en`, or one string where both read the same."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Text:
        if isinstance(value, str):
            return Text.shared(value.strip())
        if not isinstance(value, Mapping):
            raise ValidationError("should be a string, or one string for each of zh and en")
        wrong = {
            lang: [f"the {lang} text is missing"]
            for lang in LANGUAGES
            if not isinstance(value.get(lang), str) or not value[lang].strip()
        }
        wrong |= {str(key): [NO_LANGUAGE] for key in value if key not in LANGUAGES}
        if wrong:
            raise ValidationError(wrong)
        return Text(**{lang: value[lang].strip() for lang in LANGUAGES})


class Table(fields.Field[dict[str, Any]]):
    """A table of named things: `[rows.residual_1]`, `[rows.mean]` and so on, each read by one form."""

    def __init__(self, each: type[Form] | fields.Field[Any], **options: Any) -> None:
        super().__init__(load_default=dict, **options)
        self.each = each

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise ValidationError("should be a table of named tables")
        read: dict[str, Any] = {}
        wrong: dict[str, Any] = {}
        for name, inner in value.items():
            try:
                if not NAME.fullmatch(name):
                    raise ValidationError("a name has letters, digits, - and _, and begins with a letter")
                if isinstance(self.each, fields.Field):
                    read[name] = self.each.deserialize(inner)
                else:
                    read[name] = self.each(context_id=name).load(inner)
            except ValidationError as error:
                wrong[name] = error.messages
        if wrong:
            raise ValidationError(wrong)
        return read


class Form(Schema):
    """A table of fixed keys that becomes an object of the model; `id` is the name it stands under."""

    makes: type = object

    def __init__(self, *, context_id: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.error_messages.update(unknown=NO_KEY, type="should be a table")
        self.context_id = context_id

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> Any:
        if self.context_id is not None:
            data["id"] = self.context_id
        return self.makes(**data)


REQUIRED: dict[str, Any] = {"required": "is missing", "null": "is empty"}


def words(required: bool = True) -> Words:
    return Words(required=True, error_messages=REQUIRED) if required else Words(load_default=NOTHING)


def string(required: bool = True, **options: Any) -> fields.String:
    messages: dict[str, Any] = {**REQUIRED, "invalid": "should be a string"}
    if required:
        return fields.String(required=True, error_messages=messages, **options)
    return fields.String(load_default=None, error_messages=messages, **options)


def index(required: bool = True) -> fields.Integer:
    options: dict[str, Any] = {"strict": True, "validate": validate.Range(min=0, error="counts from 0")}
    messages: dict[str, Any] = {**REQUIRED, "invalid": "should be a whole number, counted from 0"}
    if required:
        return fields.Integer(required=True, error_messages=messages, **options)
    return fields.Integer(load_default=None, error_messages=messages, **options)


class Several(fields.List[Any]):
    """A list, kept as a tuple."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        return tuple(super()._deserialize(value, attr, data, **kwargs))


def several(each: fields.Field[Any] | None = None, **options: Any) -> Several:
    return Several(
        each or string(required=False),
        load_default=(),
        error_messages={"invalid": "should be a list"},
        **options,
    )


def tables() -> fields.Dict:
    return fields.Dict(load_default=None, error_messages={"invalid": "should be a table of named tables"})


class RowForm(Form):
    """A row or a statistic."""

    makes = model.Row
    step, token, head = string(), index(), index(required=False)
    label, symbol, detail = words(), string(), words(required=False)


class HeatMapForm(Form):
    """A heat map."""

    makes = model.HeatMap
    step, head = string(), index(required=False)
    label, symbol = words(), string()
    rows, columns = words(required=False), words(required=False)


class FormulaForm(Form):
    """A formula."""

    makes = model.Formula
    latex, text = string(), string()


class NodeForm(Form):
    """A node of a concept picture."""

    makes = model.Node
    label, lane = words(), string(required=False)
    role = string(
        validate=validate.OneOf(model.NODE_ROLES, error=f"should be one of {', '.join(model.NODE_ROLES)}")
    )
    detail = several(Words())


class EdgeForm(Form):
    """An edge between two nodes."""

    makes = model.Edge
    source, target = string(data_key="from"), string(data_key="to")
    role = string(
        validate=validate.OneOf(model.EDGE_ROLES, error=f"should be one of {', '.join(model.EDGE_ROLES)}")
    )


class StateForm(Form):
    """A state."""

    makes = model.State
    drawing = string(
        validate=validate.OneOf(model.DRAWINGS, error=f"should be one of {', '.join(model.DRAWINGS)}")
    )
    label, heading, caption = words(), words(), words()
    after = string(required=False)
    rows, statistics, heat_maps, formulas = several(), several(), several(), several()
    nodes, edges, notes = several(), several(), several()


class LinkForm(Form):
    """Something the service computes when asked."""

    makes = model.Link
    label, href = words(), string()
    body = fields.Dict(load_default=None, error_messages={"invalid": "should be a table"})


class PartForm(Form):
    """A stretch of a section."""

    makes = model.Part
    title, text, points = words(required=False), words(required=False), several(Words())
    formulas, rows, links = several(), several(), several()


class SectionForm(Form):
    """A section."""

    makes = model.Section
    title, subtitle = words(), words(required=False)
    parts = several(fields.Nested(PartForm))


class HandOverForm(Form):
    """A neighbouring page."""

    makes = model.HandOver
    lecture, text = string(), words()
    row, state, href = string(required=False), string(required=False), string(required=False)


class VariantForm(Form):
    """Other words for another block; read as a merge patch of the lecture's own tables."""

    makes = dict
    when = fields.Dict(required=True, error_messages={**REQUIRED, "invalid": "should be a table"})
    states, rows, statistics, heat_maps = tables(), tables(), tables(), tables()
    formulas, nodes, edges, lanes, notes = tables(), tables(), tables(), tables(), tables()


class LectureForm(Form):
    """The whole file."""

    makes = model.Lecture
    title, lead, series = words(), words(), words(required=False)
    trace = fields.Dict(required=True, error_messages={**REQUIRED, "invalid": "should be a trace request"})
    default_state = string()
    page_order = several()
    reading_order = several()
    states = Table(StateForm)
    rows, statistics = Table(RowForm), Table(RowForm)
    heat_maps, formulas = Table(HeatMapForm), Table(FormulaForm)
    nodes, edges, lanes = Table(NodeForm), Table(EdgeForm), Table(Words())
    notes, links, sections = Table(Words()), Table(LinkForm), Table(SectionForm)
    receives = fields.Nested(HandOverForm, load_default=None)
    hands_on = fields.Nested(HandOverForm, load_default=None)
    variants = Table(VariantForm)

    @post_load
    def make(self, data: dict[str, Any], **options: Any) -> Any:
        """Page order is the order of writing unless said; reading order is page order unless said.

        Variants are read from the file as it reads with them (see `reading.py`).
        """
        del data["variants"]
        data["page_order"] = data["page_order"] or tuple(data["states"])
        data["reading_order"] = data["reading_order"] or data["page_order"]
        return super().make(data, **options)
