"""The catalogue: every equation a block is made of, one a file. Adding an op is a file and its name here."""

from .add import ADD
from .alibi import ALIBI
from .dot_product import DOT_PRODUCT
from .dropout import DROPOUT
from .gain import GAIN
from .gain_and_shift import GAIN_AND_SHIFT
from .gelu import GELU
from .gelu_tanh import GELU_TANH
from .linear import LINEAR
from .mask import MASK
from .mean import MEAN
from .mean_square import MEAN_SQUARE
from .merge_heads import MERGE_HEADS
from .multiply import MULTIPLY
from .op import Array, Misfit, Op, Shape
from .project_heads import PROJECT_HEADS
from .relu import RELU
from .rms_standardize import RMS_STANDARDIZE
from .rotary import ROTARY
from .scale import SCALE
from .silu import SILU
from .softcap import SOFTCAP
from .softmax import SOFTMAX
from .standardize import STANDARDIZE
from .variance import VARIANCE
from .weighted_sum import WEIGHTED_SUM

CATALOGUE: dict[str, Op] = {
    op.name: op
    for op in (
        ADD,
        ALIBI,
        DOT_PRODUCT,
        DROPOUT,
        GAIN,
        GAIN_AND_SHIFT,
        GELU,
        GELU_TANH,
        LINEAR,
        MASK,
        MEAN,
        MEAN_SQUARE,
        MERGE_HEADS,
        MULTIPLY,
        PROJECT_HEADS,
        RELU,
        RMS_STANDARDIZE,
        ROTARY,
        SCALE,
        SILU,
        SOFTCAP,
        SOFTMAX,
        STANDARDIZE,
        VARIANCE,
        WEIGHTED_SUM,
    )
}

__all__ = [
    "ADD",
    "ALIBI",
    "CATALOGUE",
    "DOT_PRODUCT",
    "DROPOUT",
    "GAIN",
    "GAIN_AND_SHIFT",
    "GELU",
    "GELU_TANH",
    "LINEAR",
    "MASK",
    "MEAN",
    "MEAN_SQUARE",
    "MERGE_HEADS",
    "MULTIPLY",
    "PROJECT_HEADS",
    "RELU",
    "RMS_STANDARDIZE",
    "ROTARY",
    "SCALE",
    "SILU",
    "SOFTCAP",
    "SOFTMAX",
    "STANDARDIZE",
    "VARIANCE",
    "WEIGHTED_SUM",
    "Array",
    "Misfit",
    "Op",
    "Shape",
]
