"""A formula three times: LaTeX as written, plain text as written, and MathML made from the LaTeX."""

from __future__ import annotations

import re
from functools import lru_cache
from xml.etree import ElementTree as ET

from latex2mathml.converter import convert

PARTS = {"mfrac": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3, "mroot": 2}
"""How many parts an element of MathML has; the converter makes do with fewer, a reader does not."""


@lru_cache(maxsize=1024)
def mathml(latex: str) -> str:
    """MathML of a formula on its own line. Raises `ValueError` where the LaTeX cannot be read."""
    braces = re.sub(r"\\.", "", latex)
    if braces.count("{") != braces.count("}"):
        raise ValueError("cannot be read as LaTeX: the braces do not match")
    try:
        made = convert(latex, display="block")
    except Exception as error:  # the converter has no common class for its refusals
        raise ValueError(f"cannot be read as LaTeX: {type(error).__name__}") from error
    if "\\" in made:
        unknown = made[made.index("\\") :].partition("<")[0]
        raise ValueError(f"cannot be read as LaTeX: there is no command {unknown}")
    for each in ET.fromstring(made).iter():  # noqa: S314  # made a moment ago, from nobody else's XML
        name = each.tag.rpartition("}")[2]
        if len(each) < PARTS.get(name, 0):
            raise ValueError(f"cannot be read as LaTeX: a part of {name.removeprefix('m')} is missing")
    return made
