"""The engine: a block is a graph of named steps, and everything asked of it is one small operation on that graph.

NumPy and SciPy only; knows nothing of HTTP or lectures. See README.md in this folder.
"""

from . import examples
from .config import ACTIVATIONS, ALIGNMENTS, DTYPES, KINDS, LAYOUTS, NORMS, PLACEMENTS, BlockConfig
from .conventions import CONVENTIONS
from .cost import UNLIMITED, Budget, Estimate
from .execute import Trace, TracedStep, trace
from .merge import merge_patch
from .plan import Plan, plan
from .reading import as_keep, as_tensor
from .request import TraceRequest
from .version import VERSION

__all__ = [
    "ACTIVATIONS",
    "ALIGNMENTS",
    "CONVENTIONS",
    "DTYPES",
    "KINDS",
    "LAYOUTS",
    "NORMS",
    "PLACEMENTS",
    "UNLIMITED",
    "VERSION",
    "BlockConfig",
    "Budget",
    "Estimate",
    "Plan",
    "Trace",
    "TraceRequest",
    "TracedStep",
    "as_keep",
    "as_tensor",
    "examples",
    "merge_patch",
    "plan",
    "trace",
]
