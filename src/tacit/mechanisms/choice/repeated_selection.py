"""Run a private procedure a random number of times and keep the best outcome."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Generic, TypeVar

from tacit.core import Exact, InvalidArgument, Law, NotExact, Random, check, hold
from tacit.core.chance.uniform import Uniform
from tacit.core.composition.pricing import price
from tacit.core.cost import Cost, Pure
from tacit.core.numbers.enclosures import Enclosure, lower, real, scaled, upper
from tacit.mechanisms.mechanism import Mechanism

R = TypeVar("R", bound=Hashable)
P = TypeVar("P", int, Fraction)
C = TypeVar("C", bound=Hashable)
WORD = 64
"""Bits of the uniform that are drawn at first; twice as many each time they do not decide."""
GUARD = 64
"""Bits beyond those, in which sums of ever more terms are rounded."""
PRECISION = 320
"""Bits of a probability that is irrational."""


@dataclass(frozen=True, slots=True)
class Repetitions:
    """A number K >= 1 with P[K = k] proportional to (1 - gamma)^k (eta + 1)...(eta + k - 1) / k!.

    eta = 1 is the geometric law (stop each time with probability gamma), eta = 0 the logarithmic
    one; eta > -1 may be any rational. The smaller eta, the more often K is small [PS22].

    Exactness:
        The draw is exact: one uniform real, compared with enclosures of the distribution function.
        `generating` is exact for whole eta >= 1 and otherwise an enclosure of width about 2^-300.

    >>> from tacit.core.chance.randomness import Seeded
    >>> Repetitions(1, 0.01).mean
    Fraction(100, 1)
    >>> [Repetitions(0, 0.01).draw(rng=Seeded(seed)) for seed in range(6)]
    [1, 2, 20, 1, 15, 4]
    """

    eta: Fraction
    gamma: Fraction

    def __init__(self, eta: Exact, gamma: Exact) -> None:
        hold(self).exact(eta=eta).probability(gamma=gamma)
        if self.eta <= -1:
            raise InvalidArgument(f"eta must be greater than -1, got {eta}")

    @property
    def mean(self) -> Fraction:
        """The expected number of repetitions, rounded up where it is irrational."""
        if self._whole:
            eta = int(self.eta)
            return eta * (1 - self.gamma) / (self.gamma * (1 - self.gamma**eta))
        return upper(lambda: self._first() * real(self.gamma) ** real(-1 - self.eta), PRECISION)

    def generating(self, x: Fraction) -> tuple[Fraction, Fraction]:
        """Return rationals around f(x) = E[x^K], for 0 <= x <= 1.

        >>> Repetitions(1, "1/2").generating(Fraction(1, 2))
        (Fraction(1, 3), Fraction(1, 3))
        """
        base = 1 - (1 - self.gamma) * x
        if self._whole:
            eta = int(self.eta)
            exact = (base**-eta - 1) / (self.gamma**-eta - 1)
            return exact, exact
        if base in (1, self.gamma):
            return x, x
        return (
            max(Fraction(0), lower(lambda: self._ratio(base), PRECISION)),
            min(Fraction(1), upper(lambda: self._ratio(base), PRECISION)),
        )

    def draw(self, *, rng: Random) -> int:
        """Draw K."""
        uniform = Uniform(rng)
        width = WORD
        while True:
            uniform.refine(width)
            for k, (low, high) in enumerate(self.cumulative(width), start=1):
                if uniform.value + 1 <= low:
                    return k
                if uniform.value < high:
                    break
            width *= 2

    def cumulative(self, bits: int) -> Iterator[tuple[int, int]]:
        """List integers around P[K <= k] * 2^bits, for k = 1, 2, ... without end."""
        low, high = scaled(self._first, bits + GUARD)
        below = above = 0
        for k in count(1):
            below, above = below + low, above + high
            yield below >> GUARD, -(-above >> GUARD)
            step = (1 - self.gamma) * (k + self.eta) / (k + 1)
            low = low * step.numerator // step.denominator
            high = -(-high * step.numerator // step.denominator)

    @property
    def _whole(self) -> bool:
        return self.eta >= 1 and self.eta.denominator == 1

    def _first(self) -> Enclosure:
        """Enclose P[K = 1]."""
        if self.eta == 0:
            return real(1 - self.gamma) / -real(self.gamma).log()
        return real(self.eta * (1 - self.gamma)) / self._excess(self.gamma)

    def _ratio(self, base: Fraction) -> Enclosure:
        """Enclose f(x) for base = 1 - (1 - gamma) x."""
        if self.eta == 0:
            return real(base).log() / real(self.gamma).log()
        return self._excess(base) / self._excess(self.gamma)

    def _excess(self, base: Fraction) -> Enclosure:
        """Enclose base^-eta - 1."""
        return (real(-self.eta) * real(base).log()).expm1()


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
    >>> from tacit.mechanisms.mechanism import Kernel
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
        >>> from tacit.mechanisms.mechanism import Kernel
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
