"""Randomised responses: the worst case of pure privacy, whatever the order of the releases.

A pair of laws whose losses stay within e is a function of one randomised response, whose loss is
e with probability 1 / (1 + exp(-e)) and -e otherwise; so the worst of several adaptive pure
releases is to release the responses themselves [KOV15, Thm. 3.3; docs/proofs/composition.md].
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from flint import arb

from tacit.core.numbers.enclosures import PRECISION, Enclosure, precision, real

if TYPE_CHECKING:
    from collections.abc import Iterable

Outcome = tuple[Fraction, "Enclosure"]
"""A total loss and the enclosure of its probability."""


def count(responses: Iterable[tuple[Fraction, int]]) -> int:
    """Return how many outcomes `outcomes` lists for responses given as (loss, times)."""
    return math.prod(times + 1 for _, times in responses)


def outcomes(responses: Iterable[tuple[Fraction, int]]) -> list[Outcome]:
    """Return all total losses with their probabilities under the first law of the pair.

    >>> [(int(loss), round(float(p), 6)) for loss, p in outcomes([(Fraction(1), 2)])]
    [(2, 0.534447), (0, 0.393224), (-2, 0.072329)]
    """
    with precision(PRECISION):
        groups = [_binomial(loss, times) for loss, times in responses]
        return [
            (
                sum((loss for loss, _ in chosen), Fraction(0)),
                math.prod((p for _, p in chosen), start=arb(1)),
            )
            for chosen in product(*groups)
        ]


def _binomial(loss: Fraction, times: int) -> list[Outcome]:
    likely = 1 / (1 + (-real(loss)).exp())
    rare = 1 / (1 + real(loss).exp())
    return [
        ((times - 2 * i) * loss, arb(math.comb(times, i)) * likely ** (times - i) * rare**i)
        for i in range(times + 1)
    ]
