"""What a trace costs, known from its shapes alone, and the budget it must keep to.

Python integers throughout: products of hostile sizes overflow fixed-width ones.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from time import monotonic
from typing import Self

from ..errors import DeadlineExceeded, TooCostly


@dataclass(frozen=True, slots=True)
class Estimate:
    """Elements of all steps (exact), elements of the parameters, bytes of both, and multiply-adds."""

    elements: int
    parameter_elements: int
    bytes: int
    multiply_adds: int

    @classmethod
    def of(cls, *, elements: int, parameter_elements: int, itemsize: int, multiply_adds: int) -> Self:
        return cls(elements, parameter_elements, (elements + parameter_elements) * itemsize, multiply_adds)

    def times(self, n: int) -> Estimate:
        """The work of n such runs, one after the other: memory is reused, multiply-adds add up."""
        return Estimate(self.elements, self.parameter_elements, self.bytes, self.multiply_adds * n)

    def __add__(self, other: Estimate) -> Estimate:
        """Both runs, one after the other, all values kept."""
        return Estimate(
            self.elements + other.elements,
            self.parameter_elements + other.parameter_elements,
            self.bytes + other.bytes,
            self.multiply_adds + other.multiply_adds,
        )

    def to_data(self) -> dict[str, int]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on one request; None means none. `deadline` is a reading of the monotonic clock, in seconds.

    `times`, if given, is filled with how many steps of each op were computed, and in how many seconds.
    """

    max_elements: int | None = None
    max_bytes: int | None = None
    max_multiply_adds: int | None = None
    deadline: float | None = None
    times: dict[str, tuple[int, float]] | None = None

    def check(self, estimate: Estimate) -> None:
        """Raise `TooCostly` where the estimate is over any limit; takes no time and no memory."""
        limits = {
            name: limit
            for name, limit in (
                ("elements", self.max_elements),
                ("bytes", self.max_bytes),
                ("multiply_adds", self.max_multiply_adds),
            )
            if limit is not None
        }
        over = [name for name, limit in limits.items() if getattr(estimate, name) > limit]
        if over:
            cost = estimate.to_data()
            raise TooCostly(
                "; ".join(f"{cost[name]:,} {name}, the limit is {limits[name]:,}" for name in over),
                estimate=cost,
                limit=limits,
            )

    def check_deadline(self) -> None:
        """Raise `DeadlineExceeded` once the time is up."""
        if self.deadline is not None and monotonic() > self.deadline:
            raise DeadlineExceeded("the computation was given up: its time ran out")

    def took(self, op: str, seconds: float) -> None:
        """Note one step of this op, where someone wants to know."""
        if self.times is not None:
            steps, before = self.times.get(op, (0, 0.0))
            self.times[op] = (steps + 1, before + seconds)


UNLIMITED = Budget()
