"""Witnesses against statements about communication and lines [FX14], and parities [Vad17]."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, product
from math import ceil, comb

from tacit.concepts.grid.halfspaces import Halfspaces
from tacit.core.chance.divergence import hockey_stick
from tacit.core.chance.law import Law
from tacit.core.numbers.enclosures import exp_lower, exp_upper, log_lower, log_upper
from tacit.theory.communication.augmented_index import index_bits
from tacit.theory.papers.witness import Witness, Witnesses, said
from tacit.theory.solving.class_table import sauer

F = Fraction


def _blocks() -> Witness:
    """Of blocks that are right with chance 2/3, fewer than 7/12 are: beta = 0.4, delta = 0.01."""

    def few(blocks: int) -> Fraction:
        right = range(ceil(F(7, 12) * blocks))
        return F(sum(comb(blocks, i) * 2**i for i in right), 3**blocks)

    printed, correct = (ceil(72 * log_upper(4 / x)) for x in (F(2, 5), F(1, 100)))
    return Witness(said(few(printed), F(1, 400)), said(few(correct), F(1, 400)))


def _tail() -> Witness:
    """P[Lap(1/a) < -ln(1/x)/a] = x/2: at x = delta as printed, at delta/2 as it should be."""
    delta = F(1, 10)
    return Witness(said(delta / 2, delta / 4), said(delta / 2 / 2, delta / 4))


def _scales() -> Witness:
    """Scales k = 1 to 5 at which t = 2^k rows give no hypothesis with probability 2/3."""
    heavy, light, parts = F(2164, 10**4), F(337, 10**7), 1000
    none = 1 - heavy - parts * light

    def likely(t: int) -> Fraction:
        zero = none**t
        points = [(none + mass) ** t - zero for mass in (heavy, light)]
        return max(zero, *points, 1 - zero - points[0] - parts * points[1])

    bad = sum(likely(2**k) < F(2, 3) for k in range(1, 6))
    return Witness(said(bad, 3), said(bad, 6))


def _boxes() -> Witness:
    """Points of the 4 by 4 grid; every subset is cut out by its least box, and none by no box."""
    points = [(0, 1), (1, 0), (1, 2), (2, 1)]

    def cut(inside: tuple[tuple[int, int], ...]) -> bool:
        sides = [(min(side), max(side)) for side in zip(*inside, strict=True)]
        within = [p for p in points if all(a <= x <= b for x, (a, b) in zip(p, sides, strict=True))]
        return set(within) == set(inside)

    subsets = chain.from_iterable(combinations(points, size) for size in range(1, 5))
    shattered = len(points) if all(map(cut, subsets)) else 0
    return Witness(said(shattered, 2 + 1), said(shattered, 2 * 2))


def _halfspaces() -> Witness:
    """Littlestone's dimension of halfspaces on a 4 by 4 grid, printed as b d (d - 1) / 2."""
    depth, bits = Halfspaces(2, 2).littlestone.lower, 2
    return Witness(said(depth, bits), said(bits + 1 + bits, depth))


def _error(miss: Fraction, failure: Fraction) -> Fraction:
    """The error of the protocol of a representation."""
    return 1 - (1 - miss) * (1 - failure)


def _fixed_representation() -> Witness:
    third, sixth = F(1, 3), F(1, 6)
    return Witness(said(_error(third, third), F(1, 9)), said(_error(sixth, sixth), third))


def _newman() -> Witness:
    """Log log |C||X| for all functions on 2^20 points, against the terms that bound it."""
    bits = 20
    low = log_lower(F(2**bits + bits)) / log_upper(F(2))
    high = log_upper(F(2**bits + bits)) / log_lower(F(2))
    loglog = log_upper(F(bits)) / log_lower(F(2)), log_lower(F(bits)) / log_upper(F(2))
    return Witness(said(low, 2 * loglog[0]), said(high, bits + loglog[1]))


def _augmented_index() -> Witness:
    """Bits for 100 bits at error 9/10: a fair coin errs with 1/2 only."""
    entropy = F(9, 10) * log_upper(F(10, 9)) + F(1, 10) * log_upper(F(10))
    printed = 100 * (1 - entropy / log_lower(F(2)))
    return Witness(said(printed, 0), said(F(index_bits(100, "0.9")), 0))


def _lines_through() -> Witness:
    """Lines y = a x + b over Z_3 through (0, 0) and (0, 1): one, it is said."""
    joined = [
        line
        for line in product(range(3), repeat=2)
        if all((line[0] * x + line[1]) % 3 == y for x, y in ((0, 0), (0, 1)))
    ]
    return Witness(said(1, len(joined)))


def _loss() -> Witness:
    """The chance of an outcome that is likelier here than there, against delta at epsilon = 0."""
    p, q = (Law({0: x, 1: 1 - x}) for x in (F(1, 2), F(9, 20)))
    lost = sum(mass for x, mass in p.probabilities.items() if mass > q[x])
    return Witness(said(lost, hockey_stick(p, q, F(1)).lower))


def _unseen() -> Witness:
    """A point of mass 1/1000 is in none of 100 rows, and one of two concepts is wrong on it."""
    return Witness(said(F(999, 1000) ** 100 / 2, F(1, 10)))


def _difference() -> Witness:
    """Log |C| less the dimension, for the sets of up to 4 of 16 points: at most log |X| = 4."""
    return Witness(said(log_lower(F(sauer(4, 16))) / log_upper(F(2)) - 4, 4))


def _minus_one() -> Witness:
    return Witness(said(1 - F(-1), exp_upper(F(-1))), said(1 - F(-1), exp_lower(F(1))))


def _two() -> Witness:
    """Two different positives among t rows that are fair coins: none in 1 row, 1/2 in 2."""

    def bound(t: int) -> tuple[Fraction, Fraction]:
        first, second = (1 - exp_lower(F(-t, 2))), (1 - exp_lower(F(-t, 4)))
        return (1 - exp_upper(F(-t, 2))) * (1 - exp_upper(F(-t, 4))), first * second

    return Witness(said(bound(1)[0], 0), said(bound(2)[1], F(1, 2)))


WITNESSES: Witnesses = {
    "A1": _blocks,
    "A3": _tail,
    "A4": _scales,
    "A5": _boxes,
    "A6": _halfspaces,
    "A7": lambda: Witness(said(_error(F(1, 4), F(1, 4)), F(1, 2))),
    "A8a": _fixed_representation,
    "A8b": _newman,
    "A9": _augmented_index,
    "A11": lambda: Witness(said(1 + 2, 2**1)),  # messages of no bit and of one
    "A12": lambda: Witness(said(log_lower(F(3, 2) / F(1, 2)), 2 * F(1, 2))),  # epsilon = 1/2
    "A14": _lines_through,
    "A16": _loss,
    "A17": _unseen,
    "A18": lambda: Witness(said(F(1, 8), F(1, 20))),
    "A21": _difference,
    "A22": _minus_one,
    "A23": _two,
}
