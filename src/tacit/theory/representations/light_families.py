"""What a set of k hypotheses can represent: the largest families of sets that may be wrong."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import factorial

import numpy as np

from tacit.core import Exact, TooLarge, check
from tacit.kernels.light_sets import light_families

LARGEST_DETERMINANT = (1, 1, 1, 2, 3, 5, 9, 32)
"""The largest determinant of a matrix of zeros and ones, by its order."""

ROOM = 1 << 18
"""Places of the table of families; for 7 hypotheses and alpha = 1/4 a tenth of them is used."""
MOST_WEIGHTS = 10**8
"""Weights that are tried: about ten seconds' work."""

Template = int
"""A family of sets of hypotheses as bits: bit S, S itself as bits, says that S may be wrong."""


def templates(hypotheses: int, alpha: Exact) -> tuple[Template, ...]:
    """Return the families of sets of weight at most alpha, for all weights, that are largest.

    A mixture of hypotheses, with weights w, errs at most alpha at a point if the set that is wrong
    there has weight at most alpha. A concept is represented if for some w this holds at all points;
    and only largest families matter. Each comes from a vertex of the weights cut by w(S) = alpha
    and w_i = 0, and a vertex has denominator d times that of alpha, for a determinant d of zeros
    and ones: all those weights are tried (docs/proofs/communication.md).

    >>> [len(templates(k, "1/4")) for k in range(1, 7)]
    [1, 2, 3, 5, 10, 36]
    """
    k, alpha = check.count(hypotheses=hypotheses, least=1), check.small_probability(alpha=alpha)
    if k >= len(LARGEST_DETERMINANT):
        raise TooLarge(f"templates are known for at most {len(LARGEST_DETERMINANT) - 1} hypotheses")
    return _templates(k, alpha)


@lru_cache(maxsize=32)
def _templates(k: int, alpha: Fraction) -> tuple[Template, ...]:
    _tractable(k, alpha)
    seen = np.zeros((ROOM, 2), dtype=np.uint64)
    for d in range(1, LARGEST_DETERMINANT[k] + 1):
        count = light_families(k, d * alpha.denominator, d * alpha.numerator, seen)
        assert count > 0, "there is room for all families"
    sorted_weights = [int(low) | int(high) << 64 for low, high in seen[seen[:, 0] != 0]]
    found = {moved for family in _largest(sorted_weights) for moved in orbit(family, k)}
    return tuple(sorted(_largest(list(found))))


def orbit(family: Template, k: int) -> set[Template]:
    """Return what a family becomes when its hypotheses are renamed.

    >>> sorted(orbit(0b0101, 2))
    [3, 5]
    """
    light = [s for s in range(1 << k) if family >> s & 1]
    return {sum(1 << _renamed(s, names) for s in light) for names in permutations(range(k))}


def opposite(family: Template, k: int) -> Template:
    """Return the complements of the sets of a family.

    >>> bin(opposite(0b0011, 2))
    '0b1100'
    """
    return int(f"{family:0{1 << k}b}"[::-1], 2)


def _renamed(s: int, names: tuple[int, ...]) -> int:
    return sum(1 << names[i] for i in range(len(names)) if s >> i & 1)


def _largest(families: list[Template]) -> list[Template]:
    kept: list[Template] = []
    for family in sorted(families, key=lambda f: -f.bit_count()):
        if not any(family & other == family for other in kept):
            kept.append(family)
    return kept


def _tractable(k: int, alpha: Fraction) -> None:
    """Refuse weights of so large a denominator that they cannot all be tried."""
    unit = LARGEST_DETERMINANT[k] * alpha.denominator
    weights = (unit + k * (k + 1) // 4) ** (k - 1) // (factorial(k) * factorial(k - 1))
    if weights > MOST_WEIGHTS:
        raise TooLarge(f"alpha={alpha} has too large a denominator for {k} hypotheses")
