"""What one request has used so far: its caller, cost units, time waited and time computed, kept on `g`."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from flask import g

ANONYMOUS = "anonymous"


@dataclass(slots=True)
class Account:
    """Kept by those who charge, read by those who report. Times are seconds."""

    began: float = field(default_factory=time.perf_counter)
    caller: str = ANONYMOUS
    units: int = 0
    waited: float = 0.0
    computed: dict[str, tuple[int, float]] = field(default_factory=dict)
    """op -> how many steps, and how long they took"""
    problem: str = ""
    """the kind of problem that the request was refused with"""

    @property
    def total(self) -> float:
        return time.perf_counter() - self.began

    @property
    def computing(self) -> float:
        return sum(seconds for _, seconds in self.computed.values())


def account() -> Account:
    """The account of this request."""
    if "account" not in g:
        g.account = Account()
    found: Account = g.account
    return found
