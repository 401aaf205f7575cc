"""Discrete Gaussian noise: exact, whole arrays at a time, for any variance parameter.

P[Z = z] is proportional to e^(-z^2 / (2 sigma^2)) over all integers z. The parameter is not
rounded: weights are real numbers that only ever appear as enclosures. Up to sigma = 256 the
integers 0, 1, -1, 2, -2, ... are drawn by inversion; above, by rejection from two-sided geometric
noise, where float64 powers of proved error decide all but about one acceptance in 2^39 (beyond
sigma = 2^26, in 2^24).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate
from operator import truediv
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Random
from tacit.core.chance.uniform import Uniform
from tacit.core.errors import TooLarge
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import PRECISION, Enclosure, precision, real, scaled, upper
from tacit.mechanisms.noise.geometric import two_sided
from tacit.mechanisms.noise.inversion import WORD, Inversion

TABULATED = 1 << 16
COARSE = 26  # bits of the distances whose squares are exponents of a float power
CAP = 1 << 30
LARGE = 1 << 62
FINE = 256
MARGIN = 2.0**-40
BATCH = 1 << 20


def discrete_gaussian(sigma_squared: Fraction, count: int, *, rng: Random) -> NDArray[Any]:
    """Return `count` draws of Z; int64, or Python integers where they do not fit.

    >>> from tacit.core.chance.randomness import Seeded
    >>> discrete_gaussian(Fraction(1, 200), 4, rng=Seeded(1)).tolist()
    [0, 0, 0, 0]
    """
    if sigma_squared > TABULATED:
        return _rejection(sigma_squared, count, rng=rng)
    index = _inversion(sigma_squared).draw(count, rng=rng)
    return np.where(index & 1, index + 1, -index) >> 1


def noise_law(sigma_squared: Fraction, bits: int = FINE) -> Law[int]:
    """Return probabilities of Z rounded down to multiples of 2^-bits; the slack is what is missing.

    Since no probability is rounded up, the total absolute difference from the true law is exactly
    what the listed probabilities lack of 1.
    """
    if sigma_squared > TABULATED:
        raise TooLarge(f"a law is listed for sigma_squared up to {TABULATED}, got {sigma_squared}")
    shares = _shares(*_weights(sigma_squared, bits), bits)
    listed = {s * z: Fraction(low, 1 << bits) for z, (low, _) in enumerate(shares) for s in (1, -1)}
    return Law(listed, 1 - sum(listed.values(), Fraction(0)))


def tail(sigma_squared: Fraction, m: int) -> Fraction:
    """Return an upper bound on P[Z >= m], m >= 1.

    Up to sigma = 256 the sum is taken, with a relative error below 2^-60; above, it is at most the
    probability that a normal variable exceeds m - 1 (docs/proofs/discrete_gaussian.md).

    >>> float(tail(Fraction(1), 3))
    0.004567...
    """
    if sigma_squared > TABULATED:
        return upper(lambda: (real(m - 1) / (2 * real(sigma_squared)).sqrt()).erfc() / 2)
    return upper(lambda: _weight_from(sigma_squared, m) / _weights(sigma_squared, PRECISION)[1])


def _weight_from(sigma_squared: Fraction, m: int) -> Enclosure:
    """Enclose the sum of the weights from m on: terms, and a geometric series for the rest."""
    terms = math.isqrt(math.ceil(2 * sigma_squared * WORD)) + 2
    *parts, beyond, next_ = (weight(sigma_squared, z) for z in range(m, m + terms))
    return sum(parts, arb(0)) + arb(0).union(beyond / (1 - next_ / beyond))


@lru_cache(maxsize=16)
def _weights(sigma_squared: Fraction, bits: int) -> tuple[list[Enclosure], Enclosure]:
    """Return weights of z = 0, ..., N and the sum over all integers, its tail enclosed.

    The tail is at most 2 w(N + 1) / (1 - w(N + 2) / w(N + 1)), for the ratio of consecutive
    weights falls; N is large enough for w(N + 1) < 2^-(bits + 8).
    """
    with precision(bits + 64):
        last = math.isqrt(math.ceil(2 * sigma_squared * (bits + 8))) + 1
        *weights, beyond, next_ = (weight(sigma_squared, z) for z in range(last + 3))
        tail = 2 * beyond / (1 - next_ / beyond)
        total = weights[0] + 2 * sum(weights[1:], arb(0)) + arb(0).union(tail)
    return weights, total


def weight(sigma_squared: Fraction, z: int) -> Enclosure:
    """Enclose e^(-z^2 / (2 sigma^2)) at the current working precision."""
    return real(-(z**2) / (2 * sigma_squared)).exp()


@lru_cache(maxsize=64)
def _inversion(sigma_squared: Fraction) -> Inversion:
    def cumulative(index: int, bits: int) -> tuple[int, int]:
        sums = _prefix_sums(sigma_squared, bits)
        return sums[index] if index < len(sums) else (sums[-1][0], 1 << bits)

    return Inversion.of(cumulative)


@lru_cache(maxsize=16)
def _prefix_sums(sigma_squared: Fraction, bits: int) -> list[tuple[int, int]]:
    """Enclose 2^bits times the probability of the first i + 1 of 0, 1, -1, 2, -2, ..."""
    weights, total = _weights(sigma_squared, bits)
    doubled = [weights[0], *(w for weight in weights[1:] for w in (weight, weight))]
    with precision(bits + 64):
        return _shares(list(accumulate(doubled)), total, bits)


def _shares(parts: list[Enclosure], total: Enclosure, bits: int) -> list[tuple[int, int]]:
    """Enclose 2^bits times each part over the total."""
    enclosed = [scaled(partial(truediv, part, total), bits) for part in parts]
    return [(max(low, 0), min(high, 1 << bits)) for low, high in enclosed]


def _rejection(sigma_squared: Fraction, count: int, *, rng: Random) -> NDArray[Any]:
    """Draw Y two-sided geometric of ratio about e^(-c / sigma^2), c = floor(sigma), until kept."""
    centre = math.isqrt(int(sigma_squared))
    proposal = Decay.of(centre / sigma_squared)
    kept: list[NDArray[Any]] = []
    missing = count
    while missing > 0:
        size = min(missing + missing // 2 + 16, BATCH)
        drawn = two_sided(proposal, size, rng=rng)
        accepted = accept(sigma_squared, drawn, rng.words(size), rng=rng)
        kept.append(drawn[accepted][:missing])
        missing -= len(kept[-1])
    return np.concatenate([np.empty(0, dtype=np.int64), *kept])


def accept(
    sigma_squared: Fraction, drawn: NDArray[Any], words: NDArray[np.uint64], *, rng: Random
) -> NDArray[np.bool_]:
    """Accept each y with probability a(y) = e^(-(y^2 + c^2) / (2 sigma^2)) / p^|y|, which is <= 1.

    Exactness:
        p >= e^(-c / sigma^2) is the ratio that y was drawn with, so a(y) p^|y| is proportional to
        the weight of y, and a(y) = e^(-x) r^|y| with x = (|y| - c)^2 / (2 sigma^2) and r a hair
        below 1. `_powers` encloses e^(-x) between two float64 numbers of absolute error below
        2^-45, r^|y| costs less than 2^-60, a word as a float less than 2^-53: with a margin of
        2^-40 on both sides a float comparison is a proof, and all others are decided with
        enclosures and more bits of the same uniform number.
    """
    centre = math.isqrt(int(sigma_squared))
    distances = abs(drawn) - centre if centre < LARGE else abs(drawn.astype(object)) - centre
    below, above = _powers(sigma_squared, abs(distances))
    uniform = np.ldexp(words.astype(np.float64), -WORD)
    accepted = uniform < below - MARGIN
    for place in np.flatnonzero(~accepted & (uniform <= above + MARGIN)):
        bound = partial(acceptance, sigma_squared, abs(int(drawn[place])))
        accepted[place] = Uniform(rng, value=int(words[place]), width=WORD).below(bound)
    return accepted


def acceptance(sigma_squared: Fraction, size: int, bits: int) -> tuple[int, int]:
    """Enclose 2^bits a(y) for |y| = size; see `accept`."""
    centre = math.isqrt(int(sigma_squared))
    ratio = Decay.of(centre / sigma_squared).ratio
    exponent = -(size**2 + centre**2) / (2 * sigma_squared)
    low, high = scaled(lambda: real(exponent).exp() / real(ratio) ** size, bits)
    return max(low, 0), min(high, 1 << bits)


def _powers(
    sigma_squared: Fraction, distances: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return float64 numbers below and above e^(-d^2 / (2 sigma^2)), up to 2^-45.

    With sigma beyond 2^26 the distance is cut to its leading bits, d = 2^s D + ..., and the powers
    of D and D + 1 enclose the number. `Decay.floats` has relative error 2 * levels * 2^-53 with at
    most 7 levels; its ratio, of 64 significant bits, costs x e^-x 2^-63 < 2^-64. A distance beyond
    the cap has x >= 128, and both numbers are 0 up to 2^-184.
    """
    shift = max(0, math.isqrt(int(sigma_squared)).bit_length() - COARSE)
    decay = Decay.of(Fraction(4**shift) / (2 * sigma_squared))
    coarse = np.minimum(distances >> shift, CAP).astype(np.int64)
    above = _ldexp(*decay.floats(coarse**2))
    return (_ldexp(*decay.floats((coarse + 1) ** 2)), above) if shift else (above, above)


def _ldexp(mantissas: NDArray[np.float64], exponents: NDArray[np.int64]) -> NDArray[np.float64]:
    powers: NDArray[np.float64] = np.ldexp(mantissas, np.maximum(exponents, -1100))
    return powers
