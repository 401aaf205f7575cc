"""Draw a cell with probability exactly proportional to multiplicity * q^gap.

One uniform real U decides: the answer is the cell i with C_i <= U * Z < C_(i+1), C the prefix sums
of the weights and Z their total. `quick` tries to certify i from 64 bits of U and float64 sums with
a proved error; `certain` decides the rest with integer enclosures of growing precision. Both
compute the same function of U, so which of them answered never shows in the law.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random
from tacit.core.chance.uniform import Uniform
from tacit.core.numbers.decay import Decay, levels
from tacit.core.numbers.enclosures import precision

WORD = 64
BLOCK = 1024
PIECE = 32 * BLOCK
LOWEST = -1000  # a weight below 2^-1000 of the largest counts as 0 in the float sums


@dataclass(frozen=True, slots=True, repr=False)
class Weights:
    """Weights multiplicity_i * q^gap_i, all gaps >= 0 and some weight positive."""

    multiplicities: NDArray[Any]
    gaps: NDArray[np.int64]
    decay: Decay


def draw(weights: Weights, *, rng: Random) -> int:
    """Return a cell, distributed exactly in proportion to the weights."""
    uniform = Uniform(rng)
    uniform.refine(WORD)
    cell = quick(weights, uniform.value)
    return certain(weights, uniform) if cell is None else cell


def quick(weights: Weights, word: int) -> int | None:
    """Return the cell if float64 sums can prove it from the first 64 bits of U, else None.

    Exactness:
        Let u = 2^-53 and L the number of table levels. Each weight is a product of L table entries
        and a multiplicity, every factor rounded once and every product once: relative error below
        (2L + 2)u(1 + 2^-9). Adding at most 1024 terms of a block, in any order, costs 1023u; adding
        the blocks one after the other, their number times u; weights taken for 0 come to less than
        2^-900 of Z. So each prefix sum is within tau * Z of the truth, tau = (1030 + blocks + 2L)u,
        and U * Z within (tau + 3u + 2^-63)Z. A margin of 4 * tau * Z on both sides is a proof.

    Cost:
        The cells are read in pieces that stay in the processor's cache, and of a piece whose
        weights all count as 0 only the gaps.
    """
    far = _far(weights)
    sums, top = _prefix_sums(weights, far)
    blocks, total = len(sums) - 1, float(sums[-1])
    steps = levels(np.minimum(weights.gaps.max(), far).reshape(1))
    margin = 4 * (1030 + blocks + 2 * steps) * 2.0**-53 * total
    target = math.ldexp(float(word), -WORD) * total
    block = min(int(np.searchsorted(sums, target, side="right")) - 1, blocks - 1)
    inside = _at(*_floats(weights, slice(BLOCK * block, BLOCK * (block + 1)), far), top)
    edges = sums[block] + np.concatenate(([0.0], np.cumsum(inside)))
    place = min(int(np.searchsorted(edges, target, side="right")) - 1, len(inside) - 1)
    cell = BLOCK * block + place
    starts = cell == 0 or target - edges[place] > margin
    ends = cell == len(weights.gaps) - 1 or edges[place + 1] - target > margin
    return cell if starts and ends else None


def certain(weights: Weights, uniform: Uniform) -> int:
    """Return the cell by enclosures of growing precision; ends with probability 1."""
    width = max(uniform.width, WORD)
    while True:
        uniform.refine(width)
        cell = decide(*prefix_bounds(weights, width), value=uniform.value, width=width)
        if cell is not None:
            return cell
        width *= 2


def prefix_bounds(weights: Weights, width: int) -> tuple[list[int], list[int]]:
    """Return integers below and above each prefix sum, in units of about 2^-width of the total."""
    bits = width + 2 * len(weights.gaps).bit_length() + 32
    powers: dict[int, tuple[int, int, int]] = {}
    with precision(bits):
        for gap in np.unique(weights.gaps).tolist():
            power = weights.decay.real(gap)
            low, low_exponent = (int(part) for part in power.lower().man_exp())
            high, high_exponent = (int(part) for part in power.upper().man_exp())
            exponent = min(low_exponent, high_exponent)
            powers[gap] = (
                low << low_exponent - exponent,
                high << high_exponent - exponent,
                exponent,
            )
    cells = [
        (int(m), *powers[g])
        for m, g in zip(weights.multiplicities, weights.gaps.tolist(), strict=True)
    ]
    unit = max(high.bit_length() + m.bit_length() + e for m, _, high, e in cells if m) - bits
    lows = accumulate((_shift(m * low, e - unit) for m, low, _, e in cells), initial=0)
    highs = accumulate((-_shift(-m * high, e - unit) for m, _, high, e in cells), initial=0)
    return list(lows), list(highs)


def decide(lows: list[int], highs: list[int], *, value: int, width: int) -> int | None:
    """Return the cell that U in [value, value + 1) / 2^width certainly falls in, or None."""
    cell = bisect_right(highs, (value * lows[-1]) >> width, hi=len(highs) - 1) - 1
    certainly = cell == len(lows) - 2 or (value + 1) * highs[-1] <= lows[cell + 1] << width
    return cell if certainly else None


def _far(weights: Weights) -> int:
    """Return a gap from which on each weight is below 2^LOWEST of the total.

    The total is at least q^g for the least gap g of a cell that is not empty, a multiplicity is
    below 2^b, and q^k <= e^(-k(1 - q)) < 2^(-k(1 - q)).
    """
    first = int(weights.gaps.argmin())
    filled = weights.multiplicities[first] > 0
    least = weights.gaps[first] if filled else weights.gaps[weights.multiplicities > 0].min()
    bits = int(weights.multiplicities.max()).bit_length()
    return min(int(least) + int((bits - LOWEST) / (1 - weights.decay.ratio)) + 1, 1 << 62)


def _prefix_sums(weights: Weights, far: int) -> tuple[NDArray[np.float64], int]:
    """Return the sums of the weights before each block and of all, over a power of two."""
    pieces: list[tuple[NDArray[np.float64], int | None]] = []
    for start in range(0, len(weights.gaps), PIECE):
        mass, top = _floats(weights, slice(start, start + PIECE), far)
        pieces.append((np.add.reduceat(mass, np.arange(0, len(mass), BLOCK)), top))
    highest = max(top for _, top in pieces if top is not None)
    sums = np.concatenate([np.zeros(1), *(_at(part, top, highest) for part, top in pieces)])
    return np.cumsum(sums), highest


def _floats(weights: Weights, cells: slice, far: int) -> tuple[NDArray[np.float64], int | None]:
    """Return weights over a power of two, and its exponent: None if all of them count as 0.

    See `quick` for their error.
    """
    gaps = weights.gaps[cells]
    if gaps.min() >= far:
        return np.zeros(len(gaps)), None
    mantissas, exponents = _leading_bits(weights.multiplicities[cells])
    powers, scales = weights.decay.floats(np.minimum(gaps, far))
    exponents += scales
    mantissas *= powers
    filled = mantissas > 0
    if not filled.any():
        return mantissas, None
    top = int(exponents.max(where=filled, initial=np.iinfo(np.int64).min))
    exponents -= top
    mantissas[exponents < LOWEST] = 0.0
    return mantissas * _power_of_two(np.clip(exponents, LOWEST, 0)), top


def _at(mass: NDArray[np.float64], top: int | None, highest: int) -> NDArray[np.float64]:
    """Return numbers over 2^top as numbers over 2^highest; those far below count as 0."""
    if top is None or top - highest < LOWEST:
        return np.zeros(len(mass))
    return mass * math.ldexp(1.0, top - highest)


def _power_of_two(exponents: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return 2^e for exponents of normal numbers, written by their bits."""
    return (exponents + 1023 << 52).view(np.float64)


def _leading_bits(values: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Split non-negative integers into mantissa, rounded once, and binary exponent."""
    if values.dtype != object:
        mantissas, exponents = np.frexp(values.astype(np.float64))
        return mantissas, exponents.astype(np.int64)
    widths = [int(value).bit_length() for value in values]
    pairs = zip(values, widths, strict=True)
    return np.array([int(v) / (1 << w) for v, w in pairs]), np.array(widths, dtype=np.int64)


def _shift(value: int, places: int) -> int:
    """Return floor(value * 2^places)."""
    return value << places if places >= 0 else value >> -places
