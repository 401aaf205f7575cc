"""From the local model back to statistical queries: one report of a private randomiser, simulated.

With `PrivateQueries` and `LocalLearner`, what can be learned from randomised reports and what can
be learned from statistical queries is the same, up to the number of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Generic, TypeVar

from tacit.core import check
from tacit.core.chance.law import Law, proportional
from tacit.core.chance.randomness import Random
from tacit.core.frozen import hold
from tacit.core.numbers.decay import SIGNIFICANT
from tacit.core.numbers.enclosures import exp_upper, round_up
from tacit.core.numbers.exact import Exact

Z = TypeVar("Z")
W = TypeVar("W", bound=Hashable)
Share = Callable[[Z], Fraction]
"""A query with values in [0, 1]; its expectation over the population is asked for."""


@dataclass(frozen=True, slots=True)
class SimulatedReport(Generic[Z, W]):
    """What an epsilon-private randomiser says of a fresh row, without a row: only by queries.

    Draw w as the randomiser would for a fixed `reference` row; ask how much more, or less, likely w
    is for a row of the population; accept w in that proportion, or draw again.

    Guarantee:
        If all answers are within tau, the report's law is within `distance(tau)` in total variation
        of the law of a true report on a fresh row, and about e^epsilon proposals are made [KLNRS11,
        Sec. 5.1.2].

    Exactness:
        Laws are rational; e^epsilon enters as a rational above it, so that no query leaves [0, 1].

    >>> from tacit.mechanisms import RandomisedResponse
    >>> report = SimulatedReport(RandomisedResponse(1).law, 0, epsilon=1)
    >>> fair = lambda query: (query(0) + query(1)) / 2
    >>> report.report_law(fair)[1]
    Fraction(1, 2)

    Proof: docs/proofs/statistical_queries.md
    """

    randomiser: Callable[[Z], Law[W]]
    reference: Z
    epsilon: Fraction

    def __init__(self, randomiser: Callable[[Z], Law[W]], reference: Z, *, epsilon: Exact) -> None:
        hold(self, randomiser=randomiser, reference=reference).positive(epsilon=epsilon)

    @property
    def growth(self) -> Fraction:
        """A rational G >= e^epsilon."""
        return round_up(exp_upper(self.epsilon), SIGNIFICANT)

    def query(self, report: W) -> Share[Z]:
        """Return the query that tells how likely a report is: (Q(w|z) / Q(w|z0) - 1/G) / (G - 1/G).

        In [0, 1] for every row, since the randomiser is private.
        """
        base, G = self.randomiser(self.reference)[report], self.growth
        return lambda z: (self.randomiser(z)[report] / base - 1 / G) / (G - 1 / G)

    def distance(self, tolerance: Exact) -> Fraction:
        """Bound the total variation distance to a true report: tolerance * (G - 1/G).

        >>> float(SimulatedReport(lambda z: z, 0, epsilon=1).distance("0.01"))
        0.0235...
        """
        return check.nonnegative(tolerance=tolerance) * (self.growth - 1 / self.growth)

    def tolerance(self, reports: int, beta: Exact) -> Fraction:
        """Return the tolerance at which so many reports together are within beta."""
        each = check.probability(beta=beta) / check.count(reports=reports, least=1)
        return each / self.distance(1)

    def __call__(self, oracle: Callable[[Share[Z]], Fraction], *, rng: Random) -> W:
        """Draw one report; the oracle is asked once about each candidate."""
        candidates = self.randomiser(self.reference)
        known: dict[W, Fraction] = {}
        while True:
            report = _draw(candidates, rng=rng)
            if report not in known:
                known[report] = self._weight(report, oracle) / self.growth
            if rng.below(known[report].denominator) < known[report].numerator:
                return report

    def report_law(self, oracle: Callable[[Share[Z]], Fraction]) -> Law[W]:
        """Return the exact law of the report, given the oracle's answers."""
        base = self.randomiser(self.reference).probabilities
        return proportional({w: p * self._weight(w, oracle) for w, p in base.items() if p})

    def _weight(self, report: W, oracle: Callable[[Share[Z]], Fraction]) -> Fraction:
        """Return the estimated likelihood ratio, moved into [1/G, G]."""
        G = self.growth
        return min(max(1 / G + (G - 1 / G) * oracle(self.query(report)), 1 / G), G)


def _draw(law: Law[W], *, rng: Random) -> W:
    """Draw from a rational law."""
    whole = lcm(*(p.denominator for p in law.probabilities.values()))
    place = rng.below(whole)
    for outcome, p in law.probabilities.items():
        place -= int(p * whole)
        if place < 0:
            return outcome
    raise AssertionError("a law adds up to 1")
