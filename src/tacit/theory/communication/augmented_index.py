"""Augmented index: a mistake tree turns c(x) into guessing a bit whose predecessors are known.

Of the papers: FX14 Thm 2, FX14 Lemma 9, FX14 Lemma 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from tacit.core import Exact, InvalidArgument, check
from tacit.theory.dimensions.littlestone import MistakeTree
from tacit.theory.solving.logarithms import information


def index_bits(depth: int, error: Exact) -> Fraction:
    """Return the bits that every protocol for `depth` coins needs, by the chain rule and Fano.

    Alice has all coins and Bob those before the one that he must say: the message tells 1 - H(e) of
    each [FX14 Lemma 9 and Lemma 10; docs/proofs/communication.md]. Errors of 1/2 and more need
    none.

    >>> float(index_bits(64, "1/4")), index_bits(64, "1/2")
    (12.078..., Fraction(0, 1))
    """
    return check.count(depth=depth) * information(check.small_probability(error=error))


def index_messages(depth: int, error: Exact) -> int:
    """Return how many messages every protocol for `depth` coins needs, by counting.

    g sequences of coins that share a message err at g - 1 of their places at least, so N messages
    err at 2^d - N of the d 2^d places (docs/proofs/communication.md). More than the bits above tell
    if errors are less than about 1/d: with none, as many messages as sequences.

    >>> index_messages(4, "1/16"), index_messages(4, 0), index_messages(4, "1/4")
    (12, 16, 1)
    """
    left = 1 - check.count(depth=depth) * check.small_probability(error=error)
    return max(1, ceil(left * 2**depth)) if left > 0 else 1


def index_error(depth: int, messages: int) -> Fraction:
    """Return what every protocol for `depth` coins errs at least with so many messages.

    By the same count: (2^d - N) / (d 2^d).

    >>> index_error(4, 12), index_error(4, 16)
    (Fraction(1, 16), Fraction(0, 1))
    """
    missing = 2 ** check.count(depth=depth) - check.count(messages=messages, least=1)
    return Fraction(missing, depth * 2**depth) if missing > 0 else Fraction(0)


@dataclass(frozen=True, slots=True)
class AugmentedIndex:
    """The maps from coins to concepts and from their beginnings to points, along a mistake tree.

    >>> import numpy as np
    >>> from tacit.theory.solving.incidence import Incidence
    >>> from tacit.theory.dimensions.littlestone import littlestone
    >>> table = Incidence.of(np.arange(8)[None, :] >= np.arange(8)[:, None])
    >>> maps = AugmentedIndex(littlestone(table).tree)
    >>> coins = (True, False, True)
    >>> c = maps.concept(coins)
    >>> [table.value(c, maps.point(coins[:i])) for i in range(3)]
    [True, False, True]
    """

    tree: MistakeTree

    def concept(self, coins: Sequence[bool]) -> int:
        """Return Alice's concept: the leaf that the coins lead to."""
        if len(coins) != self.tree.depth:
            raise InvalidArgument(f"coins must be {self.tree.depth} many, got {len(coins)}")
        return int(self.tree.concepts[self._node(coins) - len(self.tree.points)])

    def point(self, known: Sequence[bool]) -> int:
        """Return Bob's point, who knows the coins before his: the question that is asked next."""
        if len(known) >= self.tree.depth:
            raise InvalidArgument(f"known must be fewer than {self.tree.depth} coins")
        return int(self.tree.points[self._node(known)])

    def _node(self, coins: Sequence[bool]) -> int:
        node = 0
        for coin in coins:
            node = 2 * node + 1 + bool(coin)
        return node


def threshold_coins(coins: Sequence[bool]) -> tuple[int, tuple[int, ...]]:
    """Return the threshold over 2^b values that b coins choose, and the points that are asked.

    The threshold's binary digits are the opposite of the coins, highest first; the i-th point has
    those before, then a 0 and ones.

    >>> z, asked = threshold_coins((True, False, True))
    >>> z, asked, [y >= z for y in asked]
    (2, (3, 1, 2), [True, False, True])
    """
    bits, z, asked = len(coins), 0, []
    for place, coin in enumerate(coins):
        left = bits - place
        asked.append((z << left) + (1 << left - 1) - 1)
        z = 2 * z + (not coin)
    return z, tuple(asked)
