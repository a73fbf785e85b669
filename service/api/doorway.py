"""The blueprint that every room of the API uses: it settles everything HTTP, so that a view is a doorway.

    @blp.post("/trace")
    @blp.takes(TraceRequest, examples=samples.TRACE)
    @blp.answers(Trace, media=(JSON, SAFETENSORS), heavy=True)
    def trace(request):
        '''Run one block and return every intermediate.'''
        return wire.trace(engine.trace(request, budget=budget()))

`takes` reads the body. `answers` negotiates, answers 304 where the caller holds the answer already, waits for
a turn to compute, encodes, and sets the caching headers. Both document what they do (see `described.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import wraps
from typing import Any

from flask import Response, current_app, g, request
from flask_smorest import Blueprint as SmorestBlueprint

from . import binary, caching
from .body import Parser
from .caching import COMPUTED
from .described import Contract, View, describe_answer, describe_body
from .limits import check_json, slot
from .media import JSON, SAFETENSORS, SVG, chosen_language, chosen_media, language_note
from .tensors import dumps

ENCODERS: dict[str, Callable[[Any], bytes]] = {
    JSON: dumps,
    SAFETENSORS: binary.write_answer,
    SVG: str.encode,
}


class Blueprint(SmorestBlueprint):
    """A room of the API."""

    ARGUMENTS_PARSER = Parser()

    def get(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Register a view for GET (and, with it, HEAD and OPTIONS)."""
        decorate: Callable[[View], View] = super().get(rule, **options)
        return decorate

    def post(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Register a view for POST."""
        decorate: Callable[[View], View] = super().post(rule, **options)
        return decorate

    def takes(self, schema: Any, *, examples: dict[str, Any]) -> Callable[[View], View]:
        """The body, read by `schema` and handed to the view as its first argument.

        `examples` maps names to `sample(summary, value)`; the document shows them and the tests send them.
        """

        def decorate(view: View) -> View:
            # One instance for all requests: making one copies every field.
            taken: View = self.arguments(schema(), examples=examples)(describe_body(view, schema))
            return taken

        return decorate

    def answers(
        self,
        schema: Any = None,
        *,
        media: Sequence[str] = (JSON,),
        cache: str = COMPUTED,
        heavy: bool = False,
        localized: bool = False,
        refuses: Sequence[int] = (),
    ) -> Callable[[View], View]:
        """The answer: plain data (or text, for an SVG) that the view returns, in one of the `media`.

        `cache` is the Cache-Control of the route, `heavy` work waits for a turn, `localized` answers follow
        the caller's language (`g.lang`); `refuses` lists further statuses of the view (404, 422).
        """

        def decorate(view: View) -> View:
            @wraps(view)
            def answer(*args: Any, **kwargs: Any) -> Response:
                chosen = chosen_media(media)
                g.lang = chosen_language() if localized else None
                asked = (request.path, request.args.to_dict(flat=False), chosen, g.lang)
                tag = caching.etag(*asked, args, kwargs)
                if cache != caching.NEVER and caching.unchanged(tag):
                    response = current_app.response_class(status=304)
                    del response.headers["Content-Type"]
                else:
                    body = produced(view, heavy, chosen, args, kwargs)
                    response = current_app.response_class(body, mimetype=chosen)
                return labelled(response, tag, cache, g.lang)

            contract = Contract(schema, tuple(media), cache, heavy, localized, tuple(refuses))
            return describe_answer(answer, contract)

        return decorate


def produced(view: View, heavy: bool, media: str, args: Any, kwargs: Any) -> bytes:
    """The encoded answer of the view, computed and written in its turn if it is heavy."""
    with slot() if heavy else nullcontext():
        found = view(*args, **kwargs)
        if g.lang is not None and isinstance(found, dict):
            found = {**found, **language_note(g.lang)}
        if media == JSON:
            check_json(found)
        return ENCODERS[media](found)


def labelled(response: Response, tag: str, cache: str, lang: str | None) -> Response:
    """The headers by which caches and browsers tell answers apart."""
    response.headers["Cache-Control"] = cache
    if cache != caching.NEVER:
        response.set_etag(tag, weak=True)
    response.vary.add("Accept")
    if lang is not None:
        response.vary.add("Accept-Language")
        response.content_language.add(lang)
    return response
