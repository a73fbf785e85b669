"""Which representation, and in which language: what the caller accepts against what there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import request
from werkzeug.datastructures import LanguageAccept, MIMEAccept

from ..errors import NotAcceptable

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
SAFETENSORS = "application/vnd.blockwalk+safetensors"
SVG = "image/svg+xml"
LANGUAGES = ("zh", "en")


def chosen_media(offered: Sequence[str]) -> str:
    """The offered media type that `Accept` likes best; the first among equals, and if nothing is said.

    Raises `NotAcceptable` naming what there is.
    """
    # Parameters but q (a charset, say) name no other representation of ours.
    accept = MIMEAccept([(each.partition(";")[0].strip(), q) for each, q in request.accept_mimetypes])
    if not accept:
        return offered[0]
    best = max(offered, key=accept.quality)
    if accept.quality(best) <= 0:
        said = request.headers.get("Accept", "")
        raise NotAcceptable(
            f"this address answers with {' or '.join(offered)}", expected=[*offered], got=said
        )
    return best


def chosen_language() -> str:
    """`?lang=` if it is one of ours (`en-GB` is), else the best of `Accept-Language`, else Chinese."""
    asked = primary(request.args.get("lang", ""))
    return asked if asked in LANGUAGES else preferred(request.accept_languages)


def preferred(accept: LanguageAccept) -> str:
    """The first of ours that a list of language ranges leads to, best range first (RFC 4647, lookup)."""
    refused = {primary(language) for language, quality in accept if not quality}
    for language, quality in accept:
        wanted = LANGUAGES if language == "*" else (primary(language),)
        for each in wanted if quality else ():
            if each in LANGUAGES and each not in refused:
                return each
    return LANGUAGES[0]


def primary(language: str) -> str:
    """`zh-Hans-CN` -> `zh`."""
    return language.partition("-")[0].lower()


def language_note(served: str) -> dict[str, Any]:
    """What an answer says where `?lang=` asked for a language that there is not; nothing otherwise."""
    asked = request.args.get("lang")
    if asked is None or primary(asked) in LANGUAGES:
        return {}
    return {"language_note": {"asked": asked, "served": served, "available": [*LANGUAGES]}}
