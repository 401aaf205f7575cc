"""Polya's noise: what as many houses as there are shares add up to is geometric, exactly.

X of shape s = 1 / shares and ratio q has P[X = k] = (1 - q)^s c(k) q^k, c(k) = s (s + 1) ... (s + k
- 1) / k!. It is drawn by rejection. The integers are cut into {0}, {1}, {2, 3}, {4, ..., 7}, ...,
and a last part without an end. What is drawn by the weights c(first of the part) q^k is kept with
probability c(k) / c(first), which is more than a half but in the last part.

Proof: docs/proofs/sites.md
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from tacit.core import Decay, Random
from tacit.core.chance.law import Law, certain
from tacit.core.chance.uniform import Uniform
from tacit.core.numbers.enclosures import Enclosure, precision, real, scaled
from tacit.mechanisms.noise.geometric import geometric
from tacit.mechanisms.noise.inversion import Inversion

FINE = 256
"""Bits of each listed probability."""
RARE = 2.0**-200
"""What a list leaves out, at most."""


def polya(decay: Decay, shares: int, count: int, *, rng: Random) -> NDArray[Any]:
    """Return `count` draws of X, as Python integers.

    >>> from tacit.core.chance.randomness import Seeded
    >>> polya(Decay(Fraction(1, 10**30)), 3, 4, rng=Seeded(1)).tolist()
    [0, 0, 0, 0]
    """
    found, parts, last = np.zeros(count, dtype=object), _parts(decay, shares), _last(decay)
    missing = list(range(count))
    while missing:
        drawn = parts.draw(len(missing), rng=rng).tolist()
        beyond = geometric(decay, len(missing), rng=rng).tolist()
        again = []
        for place, part, more in zip(missing, drawn, beyond, strict=True):
            first = 1 << part >> 1
            found[place] = k = first + (more if part == last else more % max(first, 1))
            if k > first and not Uniform(rng).below(partial(_kept, shares, first, k)):
                again.append(place)
        missing = again
    return found


def polya_law(decay: Decay, shares: int) -> Law[int]:
    """Return probabilities of X rounded down to multiples of 2^-256; the slack is what is missing.

    >>> law = polya_law(Decay(Fraction(1, 2)), 2)
    >>> law.slack < 2 ** -180, float(law[0]), float(law[1])
    (True, 0.707106..., 0.176776...)
    """
    listed = dict[int, Fraction]()
    with precision(2 * FINE):
        shape, ratio = real(Fraction(1, shares)), real(decay.ratio)
        left, chance = arb(1), (1 - ratio) ** shape
        while not bool(left < RARE):
            k = len(listed)
            low = (chance * arb((1, FINE))).lower().floor().unique_fmpz()
            listed[k] = Fraction(int(low), 1 << FINE)
            left -= chance
            chance = chance * ratio * (shape + k) / (k + 1)
    return Law(listed, 1 - sum(listed.values(), Fraction(0)))


def share_law(decay: Decay, shares: int, many: int = 1) -> Law[int]:
    """Return the law of the sum of `many` shares X - X' of noise, each with the slack of its list.

    >>> whole = share_law(Decay(Fraction(1, 8)), shares=3, many=3)
    >>> abs(whole[2] - Fraction(7, 9) / 8**2) <= whole.slack < Fraction(1, 2**180)
    True
    """
    drawn = polya_law(decay, shares)
    total = certain(0)
    for sign in (1, -1) * many:
        total = total.then(lambda z, s=sign: drawn.map(lambda x: z + s * x))  # type: ignore[misc]
    return total


def _last(decay: Decay) -> int:
    """Return which part has no end: it begins beyond the mean, and few are drawn from it."""
    return int(1 / (1 - decay.ratio)).bit_length() + 2


@lru_cache(maxsize=64)
def _parts(decay: Decay, shares: int) -> Inversion:
    """Tabulate the parts by the weights that are drawn from."""
    last = _last(decay)

    def cumulative(index: int, bits: int) -> tuple[int, int]:
        if index == last:
            return 1 << bits, 1 << bits
        upto = _upto(decay, shares, bits)
        low, high = scaled(lambda: upto[index] / upto[-1], bits)
        return max(low, 0), min(high, 1 << bits)

    return Inversion.of(cumulative)


@lru_cache(maxsize=64)
def _upto(decay: Decay, shares: int, bits: int) -> list[Enclosure]:
    """Enclose the sums of the weights, times 1 - q, of the first parts, and of all."""
    last = _last(decay)
    with precision(2 * (bits + last) + 64):
        q, weights = real(decay.ratio), [real(1 - decay.ratio)]
        for i in range(last):
            begins = q ** (1 << i)
            inside = 1 - begins if i < last - 1 else real(1)
            weights.append(_falls(shares, 0, 1 << i, bits + last) * begins * inside)
        return list(accumulate(weights))


def _kept(shares: int, first: int, k: int, bits: int) -> tuple[int, int]:
    """Enclose 2^bits c(k) / c(first)."""
    low, high = scaled(lambda: _falls(shares, first, k, bits), bits)
    return max(low, 0), min(high, 1 << bits)


def _falls(shares: int, first: int, k: int, bits: int) -> Enclosure:
    """Enclose c(k) / c(first); logarithms nearly cancel, and what that loses is paid for."""
    with precision(bits + 2 * k.bit_length() + 64):
        shape, begin, end = real(Fraction(1, shares)), real(first), real(k)
        rise = (end + shape).lgamma() - (begin + shape).lgamma()
        return (rise + (begin + 1).lgamma() - (end + 1).lgamma()).exp()
