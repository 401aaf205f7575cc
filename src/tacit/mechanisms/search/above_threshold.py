"""The sparse vector technique: which query is the first above a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from tacit.core import check
from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Random
from tacit.core.frozen import hold
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import Enclosure, upper
from tacit.core.numbers.exact import Exact, natural
from tacit.core.numbers.least import least
from tacit.core.own_cost import PureCost
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.mechanisms.noise.geometric_tail import least_reach, reaches, tail_ball
from tacit.mechanisms.search.first_above import first_above
from tacit.statistics.query_stream import QueryStream

NEGLIGIBLE = Fraction(1, 1 << 80)
"""Mass of the threshold's noise that a bound counts as failure in place of looking at it."""
BLOCKS = 1024
"""Into how many blocks the threshold's noise is cut, where it has more values than that."""
LOWEST = -(1 << 200_000)
"""No threshold is lower: longer integers would take too long to read."""


@dataclass(frozen=True, slots=True)
class AboveThreshold(PureCost):
    """Tell the index of the first query whose noisy answer reaches a noisy threshold, else None.

    `share` of epsilon is for the noise of the threshold, drawn once; the rest is for the queries,
    each with noise of its own; a third makes all noises equal in law. To go on after an answer,
    call again on the rest of the stream: a call costs epsilon, whatever it passes over.

    Guarantee:
        epsilon-DP for any number of queries [DR14, Thm. 3.23]. With probability at least 1 -
        `failure(alpha)` the told query is at least threshold - alpha, and all queries before it
        (all of them, for None) are at most threshold + alpha.

    Exactness:
        Ratios are rationals >= e^-rate. Given the noisy threshold, a query is above with a rational
        probability; its coin is tossed without error. The law is rational, without truncation.

    Cost:
        `Pure(epsilon)`; one coin for each query that is passed over.

    >>> from tacit.core.chance.randomness import Seeded
    >>> AboveThreshold(50, threshold=10)(QueryStream([1, 4, 30, 2]), rng=Seeded(0))
    2

    Proof: docs/proofs/above_threshold.md
    """

    epsilon: Fraction
    threshold: int
    share: Fraction

    def __init__(self, epsilon: Exact, *, threshold: int, share: Exact = Fraction(1, 3)) -> None:
        hold(self).positive(epsilon=epsilon)
        read = natural(threshold, name="threshold", least=LOWEST)
        hold(self, threshold=read).probability(share=share)

    def __call__(self, stream: QueryStream, *, rng: Random) -> int | None:
        """Return the index of the first query above, or None."""
        blur = DiscreteLaplace(self.share * self.epsilon, stream.sensitivity)
        noisy = blur(self.threshold, rng=rng)
        decay = self._query_decay(stream.sensitivity)
        for index, answer in enumerate(stream.answers):
            if reaches(decay, noisy - answer, rng=rng):
                return index
        return None

    def law(self, stream: QueryStream) -> Law[int | None]:
        """Return the exact law of the index."""
        chances = first_above(
            [answer - self.threshold for answer in stream.answers],
            noise=self._query_decay(stream.sensitivity),
            zero=self._threshold_decay(stream.sensitivity),
        )
        return Law({**dict(enumerate(chances[:-1])), None: chances[-1]})

    def failure(self, alpha: int, *, queries: int, sensitivity: int = 1) -> Fraction:
        """Bound the probability of an answer that is wrong by more than alpha.

        The bound is attained: by queries that are all alpha + 1 below the threshold, or by one that
        is alpha + 1 above it after all others. Where the threshold's noise spreads over thousands
        of integers, these are taken in blocks, which adds a few percent.

        >>> float(AboveThreshold(1, threshold=0).failure(30, queries=100))
        0.0068...
        """
        check.count(alpha=alpha)
        check.count(queries=queries, least=1)
        zero, noise = self._threshold_decay(sensitivity), self._query_decay(sensitivity)
        far = least_reach(zero, NEGLIGIBLE, least=1)
        step = -(-far // BLOCKS)

        def worst() -> Enclosure:
            below = above = arb(0)
            for first in range(1 - far, far, step):
                last = min(first + step, far) - 1
                mass = tail_ball(zero, first) - tail_ball(zero, last + 1)
                quiet = 1 - tail_ball(noise, alpha + 1 + first)
                others = quiet ** (queries - 1)
                below += mass * (1 - others * quiet)
                above += mass * (1 - others * (1 - tail_ball(noise, alpha + 2 - last)))
            return below.max(above)

        return min(Fraction(1), upper(worst) + 2 * NEGLIGIBLE)

    def alpha(self, beta: Exact, *, queries: int, sensitivity: int = 1) -> int:
        """Return the least alpha for which `failure` is at most beta.

        >>> AboveThreshold(1, threshold=0).alpha(0.05, queries=100)
        23
        """
        beta = check.probability(beta=beta)
        return least(
            lambda alpha: self.failure(alpha, queries=queries, sensitivity=sensitivity) <= beta
        )

    def _threshold_decay(self, sensitivity: int) -> Decay:
        return Decay.of(self.share * self.epsilon / check.count(sensitivity=sensitivity, least=1))

    def _query_decay(self, sensitivity: int) -> Decay:
        moved = check.count(sensitivity=sensitivity, least=1)
        return Decay.of((1 - self.share) * self.epsilon / (2 * moved))
