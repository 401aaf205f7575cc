"""Reading a secret column off counts: exact ones, noisy ones whose costs nobody added up, private.

Many counts of random groups, each answered too well, give every row away [DN03]: least squares and
rounding are all it takes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tacit.core import Exact, InvalidArgument, Random, check
from tacit.mechanisms import DiscreteLaplace

Answer = Callable[[NDArray[np.int64], Random], NDArray[np.int64]]
"""From the true counts to those that are released."""


def exact(counts: NDArray[np.int64], _: Random) -> NDArray[np.int64]:
    """Release the counts as they are."""
    return counts


def each_with(epsilon: Exact) -> Answer:
    """Add noise for `epsilon` to each count, as if it were the only one."""
    noise = DiscreteLaplace(check.positive(epsilon=epsilon))
    return lambda counts, rng: np.asarray(noise(counts, rng=rng), dtype=np.int64)


def together_with(epsilon: Exact) -> Answer:
    """Add noise to all counts, for `epsilon` in all: what basic composition asks for."""
    total = check.positive(epsilon=epsilon)
    return lambda counts, rng: each_with(total / len(counts))(counts, rng)


def recovered(people: int, counts: int, answer: Answer, *, rng: Random) -> float:
    """Return the share of random secret bits that come back from counts over random groups.

    >>> from tacit.core.chance.randomness import Seeded
    >>> recovered(64, 256, exact, rng=Seeded(0))
    1.0
    >>> recovered(64, 256, each_with(1), rng=Seeded(0)) > 0.95
    True
    >>> recovered(64, 256, together_with(1), rng=Seeded(0)) < 0.75
    True
    """
    check.count(people=people, least=1)
    if counts < people:
        raise InvalidArgument(f"at least {people} counts are needed to solve for {people} bits")
    secret = _bits((people,), rng)
    groups = _bits((counts, people), rng)
    released = answer(groups.astype(np.int64) @ secret.astype(np.int64), rng)
    guessed, *_ = np.linalg.lstsq(groups.astype(np.float64), released.astype(np.float64))
    return float(np.mean((guessed > 0.5) == secret))


def _bits(shape: tuple[int, ...], rng: Random) -> NDArray[np.bool_]:
    count = int(np.prod(shape))
    words = rng.words(-(-count // 64)).view(np.uint8)
    return np.unpackbits(words, count=count).astype(np.bool_).reshape(shape)
