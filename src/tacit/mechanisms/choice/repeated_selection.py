"""Run a private procedure a random number of times and keep the best outcome."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from tacit.core import Exact, InvalidArgument, Law, NotExact, Random, check, hold
from tacit.core.composition.pricing import price
from tacit.core.cost import Cost, Pure
from tacit.mechanisms.choice.repetitions import Repetitions
from tacit.mechanisms.mechanism import Mechanism

R = TypeVar("R", bound=Hashable)
P = TypeVar("P", int, Fraction)
C = TypeVar("C", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RepeatedSelection(Generic[R, P, C]):
    """Draw K in secret, run the base K times with fresh coins, tell the outcome of highest score.

    The base says (score, candidate), the score an integer or a fraction. Of equal scores the
    earliest run wins, so the candidates need no order. Neither K nor the other outcomes may be
    told: who knows K, from the time it took for instance, has learned more than the cost says.

    Guarantee:
        ((2 + eta) epsilon)-DP for an epsilon-DP base, every eta > -1 and gamma in (0, 1) [LT19,
        Thm. 3.2 for eta = 1; PS22]. The factor cannot be lowered. Outcomes of total base
        probability p are all missed with probability E[(1 - p)^K].

    Exactness:
        K is sampled exactly. The law is exact for whole eta >= 1; for other eta it is irrational
        and given to within a slack of about 2^-300. There is no largest K: a cap would be another
        law.

    Cost:
        `Pure((2 + eta) * epsilon)`; `runs.mean` calls of the base on average.

    >>> from tacit.core.chance.law import Law
    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.mechanisms.by_law import Kernel
    >>> coin = Law({(0, "tails"): Fraction(2, 3), (1, "heads"): Fraction(1, 3)})
    >>> search = RepeatedSelection(Kernel(Pure("1/2"), lambda rows: coin), eta=1, gamma="1/10")
    >>> search.cost, search.law(("row",))[1, "heads"], search(("row",), rng=Seeded(0))
    (Pure(epsilon=Fraction(3, 2)), Fraction(5, 6), (1, 'heads'))

    Proof: docs/proofs/repeated_selection.md
    """

    base: Mechanism[tuple[R, ...], tuple[P, C]]
    runs: Repetitions

    def __init__(
        self, base: Mechanism[tuple[R, ...], tuple[P, C]], *, eta: Exact, gamma: Exact
    ) -> None:
        hold(self, base=base, runs=Repetitions(eta, gamma))
        pure_epsilon(base.cost)

    @property
    def cost(self) -> Pure:
        """What the whole search costs."""
        return Pure((2 + self.runs.eta) * pure_epsilon(self.base.cost))

    def __call__(self, records: tuple[R, ...], *, rng: Random) -> tuple[P, C]:
        """Search; return the best (score, candidate)."""
        runs = self.runs.draw(rng=rng)
        best = self.base(records, rng=rng)
        for _ in range(runs - 1):
            rival = self.base(records, rng=rng)
            if rival[0] > best[0]:
                best = rival
        return best

    def law(self, records: tuple[R, ...]) -> Law[tuple[P, C]]:
        """Return the law of the best (score, candidate): exact for whole eta >= 1."""
        one = exact_law(self.base, records)
        masses: dict[P, Fraction] = {}
        for (score, _), probability in one.probabilities.items():
            masses[score] = masses.get(score, Fraction(0)) + probability
        best: dict[P, Fraction] = {}
        slack, reached = Fraction(0), Fraction(0)
        before = self.runs.generating(reached)
        for score in sorted(masses):
            reached += masses[score]
            after = self.runs.generating(reached)
            best[score] = max(Fraction(0), after[0] - before[1])
            slack += after[1] - before[0] - best[score]
            before = after
        return Law(
            {
                (score, candidate): best[score] * p / masses[score] if p else Fraction(0)
                for (score, candidate), p in one.probabilities.items()
            },
            slack,
            complete=True,
        )

    def failure(self, p: Exact) -> Fraction:
        """Bound the probability that no run meets an event of base probability at least p.

        >>> from tacit.core.chance.law import certain
        >>> from tacit.mechanisms.by_law import Kernel
        >>> coin = Kernel(Pure(1), lambda rows: certain((1, "heads")))
        >>> float(RepeatedSelection(coin, eta=0, gamma=0.01).failure(0.1))
        0.4812...
        """
        return self.runs.generating(1 - check.probability(p=p))[1]


def pure_epsilon(cost: Cost) -> Fraction:
    """Return the epsilon of a base that is purely private; other bases are refused."""
    try:
        return price(cost).privacy.epsilon
    except InvalidArgument:
        raise InvalidArgument(
            f"base must be purely private, with delta = 0, got {cost}; "
            "selection from approximately private runs has no such price"
        ) from None


def exact_law(
    base: Mechanism[tuple[R, ...], tuple[P, C]], records: tuple[R, ...]
) -> Law[tuple[P, C]]:
    """Return the law of one run of the base, which must have no slack."""
    one = base.law(records)
    if one.slack:
        raise NotExact("the law of a selection needs the exact law of its base, without slack")
    return one
