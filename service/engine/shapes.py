"""The shape of everything in a run before it runs, and whether masks, edits and rows asked for fit."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..errors import Fault, InvalidRequest, OperandMismatch, ShapeMismatch
from .graph import Leaf, Step
from .ops import Misfit, Shape
from .reading import escape
from .subject import Subject

ROW_AXES = ("token", "query")
"""The axes that `tokens` picks rows of."""


def shapes_of(subject: Subject, needed: Collection[str]) -> dict[str, Shape]:
    """Leaves and given steps have the shapes of their arrays or known sizes; other steps what their ops say.

    Raises `ShapeMismatch` naming the operands that do not fit each other.
    """
    shapes: dict[str, Shape] = {}
    for name, leaf in subject.graph.leaves.items():
        if name in needed and leaf.kind != "mask":
            shapes[name] = outer_shape(subject, leaf)
    for step in subject.graph:
        if step.name not in needed:
            continue
        if step.name in subject.given:
            shapes[step.name] = outer_shape(subject, step)
        else:
            shapes[step.name] = inner_shape(subject, step, shapes)
    return shapes


def outer_shape(subject: Subject, known: Leaf | Step) -> Shape:
    """The shape of a value that comes from outside; one sent without a batch axis serves every member."""
    r, name = subject.request, known.name
    learned = isinstance(known, Leaf) and known.kind == "parameter"
    pointer = f"/parameters/{escape(name)}" if learned else f"/{name}"
    if name in subject.given:
        array, pointer = subject.amount(name), f"{subject.edits[name][0].pointer}/set"
    elif learned:
        array = r.parameters.get(name)
    else:
        array = getattr(r, name)
    own = subject.sizes.shape(name, known.axes, pointer) if array is None else array.shape[-len(known.axes) :]
    return own if learned or subject.batch is None else (subject.batch, *own)


def inner_shape(subject: Subject, step: Step, shapes: Mapping[str, Shape]) -> Shape:
    """The shape of a computed step, from its operands'."""
    operands = [name for name in step.inputs if name in shapes]
    try:
        return step.op.shape(*(shapes[name] for name in operands), **step.options)
    except Misfit as misfit:
        got = " and ".join(f"{name} {list(shapes[name])}" for name in operands)
        places = [misfit.pointer] if misfit.pointer else origins(subject, step)
        detail = f"{step.name} is made from {got}: {misfit}"
        faults = [Fault(detail, place, expected=str(misfit), got=got) for place in places]
        raise OperandMismatch(detail, faults=faults) from None


def origins(subject: Subject, step: Step) -> list[str]:
    """Where in the request the rows of a step come from: the inputs and given steps that it rests on."""
    behind = subject.graph.needed([step.name], subject.given)
    learned = subject.graph.parameters()
    return [each.pointer for each in subject.arrays if each.name in behind and each.name not in learned] or [
        ""
    ]


def check_edits(subject: Subject, shapes: Mapping[str, Shape]) -> None:
    """Refuse an intervention whose region or amount does not fit its step; of a step that is not needed, and
    whose shape therefore need not be known, at least the axes must exist."""
    for name, edits in subject.edits.items():
        for edit in edits:
            if name in shapes:
                edit.check(subject.axes(name), shapes[name])
            else:
                edit.check_axes(subject.axes(name))


def check_masks(subject: Subject, shapes: Mapping[str, Shape]) -> None:
    """Refuse a mask that does not spread over the scores, [(batch,) head, query, key]."""
    scores = shapes.get("attention.masked_scores")
    if scores is None:
        return
    mask, padding = subject.block.mask, subject.block.key_padding_keep
    for name in ("keep", "additive"):
        array = getattr(mask, name, None)
        if array is not None and not spreads(array.shape, scores):
            raise ShapeMismatch(
                f"mask.{name}",
                axis="shape",
                expected=list(scores[-array.ndim :]),
                got=list(array.shape),
                pointer=f"/block/mask/{name}",
                because="the scores have it",
            )
    if padding is not None:
        by_key = padding.ndim == 1 or subject.batch is None
        expected = scores[-1:] if by_key else (scores[0], scores[-1])
        if padding.shape != expected:
            raise ShapeMismatch(
                "key_padding_keep",
                axis="key" if by_key else "batch, key",
                expected=list(expected),
                got=list(padding.shape),
                pointer="/block/key_padding_keep",
                because="the scores have it",
            )


def spreads(shape: Shape, scores: Shape) -> bool:
    """Whether a mask fits scores: queries and keys exactly, heads and batch exactly or one for all."""
    exact = shape[-2:] == scores[-2:] and len(shape) <= len(scores)
    return exact and all(a in (1, b) for a, b in zip(shape[::-1], scores[::-1], strict=False))


def check_tokens(subject: Subject, kept: Collection[str], shapes: Mapping[str, Shape]) -> None:
    """Refuse a row that some kept step does not have."""
    for i, token in enumerate(subject.request.tokens or ()):
        for name, shape in shapes.items():
            for axis, length in zip(subject.axes(name), shape, strict=True) if name in kept else ():
                if axis in ROW_AXES and token >= length:
                    raise InvalidRequest(
                        f"{name} has {length} tokens",
                        pointer=f"/tokens/{i}",
                        expected=f"0 to {length - 1}",
                        got=token,
                    )
