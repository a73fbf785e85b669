"""The lecture rooms: pages as small state machines whose numbers are computed. See README.md here."""

from .catalogue import Catalogue
from .model import Lecture, State
from .run import Run

__all__ = ["Catalogue", "Lecture", "Run", "State"]
