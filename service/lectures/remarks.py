"""What must be said beside changed numbers: which values differ, and which parts read something else now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .changes import Change, Rewiring, scope_of
from .printing import shortest
from .run import Run
from .text import Text

MOST_PRINTED = 8
CHANGED = Text("已改动：{changes}", "Changed: {changes}")
REWIRED = Text("接线与本页不同：{parts}", "Wired differently from this page: {parts}")
UNTOLD = Text("；文字说的是本页自己的接线", "; the words speak of the page's own wiring")
PART = Text("{scope} 读入 {now}（本页：{page}）", "{scope} reads {now} (the page: {page})")
BETWEEN = Text("；", "; ")
COMMA = Text("、", ", ")


def remarks(run: Run, steps: Iterable[str], lang: str) -> list[str]:
    """The notes that a changed state adds to its own; none for the lecture's own numbers."""
    said = []
    if run.changes:
        listed = BETWEEN.in_(lang).join(spoken(change) for change in run.changes)
        said.append(CHANGED.in_(lang).format(changes=listed))
    scopes = [scope for scope in dict.fromkeys(map(scope_of, steps)) if scope in run.rewired]
    if parts := [spoken_wiring(run.rewired[scope], lang) for scope in scopes]:
        listed = REWIRED.in_(lang).format(parts=BETWEEN.in_(lang).join(parts))
        said.append(listed + ("" if run.untold.isdisjoint(scopes) else UNTOLD.in_(lang)))
    return said


def spoken(change: Change) -> str:
    """`block.epsilon 10⁻⁵ → 0.1`, or the name alone where the values are too long to print."""
    name = change.pointer.removeprefix("/").replace("/", ".")
    before, after = printed(change.before), printed(change.after)
    return f"{name} {before} → {after}" if before and after else f"{name} → {after}" if after else name


def printed(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return shortest([value])
        case str():
            return value
        case [[*only]]:
            return printed(only)
        case [*numbers] if 0 < len(numbers) <= MOST_PRINTED and all(
            isinstance(n, int | float) for n in numbers
        ):
            return shortest(numbers)
        case _:
            return ""


def spoken_wiring(rewiring: Rewiring, lang: str) -> str:
    comma = COMMA.in_(lang)
    return PART.in_(lang).format(
        scope=rewiring.scope, now=comma.join(rewiring.now), page=comma.join(rewiring.page)
    )
