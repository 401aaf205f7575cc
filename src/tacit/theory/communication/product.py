"""When concept and point are independent: communication is about the VC dimension.

Of the papers: Vad17 Thm 8.8.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from tacit.core import check
from tacit.core.numbers.enclosures import real, upper
from tacit.core.numbers.exact import Exact
from tacit.theory.solving.logarithms import information
from tacit.theory.solving.representatives import sauer


def product_bits(vc: int, error: Exact) -> tuple[Fraction, int]:
    """Bound the bits for the worst product distribution, from below and above [Vad17 Thm 8.8].

    Below: on a shattered set, Alice's bits are independent of Bob's place. Above: Alice sends her
    labels of public points and Bob predicts his own by the one-inclusion graph, or she sends the
    nearest concept of a packing [Hau95] (docs/proofs/communication.md).

    >>> low, high = product_bits(5, "1/8")
    >>> round(float(low), 2), high
    (2.28, 20)
    """
    d, error = check.count(vc=vc), check.probability(error=error)
    if 2 * error >= 1 or d == 0:
        return Fraction(0), 0
    lower = d * information(error)
    by_labels = (sauer(d, public_points(d, error)) - 1).bit_length()
    by_packing = ceil(
        upper(
            lambda: (
                (1 + real(d + 1).log() + d * (1 + (real(2) / real(error)).log())) / real(2).log()
            )
        )
    )
    return lower, min(by_labels, by_packing)


def public_points(vc: int, error: Exact) -> int:
    """Return how many labels make the one-inclusion predictor err so rarely: ceil(d / e) - 1.

    >>> public_points(1, "1/4")
    3
    """
    return ceil(check.count(vc=vc) / check.probability(error=error)) - 1
