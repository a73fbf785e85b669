"""What can go wrong, as a small tree: catch `BlockwalkError`, or the kind that you can do something about.

Each error carries what the service said (`problem`, a problem document of RFC 9457), where in the request it
points (`pointer`, `pointers`), and the `request_id` under which the service's log has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class BlockwalkError(Exception):
    """The root of the tree; raised itself only where the service failed or answered what cannot be read.

    `status` and the members of `problem` are there where the service answered; `problem` is empty otherwise.
    """

    def __init__(
        self,
        detail: str,
        *,
        problem: Mapping[str, Any] | None = None,
        status: int | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.problem: dict[str, Any] = dict(problem or {})
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after

    @property
    def type(self) -> str:
        """The kind of problem, for example `shape-mismatch`; empty where the service said none."""
        return str(self.problem.get("type", "")).rpartition("/")[2]

    @property
    def errors(self) -> list[dict[str, Any]]:
        """Every fault found: `pointer`, `detail`, `expected` and `got`."""
        return list(self.problem.get("errors", ()))

    @property
    def pointers(self) -> list[str]:
        """The JSON pointer of every fault, empty ones left out."""
        return [error["pointer"] for error in self.errors if error.get("pointer")]

    @property
    def pointer(self) -> str | None:
        """The JSON pointer of the first fault that has one."""
        return next(iter(self.pointers), None)

    def __str__(self) -> str:
        lines = [self.detail]
        for error in self.errors:
            lines += [f"  {line}" for line in told(error, self.detail)]
        if self.request_id:
            lines.append(f"  request id: {self.request_id}")
        return "\n".join(lines)


class InvalidRequest(BlockwalkError):
    """The service understood the request, or tried to, and it is wrong."""


class NotFound(BlockwalkError):
    """Nothing has this name; `errors[0]["expected"]` lists what there is."""


class TooCostly(BlockwalkError):
    """Within the rules, but more work than the service allows."""

    @property
    def estimate(self) -> dict[str, int]:
        """What the request would cost."""
        return dict(self.problem.get("estimate", {}))

    @property
    def limit(self) -> dict[str, int]:
        """What a request may cost."""
        return dict(self.problem.get("limit", {}))


class RateLimited(BlockwalkError):
    """Too many requests; trying again after `retry_after` seconds makes sense."""


class ServiceUnavailable(BlockwalkError):
    """The service is busy, away or out of reach; `retry_after` has the seconds to wait, where it said."""


def told(error: Mapping[str, Any], detail: str) -> list[str]:
    """One fault in a line or two: where, then expected and got; nothing that `detail` has said already."""
    what = str(error.get("detail", ""))
    where = f"at {error['pointer']}" if error.get("pointer") else ""
    expected, got = error.get("expected"), error.get("got")
    names = expected if isinstance(expected, list) else [expected]
    values = [value for value in (*names, got) if value is not None]
    lines = [": ".join(part for part in (where, "" if what in detail else what) if part)]
    if not all(str(value) in detail for value in values):
        lines.append(f"expected {' or '.join(map(str, names))}, got {got}")
    return [line for line in lines if line]


def error_class(status: int, kind: str) -> type[BlockwalkError]:
    """The class for an answer's status and problem type."""
    if kind == "cost-limit":
        return TooCostly
    if status == 404:
        return NotFound
    if status == 429:
        return RateLimited
    if status in (502, 503, 504):
        return ServiceUnavailable
    return InvalidRequest if 400 <= status < 500 else BlockwalkError
