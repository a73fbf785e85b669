"""The engine: a block is a graph of named steps, and each thing asked of it is one small operation on that.

NumPy and SciPy only; knows nothing of HTTP or lectures. See README.md in this folder.
"""

from . import examples
from .compare import Comparison, StepDifference, Variant, compare
from .config import ACTIVATIONS, ALIGNMENTS, DTYPES, KINDS, LAYOUTS, NORMS, PLACEMENTS, BlockConfig
from .conventions import CONVENTIONS
from .cost import UNLIMITED, Budget, Estimate
from .differentiate import Jacobian, gradient, jacobian
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
    "Comparison",
    "Estimate",
    "Jacobian",
    "Plan",
    "StepDifference",
    "Trace",
    "TraceRequest",
    "TracedStep",
    "Variant",
    "as_keep",
    "as_tensor",
    "compare",
    "examples",
    "gradient",
    "jacobian",
    "merge_patch",
    "plan",
    "trace",
]
