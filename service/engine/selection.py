"""Which names the answer holds, and whether everything they rest on is there."""

from __future__ import annotations

from fnmatch import fnmatchcase

from ..errors import Fault, InvalidRequest, Misread, MissingValue, UnknownName
from .graph import Leaf
from .reading import escape
from .subject import Subject


def selected(subject: Subject) -> set[str]:
    """The names that a request keeps: what it selects, or everything that the output rests on.

    A glob takes what the output rests on, and where nothing of that matches, whatever can be computed; a name
    by itself is taken at its word.
    """
    graph, select = subject.graph, subject.request.select
    usual = graph.needed([graph.output], subject.given)
    if select is None:
        return usual
    chosen: set[str] = set()
    for i, pattern in enumerate(select):
        pointer = f"/select/{i}"
        if not any(sign in pattern for sign in "*?["):
            chosen.add(subject.resolve(pattern, pointer))
            continue
        matching = [name for name in graph.names() if fnmatchcase(name, pattern)]
        if not matching:
            raise UnknownName("step matching", pattern, graph.names(), pointer=pointer)
        possible = [
            name
            for name in matching
            if name in usual or not missing(subject, graph.needed([name], subject.given))
        ]
        chosen.update(possible or matching)
    if not chosen:
        raise Misread("selects nothing", pointer="/select", expected="at least one step", got=[])
    return chosen


def missing(subject: Subject, needed: set[str]) -> list[Leaf]:
    """The leaves among the needed that nobody sends and nothing makes up."""
    r = subject.request
    return [
        leaf
        for name, leaf in subject.graph.leaves.items()
        if name in needed
        and name not in subject.given
        and (
            (leaf.kind == "given" and getattr(r, name) is None)
            or (leaf.initial == "draw" and name not in r.parameters and r.seed is None)
        )
    ]


def check_values(subject: Subject, needed: set[str]) -> None:
    """Refuse missing values, all of them at once, and a seed that nothing could draw from.

    The seed is judged by the whole block, not by what is selected of it: who always sends a seed is not
    refused for asking less.
    """
    r = subject.request
    if absent := missing(subject, needed):
        faults = [missing_fault(subject, leaf, needed) for leaf in absent]
        raise MissingValue(faults[0].detail, faults=faults)
    if r.seed is None and subject.block.dropout:
        raise MissingValue("dropout draws from a seed", pointer="/seed", expected="a whole number")
    whole = needed | subject.graph.needed([subject.graph.output], subject.given)
    if r.seed is not None and not draws(subject, whole):
        raise InvalidRequest(
            "there is nothing to draw: every needed weight is sent and dropout is off",
            pointer="/seed",
            expected="no seed, or a weight left out, or dropout",
            got=r.seed,
        )


def draws(subject: Subject, needed: set[str]) -> bool:
    """Whether anything among the needed is made up from the seed."""
    return subject.block.dropout > 0 or any(
        leaf.initial == "draw"
        and name in needed
        and name not in subject.request.parameters
        and name not in subject.given
        for name, leaf in subject.graph.leaves.items()
    )


def missing_fault(subject: Subject, leaf: Leaf, needed: set[str]) -> Fault:
    """Say which value is missing, which step needs it, and what would do instead."""
    user = next(
        (s.name for s in subject.graph if leaf.name in s.inputs and s.name in needed), "the selection"
    )
    learned = leaf.kind == "parameter"
    return Fault(
        f"{leaf.name} is missing; {user} needs it",
        pointer=f"/parameters/{escape(leaf.name)}" if learned else f"/{leaf.name}",
        expected=f"an array [{', '.join(leaf.axes)}]{', or a seed' if learned else ''}",
    )
