"""Synthetic rows for any queries: find the worst answered one, and correct the weights.

Of the papers: BNS16 Thm 2.19.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Exact, Privacy, Random, check, hold
from tacit.core.chance.law import Law, certain
from tacit.core.composition import calibrate
from tacit.core.cost import BoundedRange, Repeat
from tacit.core.numbers.enclosures import Enclosure, log_upper, real, round_up, upper
from tacit.mechanisms import Exponential
from tacit.sanitizers.contract.queries import Queries
from tacit.sanitizers.contract.rounding import whole
from tacit.sanitizers.contract.synthetic import Synthetic
from tacit.statistics import Counts, ScoreProfile

SMALL = Fraction(1, 10**9)
"""What floats may add to the error of the weights: far more than they do."""


@dataclass(frozen=True, slots=True)
class MultiplicativeWeights:
    """Correct a distribution `rounds` times where it answers a query worst.

    It starts uniform. A round chooses a query, and whether it is answered too low or too high, by
    the exponential mechanism; the cells of the query are then multiplied by e^eta or e^-eta. The
    rows, `copies` for each row of the data, are rounded from the mean of all distributions.

    Guarantee:
        Each round is of bounded range `epsilon`. With probability at least 1 - beta no query is off
        by more than `error(n, beta)` in the mean distribution, nor by more than
        `promised(synthetic, beta)` in the rows, for every database [HR10].

    Exactness:
        Scores are integers: a count of rows minus an answer of the public distribution, rounded.
        The distribution is a function of the choices made so far, and computed in floats.

    Cost:
        `rounds` times `BoundedRange(epsilon)`, one after the other; time, for each round, of one
        pass over all cells for each few queries.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.sanitizers.contract.attributes import Attributes
    >>> from tacit.sanitizers.contract.queries import MarginalQueries
    >>> pairs = MarginalQueries(Attributes.binary(4), 2)
    >>> sanitizer = MultiplicativeWeights(pairs, epsilon="1/20", rounds=50)
    >>> made = sanitizer(Counts.of([(0, 0, 1, 1)] * 50_000), rng=Seeded(1))
    >>> made.n, float(sanitizer.error(made.n, 0.05))
    (50000, 0.175...)

    Proof: docs/proofs/multiplicative_weights.md
    """

    queries: Queries
    epsilon: Fraction
    rounds: int
    copies: int

    def __init__(self, queries: Queries, *, epsilon: Exact, rounds: int, copies: int = 1) -> None:
        hold(self, queries=queries).positive(epsilon=epsilon)
        hold(self).count(rounds=rounds, copies=copies, least=1)

    @classmethod
    def within(
        cls, queries: Queries, privacy: Privacy, *, n: int, beta: Exact, copies: int = 1
    ) -> MultiplicativeWeights:
        """Return the sanitizer with about the least promised error for n rows in this budget."""
        check.count(n=n, least=1)
        beta = check.probability(beta=beta)
        size, count = queries.attributes.size, queries.count
        rounds = min(range(1, 4000), key=lambda t: _rough(size, count, privacy, n, beta, t))
        each = privacy.epsilon / rounds
        if privacy.delta:
            each = calibrate(privacy, lambda e: Repeat(BoundedRange(e), rounds))
        return cls(queries, epsilon=each, rounds=rounds, copies=copies)

    @property
    def cost(self) -> Repeat:
        return Repeat(BoundedRange(self.epsilon), self.rounds)

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Synthetic:
        n, truth = counts.n, self._truth(counts)
        weights = np.full(self.queries.attributes.size, n / self.queries.attributes.size)
        mean, choose = np.zeros_like(weights), Exponential(self.epsilon)
        for _ in range(self.rounds):
            mean += weights
            chosen = choose(self._profile(truth, weights), rng=rng)
            self._correct(weights, chosen, n)
        return self._made(mean, n)

    def law(self, counts: Counts[Any], /) -> Law[Synthetic]:
        """Return the exact law of the rows, for few queries and rounds."""
        n, truth = counts.n, self._truth(counts)
        start = np.full(self.queries.attributes.size, n / self.queries.attributes.size)

        def further(weights: NDArray[np.float64], mean: NDArray[np.float64], left: int) -> Any:
            if left == 0:
                return certain(self._made(mean, n))
            mean = mean + weights

            def after(chosen: int) -> Law[Synthetic]:
                corrected = weights.copy()
                self._correct(corrected, chosen, n)
                return further(corrected, mean, left - 1)  # type: ignore[no-any-return]

            return Exponential(self.epsilon).law(self._profile(truth, weights)).then(after)

        law: Law[Synthetic] = further(start, np.zeros_like(start), self.rounds)
        return law

    def error(self, n: int, beta: Exact) -> Fraction:
        """Return the error that is promised of the mean distribution, as a share of n rows."""
        beta = check.probability(beta=beta)
        if check.count(n=n) == 0:
            return Fraction(1)
        size, count = self.queries.attributes.size, self.queries.count
        missed = Exponential(self.epsilon).shortfall(beta / self.rounds, size=2 * count)

        def learned() -> Enclosure:
            return (real(size).log() / (2 * self.rounds)).sqrt()

        slow = round_up(upper(learned), 40) if size > 1 else Fraction(0)
        return min(Fraction(1), slow + Fraction(missed, n) + SMALL)

    def promised(self, synthetic: Synthetic, beta: Exact) -> Fraction:
        """Return the error that is promised for these rows, rounding included."""
        rows = synthetic.n
        if rows == 0:
            return Fraction(1)
        rounded = Fraction(synthetic.deviations[0], rows)
        return min(Fraction(1), self.error(rows // self.copies, beta) + rounded)

    def _truth(self, counts: Counts[Any]) -> NDArray[np.int64]:
        answers: NDArray[np.int64] = self.queries.answers(self.queries.attributes.histogram(counts))
        return answers

    def _profile(self, truth: NDArray[np.int64], weights: NDArray[np.float64]) -> ScoreProfile[int]:
        """Score each query by how much too low its answer is, then by how much too high."""
        low = truth - np.rint(self.queries.answers(weights)).astype(np.int64)
        return ScoreProfile.of(np.concatenate([low, -low]))

    def _correct(self, weights: NDArray[np.float64], chosen: int, n: int) -> None:
        sign, index = divmod(chosen, self.queries.count)
        self.queries.scale(weights, index, math.exp(-self._eta if sign else self._eta))
        weights *= n / max(weights.sum(), 1.0)

    def _made(self, mean: NDArray[np.float64], n: int) -> Synthetic:
        """Round the mean distribution to rows; a function of public things."""
        rows = self.copies * n
        made = whole(mean, rows)
        shares = mean * (rows / max(mean.sum(), 1.0))
        off = abs(self.queries.answers(made.astype(np.float64)) - self.queries.answers(shares))
        shape = self.queries.attributes.shape
        return Synthetic.of(shape, made, [math.ceil(off.max() + float(SMALL))])

    @property
    def _eta(self) -> float:
        return math.sqrt(8 * math.log(self.queries.attributes.size) / self.rounds)


def _rough(size: int, count: int, privacy: Privacy, n: int, beta: Fraction, rounds: int) -> float:
    """Estimate the promised error for so many rounds, to choose their number."""
    each = float(privacy.epsilon) / rounds
    if privacy.delta:
        log = float(log_upper(1 / privacy.delta))
        rho = (math.sqrt(log + float(privacy.epsilon)) - math.sqrt(log)) ** 2
        each = max(each, math.sqrt(8 * rho / rounds))
    missed = 2 / each * math.log(2 * count * rounds / float(beta))
    return math.sqrt(math.log(size) / (2 * rounds)) + missed / n
