"""The catalogue: every equation a block is made of, one a file. Adding an op is a file and its line here."""

from .add import ADD as ADD
from .alibi import ALIBI as ALIBI
from .dot_product import DOT_PRODUCT as DOT_PRODUCT
from .dropout import DROPOUT as DROPOUT
from .gain import GAIN as GAIN
from .gain_and_shift import GAIN_AND_SHIFT as GAIN_AND_SHIFT
from .gelu import GELU as GELU
from .gelu_tanh import GELU_TANH as GELU_TANH
from .linear import LINEAR as LINEAR
from .mask import MASK as MASK
from .mean import MEAN as MEAN
from .mean_square import MEAN_SQUARE as MEAN_SQUARE
from .merge_heads import MERGE_HEADS as MERGE_HEADS
from .multiply import MULTIPLY as MULTIPLY
from .op import Array as Array
from .op import Misfit as Misfit
from .op import Op as Op
from .op import Shape as Shape
from .project_heads import PROJECT_HEADS as PROJECT_HEADS
from .relu import RELU as RELU
from .rms_standardize import RMS_STANDARDIZE as RMS_STANDARDIZE
from .rotary import ROTARY as ROTARY
from .scale import SCALE as SCALE
from .silu import SILU as SILU
from .softcap import SOFTCAP as SOFTCAP
from .softmax import SOFTMAX as SOFTMAX
from .standardize import STANDARDIZE as STANDARDIZE
from .variance import VARIANCE as VARIANCE
from .weighted_sum import WEIGHTED_SUM as WEIGHTED_SUM

CATALOGUE: dict[str, Op] = {op.name: op for op in list(globals().values()) if isinstance(op, Op)}
