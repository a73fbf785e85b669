"""Traces of Transformer blocks, from a Blockwalk service.

>>> from blockwalk_client import Client
>>> client = Client("http://127.0.0.1:8000")
>>> trace = client.trace("lecture-05")
>>> trace["norm_1.output"].axes
('token', 'd_model')
"""

from .client import Client
from .errors import (
    BlockwalkError,
    InvalidRequest,
    NotFound,
    RateLimited,
    ServiceUnavailable,
    TooCostly,
)
from .results import Comparison, Difference, Figure, Gradients, Jacobian, Variant
from .tensor import Tensor
from .trace import Scope, Trace
from .version import __version__

__all__ = [
    "BlockwalkError",
    "Client",
    "Comparison",
    "Difference",
    "Figure",
    "Gradients",
    "InvalidRequest",
    "Jacobian",
    "NotFound",
    "RateLimited",
    "Scope",
    "ServiceUnavailable",
    "Tensor",
    "TooCostly",
    "Trace",
    "Variant",
    "__version__",
]
