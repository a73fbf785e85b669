"""A formula three times: LaTeX as written, plain text as written, and MathML made from the LaTeX."""

from __future__ import annotations

from functools import lru_cache

from latex2mathml.converter import convert


@lru_cache(maxsize=1024)
def mathml(latex: str) -> str:
    """MathML of a formula on its own line. Raises `ValueError` where the LaTeX cannot be read."""
    try:
        made = convert(latex, display="block")
    except Exception as error:  # the converter has no common class for its refusals
        raise ValueError(f"cannot be read as LaTeX: {type(error).__name__}") from error
    if "\\" in made:
        unknown = made[made.index("\\") :].partition("<")[0]
        raise ValueError(f"cannot be read as LaTeX: there is no command {unknown}")
    return made
