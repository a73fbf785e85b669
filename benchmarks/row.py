"""A row of the table: what is measured, in units of what, and how far it should reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .measure import Ratio


@dataclass(frozen=True, slots=True)
class Effort:
    """How much time and size a run may take."""

    seconds: float
    rounds: int
    tiny: bool = False

    def size(self, full: int, small: int) -> int:
        """The size of a workload: the full one, or in a tiny run the small one."""
        return small if self.tiny else full


@dataclass(frozen=True, slots=True)
class Row:
    """`reach` is the least and the greatest ratio that counts as reached; None is no bound.

    `bound`, if there is one, measures what nothing can get below: the floor in the same units.
    """

    name: str
    against: str
    reach: tuple[float | None, float | None]
    measure: Callable[[Effort], Ratio]
    unit: str = "s"
    bound: Callable[[Effort], tuple[str, float]] | None = None

    def reached(self, ratio: Ratio) -> bool:
        least, most = self.reach
        return (least is None or ratio.value >= least) and (most is None or ratio.value <= most)


class Unavailable(Exception):
    """A row cannot be measured here; the text says what is missing."""
