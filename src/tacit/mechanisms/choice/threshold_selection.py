"""Run a private procedure until its score reaches a known threshold, or a coin says stop."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from tacit.core import Exact, Law, Random, check, hold
from tacit.core.chance.uniform import bernoulli
from tacit.core.cost import Pure
from tacit.mechanisms.choice.repeated_selection import exact_law, pure_epsilon
from tacit.mechanisms.mechanism import Mechanism

R = TypeVar("R", bound=Hashable)
P = TypeVar("P", int, Fraction)
C = TypeVar("C", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ThresholdSelection(Generic[R, P, C]):
    """Tell the first outcome whose score is at least `threshold`; or None, if a coin stops first.

    Each round runs the base with fresh coins; an outcome (score, candidate) that reaches the
    threshold is told and ends the search; otherwise a coin of bias gamma ends it with None. The
    threshold is public: a score that is known to be good enough. The number of rounds depends on
    the data and is not covered by the cost, so the time taken must stay secret.

    Guarantee:
        (2 epsilon)-DP for an epsilon-DP base and every gamma in (0, 1) [LT19, Thm. 3.1], and the
        factor cannot be lowered. If one run reaches the threshold with probability p, the search
        says None with probability gamma (1 - p) / (gamma + (1 - gamma) p).

    Exactness:
        The law is rational and is sampled without error.

    Cost:
        `Pure(2 * epsilon)`; 1 / (gamma + (1 - gamma) p) <= 1 / gamma calls of the base on average.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.mechanisms.mechanism import Kernel
    >>> coin = Law({(0, "tails"): Fraction(2, 3), (1, "heads"): Fraction(1, 3)})
    >>> base = Kernel(Pure("1/2"), lambda rows: coin)
    >>> search = ThresholdSelection(base, threshold=1, gamma="1/10")
    >>> search.cost, search.law(("row",))[None], search(("row",), rng=Seeded(0))
    (Pure(epsilon=Fraction(1, 1)), Fraction(1, 6), (1, 'heads'))

    Proof: docs/proofs/threshold_selection.md
    """

    base: Mechanism[tuple[R, ...], tuple[P, C]]
    threshold: Fraction
    gamma: Fraction

    def __init__(
        self, base: Mechanism[tuple[R, ...], tuple[P, C]], *, threshold: Exact, gamma: Exact
    ) -> None:
        hold(self, base=base).exact(threshold=threshold).probability(gamma=gamma)
        pure_epsilon(base.cost)

    @property
    def cost(self) -> Pure:
        """What the whole search costs."""
        return Pure(2 * pure_epsilon(self.base.cost))

    def __call__(self, records: tuple[R, ...], *, rng: Random) -> tuple[P, C] | None:
        """Search; return the first good (score, candidate), or None."""
        while True:
            outcome = self.base(records, rng=rng)
            if outcome[0] >= self.threshold:
                return outcome
            if bernoulli(self.gamma, rng=rng):
                return None

    def law(self, records: tuple[R, ...]) -> Law[tuple[P, C] | None]:
        """Return the exact law of the answer."""
        one = exact_law(self.base, records).probabilities
        good = {outcome: p for outcome, p in one.items() if outcome[0] >= self.threshold}
        p = sum(good.values(), Fraction(0))
        ends = self.gamma + (1 - self.gamma) * p
        told: dict[tuple[P, C] | None, Fraction] = {o: q / ends for o, q in good.items()}
        return Law({**told, None: self.gamma * (1 - p) / ends})

    def failure(self, p: Exact) -> Fraction:
        """Bound the probability of None when one run is good enough with probability at least p.

        >>> from tacit.core.chance.law import certain
        >>> from tacit.mechanisms.mechanism import Kernel
        >>> base = Kernel(Pure(1), lambda rows: certain((1, "heads")))
        >>> ThresholdSelection(base, threshold=1, gamma=0.01).failure(0.5)
        Fraction(1, 101)
        """
        p = check.probability(p=p)
        return self.gamma * (1 - p) / (self.gamma + (1 - self.gamma) * p)
