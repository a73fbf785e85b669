"""The exception tree: every refusal says what, where (JSON pointer), expected and got.

Each class knows its problem type, its title and its HTTP status, so that the one handler in `app.py`
can answer any of them (RFC 9457) without knowing which it holds. Nothing here knows HTTP beyond that number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: the sentence, the JSON pointer to it, and expected beside got."""

    detail: str
    pointer: str = ""
    expected: Any = None
    got: Any = None


class BlockwalkError(Exception):
    """The root of the tree; never raised itself. `faults` holds at least one `Fault`."""

    type: str = "internal-error"
    title: str = "The service failed"
    status: int = 500

    def __init__(
        self,
        detail: str,
        *,
        pointer: str = "",
        expected: Any = None,
        got: Any = None,
        faults: Iterable[Fault] = (),
    ) -> None:
        self.faults = tuple(faults) or (Fault(detail, pointer, expected, got),)
        super().__init__(detail)

    @property
    def detail(self) -> str:
        """What is wrong, in one sentence."""
        return str(self)

    def under(self, prefix: str) -> Self:
        """Re-root every pointer below `prefix`: a trace request may itself lie inside a larger body."""
        self.faults = tuple(replace(fault, pointer=prefix + fault.pointer) for fault in self.faults)
        return self

    def members(self) -> Mapping[str, Any]:
        """Extension members of the problem document, beyond those every problem has."""
        return {}

    def headers(self) -> Mapping[str, str]:
        """HTTP headers that must accompany the answer."""
        return {}


class InvalidRequest(BlockwalkError):
    """Understood, but wrong."""

    type = "invalid-request"
    title = "The request is not valid"
    status = 422


class Misread(InvalidRequest):
    """A value that is not what its place asks for. A fault's detail is what is wrong, the sentence's subject
    is the place: `/x/0/1 should be a number`."""

    @property
    def detail(self) -> str:
        first = self.faults[0]
        return f"{first.pointer or 'the body'} {first.detail}"


class ShapeMismatch(InvalidRequest):
    """Two statements about one size disagree, for example
    `ShapeMismatch("attention.w_q", axis="d_model", expected=4, got=3)`."""

    type = "shape-mismatch"
    title = "Sizes do not fit"

    def __init__(
        self, name: str, *, axis: str, expected: Any, got: Any, pointer: str = "", because: str = ""
    ) -> None:
        reason = f" ({because})" if because else ""
        super().__init__(
            f"{name}: {axis} should be {expected}{reason}, got {got}",
            pointer=pointer,
            expected=expected,
            got=got,
        )


class OperandMismatch(InvalidRequest):
    """Two values that meet in one step do not fit each other; a fault for each place they come from."""

    type = "shape-mismatch"
    title = "Sizes do not fit"


class UnknownName(InvalidRequest):
    """A step, axis, parameter or example that does not exist; says which do."""

    type = "unknown-name"
    title = "There is no such name"

    def __init__(self, kind: str, name: str, exists: Iterable[str], *, pointer: str = "") -> None:
        known = list(exists)
        super().__init__(
            f"there is no {kind} {name!r}; there is {', '.join(known) or 'none'}",
            pointer=pointer,
            expected=known,
            got=name,
        )


class MissingValue(InvalidRequest):
    """A value that a needed step lacks, and that nothing allows to be made up."""

    type = "missing-value"
    title = "A needed value is missing"


class TooCostly(InvalidRequest):
    """Within the rules, but more work than the limits allow; known before anything is computed."""

    type = "cost-limit"
    title = "The request costs too much"

    def __init__(self, detail: str, *, estimate: Mapping[str, int], limit: Mapping[str, int]) -> None:
        self.estimate, self.limit = dict(estimate), dict(limit)
        super().__init__(detail, expected=self.limit, got=self.estimate)

    def members(self) -> Mapping[str, Any]:
        return {"estimate": self.estimate, "limit": self.limit}


class NotFound(BlockwalkError):
    """Nothing lives at this address; says what does."""

    type = "not-found"
    title = "There is nothing here"
    status = 404

    def __init__(self, kind: str, name: str, exists: Iterable[str]) -> None:
        known = list(exists)
        super().__init__(
            f"there is no {kind} {name!r}; there is {', '.join(known) or 'none'}", expected=known, got=name
        )


class NotJSON(BlockwalkError):
    """The body could not be read at all."""

    type = "not-json"
    title = "The body could not be read"
    status = 400


class NotAcceptable(BlockwalkError):
    """No representation that the `Accept` header allows exists."""

    type = "not-acceptable"
    title = "No acceptable representation"
    status = 406


class BodyTooLarge(BlockwalkError):
    """The body is longer than the limit in force."""

    type = "body-too-large"
    title = "The body is too large"
    status = 413


class UnsupportedMediaType(BlockwalkError):
    """The body has a type, or a coding, that is not read here."""

    type = "unsupported-media-type"
    title = "The body has an unsupported type"
    status = 415

    def __init__(self, detail: str, *, header: str, readable: Iterable[str], got: Any) -> None:
        """`header` is the one that says what is `readable`: Accept for types, Accept-Encoding for codings."""
        self.header, self.readable = header, list(readable)
        super().__init__(detail, expected=self.readable, got=got)

    def headers(self) -> Mapping[str, str]:
        return {self.header: ", ".join(self.readable)}


class Unauthorized(BlockwalkError):
    """An API key that is not known, or none where one is asked for."""

    type = "unauthorized"
    title = "An API key is needed"
    status = 401

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": 'Bearer realm="Blockwalk"'}


class TooManyUnits(BlockwalkError):
    """The caller has spent its cost units; trying again after `retry_after` seconds makes sense."""

    type = "rate-limit"
    title = "Too much in one minute"
    status = 429

    def __init__(self, limit: int, units: int, retry_after: int) -> None:
        self.retry_after = retry_after
        super().__init__(
            f"this request costs {units} units, and {limit} a minute are yours",
            expected=f"at most {limit} units a minute",
            got=units,
        )

    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.retry_after)}


class Unavailable(BlockwalkError):
    """Our own limits, not the caller's fault; trying again after `retry_after` seconds makes sense."""

    type = "unavailable"
    title = "The service is busy"
    status = 503

    def __init__(self, detail: str, *, retry_after: int = 1) -> None:
        self.retry_after = retry_after
        super().__init__(detail)

    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.retry_after)}


class DeadlineExceeded(Unavailable):
    """The computation was given up between two steps because its time ran out."""

    type = "deadline-exceeded"
    title = "The computation took too long"
