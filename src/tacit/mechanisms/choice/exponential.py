"""The exponential mechanism over a score profile.

Of the papers: FX14 Thm C.1, BNS19 Prop 6, BNS16 Prop 3.8.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np

from tacit.core import BoundedRangeCost, Decay, Exact, Random, TooLarge, check, hold, least
from tacit.core.chance.law import Law, collect
from tacit.core.numbers.enclosures import log_upper, upper
from tacit.mechanisms.choice.categorical import Weights, draw
from tacit.statistics import ScoreProfile

H = TypeVar("H", bound=Hashable)
ENUMERABLE = 100_000  # hypotheses that a law lists, in about a second
LARGEST_GAP = 10_000  # steps of score in an exact law: powers of the ratio have 64 bits a step
EXACT = 256  # a gap up to which a power is written out
FAR = 4096  # nats beyond which a weight counts as that small: e^-4096 is below any beta
BITS = 256  # of the bound on a power that is not written out


@dataclass(frozen=True, slots=True)
class Exponential(BoundedRangeCost):
    """Choose a hypothesis with probability proportional to e^(epsilon * score / (2 * sensitivity)).

    Guarantee:
        epsilon-DP and of bounded range epsilon, for every profile [MT07, Thm. 6; DDR20]. If
        `optimal` of N hypotheses have the best score, the chosen one is worse by g or more with
        probability at most w / (1 + w), w = (N / optimal - 1) e^(-epsilon g / (2 sensitivity)).

    Exactness:
        One unit of score weighs a rational q >= e^(-epsilon / (2 sensitivity)), within 2^-63 of it;
        the law with that q is the one that is private, and it is sampled without error.

    Cost:
        `BoundedRange(epsilon)`; time linear in the number of cells, not of hypotheses.

    >>> from tacit.core.chance.randomness import Seeded
    >>> Exponential(20)(ScoreProfile.of([0, 9, 3]), rng=Seeded(1))
    1

    Proof: docs/proofs/exponential.md
    """

    epsilon: Fraction

    def __init__(self, epsilon: Exact) -> None:
        hold(self).positive(epsilon=epsilon)

    def __call__(self, profile: ScoreProfile[H], *, rng: Random) -> H:
        cell = draw(self._weights(profile), rng=rng)
        return profile.member(cell, rng.below(int(profile.multiplicities[cell])))

    def law(self, profile: ScoreProfile[H]) -> Law[H]:
        if profile.size > ENUMERABLE:
            raise TooLarge(f"the law of {profile.size} hypotheses is too long to list; use `cells`")
        cells = self.cells(profile)
        return collect(
            (profile.member(cell, rank), cells[cell] / m)
            for cell, m in enumerate(map(int, profile.multiplicities))
            for rank in range(m)
        )

    def cells(self, profile: ScoreProfile[H]) -> Law[int]:
        """Return the exact law of the chosen hypothesis' cell, whatever the multiplicities."""
        weights = self._weights(profile)
        if weights.gaps.max() > LARGEST_GAP:
            raise TooLarge(f"the exact law needs scores within {LARGEST_GAP} of each other")
        masses = {
            cell: int(m) * weights.decay.power(int(gap))
            for cell, (m, gap) in enumerate(zip(weights.multiplicities, weights.gaps, strict=True))
        }
        total = sum(masses.values(), Fraction(0))
        return Law({cell: mass / total for cell, mass in masses.items()})

    def failure(
        self, shortfall: int, *, size: int, optimal: int = 1, sensitivity: int = 1
    ) -> Fraction:
        """Bound the probability that the choice falls `shortfall` or more below the best score.

        >>> float(Exponential(1).failure(20, size=1000))
        0.0433...
        """
        check.count(optimal=optimal, least=1)
        excess = Fraction(check.count(size=size, least=optimal) - optimal, optimal)
        odds = excess * self._lost(check.count(shortfall=shortfall, least=1), sensitivity)
        return odds / (1 + odds)

    def shortfall(self, beta: Exact, *, size: int, optimal: int = 1, sensitivity: int = 1) -> int:
        """Return the least g for which `failure(g)` is at most beta.

        >>> Exponential(1).shortfall(0.05, size=1000)
        20
        """
        beta = check.probability(beta=beta)
        odds = Fraction(size - optimal, optimal) * (1 - beta) / beta
        guess = max(1, int(2 * sensitivity * log_upper(max(odds, Fraction(1))) / self.epsilon))
        public = {"size": size, "optimal": optimal, "sensitivity": sensitivity}
        return least(lambda g: self.failure(g, **public) <= beta, low=guess)

    def _lost(self, gap: int, sensitivity: int) -> Fraction:
        """Return q^gap; of large gaps, whose powers have too many digits, a bound from above."""
        decay = self._decay(sensitivity)
        if gap <= EXACT:
            return decay.power(gap)
        enough = min(gap, max(EXACT, int(2 * FAR * sensitivity / self.epsilon)))
        return upper(lambda: decay.real(enough), BITS)

    def _decay(self, sensitivity: int) -> Decay:
        return Decay.of(self.epsilon / (2 * check.count(sensitivity=sensitivity, least=1)))

    def _weights(self, profile: ScoreProfile[H]) -> Weights:
        decay = self._decay(profile.sensitivity)
        first = int(profile.scores.argmax())
        if profile.multiplicities[first] > 0:
            return Weights(profile.multiplicities, profile.scores[first] - profile.scores, decay)
        best = profile.scores[profile.multiplicities > 0].max()
        gaps = np.maximum(best - profile.scores, 0)
        return Weights(profile.multiplicities, gaps, decay)
