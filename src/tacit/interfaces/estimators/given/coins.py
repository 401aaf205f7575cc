"""What scikit-learn calls a random state, as a source of coins."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from tacit.core.chance.randomness import Random, Seeded, System
from tacit.core.errors import InvalidArgument

LARGEST = 1 << 31


def coins(random_state: Any) -> Random:
    """Return secret coins for None; anything else is reproducible, hence NOT private.

    >>> from tacit.core.chance.randomness import is_secure
    >>> is_secure(coins(None)), is_secure(coins(7)), coins(7).bits(16) == coins(7).bits(16)
    (True, False, True)
    """
    if random_state is None:
        return System()
    if isinstance(random_state, np.random.RandomState):
        return Seeded(int(random_state.randint(LARGEST)))
    whole = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    if whole and random_state >= 0:
        return Seeded(int(random_state))
    raise InvalidArgument(
        "random_state must be None for secret coins, or for tests an integer from 0 on or a "
        f"numpy.random.RandomState; got {str(random_state)[:40]!r}"
    )
