"""The catalogue: known mistakes, in the order in which they are told when several explain equally.

Adding a misconception is one entry in one of the files beside this one.
"""

from .derivatives import DERIVATIVES
from .equivalences import EQUIVALENCES, Equivalence
from .feed_forward import FEED_FORWARD
from .heads import HEADS
from .masks import MASKS
from .misconception import LANGUAGES, Explanation, Lang, Misconception
from .normalisation import NORMALISATION
from .parameters import PARAMETERS
from .precision import PRECISION
from .residuals import RESIDUALS
from .scores import SCORES
from .statistics import STATISTICS

CATALOGUE: dict[str, Misconception] = {
    each.name: each
    for each in (
        *NORMALISATION,
        *STATISTICS,
        *RESIDUALS,
        *SCORES,
        *MASKS,
        *HEADS,
        *PARAMETERS,
        *FEED_FORWARD,
        *PRECISION,
        *DERIVATIVES,
    )
}

__all__ = ["CATALOGUE", "EQUIVALENCES", "LANGUAGES", "Equivalence", "Explanation", "Lang", "Misconception"]
