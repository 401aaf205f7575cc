"""The share that one random hypothesis covers: a game that pins representations from both sides.

One player draws a hypothesis, the other a concept and a distribution; the first wins if the
hypothesis is within alpha. Its value says how large random sets must be, and need be.

Of the papers: BNS19 Def 12, BNS19 Def 31.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np

from tacit.core import Exact, check
from tacit.kernels.bits.packing import bit_sets, pack
from tacit.theory.representations.drawn import draws_until
from tacit.theory.representations.list_game import Challenge, ListGame, most_met
from tacit.theory.representations.representation import Rows
from tacit.theory.solving.heavy_sets import HeavySets


@dataclass(frozen=True, slots=True, eq=False)
class CoveredShare:
    """Hypotheses drawn with these probabilities cover every challenge with at least `share`.

    Of the challenges drawn with these weights, no hypothesis covers more than `share`.
    """

    share: Fraction
    hypotheses: Rows
    probabilities: tuple[Fraction, ...]
    challenges: tuple[Challenge, ...]
    weights: tuple[Fraction, ...]
    whole: int
    """How many hypotheses represent the class without fail: its concepts, or all there are."""

    def sizes(self, beta: Exact) -> tuple[int, int]:
        """Bound the least sets of an (alpha, beta)-representation from both sides.

        N hypotheses cover N times the share at most; N draws miss with (1 - share)^N; the concepts
        themselves never do.
        """
        beta = check.probability(beta=beta)
        lower = ceil((1 - beta) / self.share)
        return lower, min(draws_until(1 - self.share, beta), self.whole)

    @property
    def deterministic(self) -> int:
        """Bound deterministic representations from below."""
        return ceil(1 / self.share)


def covered_share(concepts: Rows, alpha: Exact, *, among: Rows | None = None) -> CoveredShare:
    """Return the largest share of good hypotheses that a distribution over them guarantees.

    `among` are the hypotheses, or all functions, of at most six points that the class tells apart.

    Exactness:
        Rationals: the game of lists of one hypothesis (docs/proofs/representation.md).
        `share_of_challenges` and `ProbabilisticRepresentation` check either side.

    >>> covered_share(np.eye(4, dtype=bool), "1/4").share
    Fraction(1, 4)
    """
    table = np.unique(concepts, axis=0)
    game = ListGame(table, check.small_probability(alpha=alpha), among)
    _, lists, value = game.play(1)
    drawn = {h: chance for (h,), chance in zip(lists, value.paying, strict=True)}
    chances = tuple(drawn.get(h, Fraction(0)) for h in range(len(game.hypotheses)))
    return CoveredShare(
        1 - value.upper,
        game.hypotheses,
        chances,
        tuple(game.challenges),
        value.paid,
        _whole(table, game.hypotheses),
    )


def _whole(concepts: Rows, hypotheses: Rows) -> int:
    """Return how many hypotheses are enough for every concept and distribution at once."""
    known = {row.tobytes() for row in hypotheses}
    proper = all(row.tobytes() in known for row in concepts.astype(hypotheses.dtype))
    return min(len(concepts), len(hypotheses)) if proper else len(hypotheses)


def share_of_challenges(concepts: Rows, alpha: Exact, found: CoveredShare) -> Fraction:
    """Return the most of the weighted challenges that one hypothesis covers: an upper bound.

    >>> points = np.eye(3, dtype=bool)
    >>> share_of_challenges(points, "1/4", covered_share(points, "1/4"))
    Fraction(1, 3)
    """
    return most_met(concepts, alpha, found.challenges, found.weights, 1, among=found.hypotheses)


def missed_share(
    hypotheses: Rows, probabilities: Sequence[Fraction], concept: Rows, alpha: Exact
) -> Fraction:
    """Return how likely a drawn hypothesis misses a concept, under the worst distribution, exactly.

    Of N independent draws all miss with the N-th power of it, and under no distribution more often.

    >>> everything = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> missed_share(everything, [Fraction(1, 4)] * 4, everything[1], "1/4")
    Fraction(3, 4)
    """
    heavy = HeavySets(hypotheses.shape[1], check.small_probability(alpha=alpha))
    found = heavy.worst([[each] for each in bit_sets(pack(hypotheses != concept))], probabilities)
    return found[0] if found else Fraction(0)
