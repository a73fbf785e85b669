"""One documented way from a seed to numbers, the same on every machine.

Each array has a stream of its own, named after it: NumPy's `Generator(PCG64(SeedSequence(seed, spawn_key)))`,
where the spawn key is the UTF-8 bytes of the name. So `attention.w_o` drawn from seed 7 is the same whatever
else the request gives or lacks.
"""

from __future__ import annotations

import numpy as np


def generator(seed: int, name: str) -> np.random.Generator:
    """Return the random stream of the array `name` under `seed` (a non-negative integer)."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=tuple(name.encode()))))
