"""Which representation, and in which language: what the caller accepts against what there is."""

from __future__ import annotations

from collections.abc import Sequence

from flask import request
from werkzeug.datastructures import MIMEAccept

from ..errors import InvalidRequest, NotAcceptable

JSON = "application/json"
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
    """`?lang=` if given, else the best of `Accept-Language`, else Chinese. Raises `InvalidRequest`."""
    asked = request.args.get("lang")
    if asked is None:
        # Best first; en-GB is English (RFC 4647, section 3.4).
        liked = (each.partition("-")[0].lower() for each, q in request.accept_languages if q > 0)
        return next((each for each in liked if each in LANGUAGES), LANGUAGES[0])
    if asked not in LANGUAGES:
        raise InvalidRequest(
            f"there is no language {asked!r}", pointer="/lang", expected=[*LANGUAGES], got=asked
        )
    return asked
