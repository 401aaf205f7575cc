"""Scorecards for all marks of a category or a number at once, from one set of noisy counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.concepts.rules.scorecard import Scorecard
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Decay, Exact, Law, Random, hold
from tacit.core.chance.law import certain, product
from tacit.learners.contract import Request
from tacit.learners.linear import counted
from tacit.learners.linear.counted import CAUTION, CountedLearner, _counted
from tacit.learners.linear.counted_card import Parts
from tacit.learners.linear.linear_frame import codes_of
from tacit.mechanisms import DiscreteLaplace
from tacit.mechanisms.noise.geometric import tail
from tacit.statistics import JointCounts
from tacit.statistics.counts.marks import Marks, binned

Told = tuple[tuple[int, ...], ...]
"""For each outcome what is told of its bins."""


@dataclass(frozen=True, slots=True)
class JointCounted(CountedLearner):
    """Count bins of the outcome in each step of each column, and make all cards from the counts.

    As `CountedLearner` for each mark, but that a row, which is in one bin of an outcome, is counted
    once a column and not once a mark: what a mark's yes and no are is added up afterwards. Where
    steps begin is told once. Several outcomes have equal parts of epsilon.

    Guarantee:
        epsilon-DP on every sample, whatever the marks are. Nothing is promised about the error.

    Exactness:
        As `CountedLearner`.

    Cost:
        `Pure(epsilon)` for all marks: with one outcome no more than for one mark.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = JointCounted(Scorecards("s60"), epsilon=1, outcomes=(Marks(3, nested=False),))
    >>> rows = [(x, tuple(x // 20 == j for j in range(3))) for x in range(60)] * 50
    >>> low, _, high = learner(JointCounts.of(rows, labels=3), rng=Seeded(1))
    >>> low(np.array([5, 55])).tolist(), high(np.array([5, 55])).tolist()
    ([True, False], [False, True])

    Proof: docs/proofs/joint_marks.md
    """

    outcomes: tuple[Marks, ...]

    def __init__(
        self,
        concepts: Scorecards,
        *,
        epsilon: Exact,
        outcomes: tuple[Marks, ...],
        caution: int = CAUTION,
        public_n: int | None = None,
        odds: Exact = 1,
    ) -> None:
        CountedLearner.__init__(
            self, concepts, epsilon=epsilon, caution=caution, public_n=public_n, odds=odds
        )
        hold(self, outcomes=tuple(outcomes))

    @property
    def labels(self) -> int:
        """How many marks are learned."""
        return sum(marks.many for marks in self.outcomes)

    def shares(self, n: int) -> tuple[Fraction, Fraction, Fraction]:
        """Return what of one outcome's part of epsilon goes to numbers of yes, steps and counts."""
        own = self.epsilon / len(self.outcomes)
        return self._alone(own, self.caution).shares(n)

    def __call__(  # type: ignore[override]
        self, sample: JointCounts, /, *, rng: Random
    ) -> tuple[Scorecard, ...]:
        """Learn all marks."""
        n, (yes, steps, cells) = self._n(sample), self._joint_noises(sample)
        held = self._held(sample)
        told = [noise(each, rng=rng).tolist() for noise, each in zip(yes, held, strict=True)]
        if cells is None:
            return self._constants(n, told)
        begun: Sequence[int] = ()
        if steps:
            totals: Any = self._totals(sample)  # type: ignore[arg-type]
            begun = self._within(steps(totals, rng=rng).tolist(), n)
        parts = self._parts(n, tuple(begun))
        counts = [cells(each, rng=rng).tolist() for each in self._cells(sample, parts)]
        return self._cards(n, parts, [[self._within(e, n) for e in one] for one in (told, counts)])

    def law(self, sample: JointCounts, /) -> Law[tuple[Scorecard, ...]]:  # type: ignore[override]
        """Return the exact law of the hypotheses, for few rows and codes."""
        n, (yes, _, cells) = self._n(sample), self._joint_noises(sample)
        if cells is None and not any(marks.nested for marks in self.outcomes):
            held = self._held(sample)  # each card says by one noisy count what is more frequent
            return product(
                self._usual(
                    tail(Decay.of(noise.epsilon / noise.sensitivity), self._enough(n) - count)
                )
                for noise, own in zip(yes, held, strict=True)
                for count in own
            )
        told = self.told(sample)
        if cells is None:
            return told.map(lambda seen: self._constants(n, seen[0]))
        return told.map(lambda seen: self._cards(n, self._parts(n, seen[1]), (seen[0], seen[2])))

    def told(self, sample: JointCounts, /) -> Law[Any]:  # type: ignore[override]
        """Return the exact law of all that is told: the cards are a function of it."""
        n, (yes, steps, cells) = self._n(sample), self._joint_noises(sample)
        pairs = zip(yes, self._held(sample), strict=True)
        held: Law[Any] = product(self._cut(noise, each, n) for noise, each in pairs)
        if cells is None:
            return held.map(lambda seen: (seen, (), ()))
        begun: Law[Any] = certain(())
        if steps:
            begun = self._cut(steps, self._totals(sample), n)  # type: ignore[arg-type]

        def counted(told: Any) -> Law[Any]:
            each = self._cells(sample, self._parts(n, told))
            return product(self._cut(cells, one, n) for one in each).map(lambda c: (told, c))

        both = begun.then(counted)
        return held.then(lambda seen: both.map(lambda rest: (seen, *rest)))

    def _alone(self, epsilon: Fraction, caution: int) -> CountedLearner:
        return CountedLearner(
            self.concepts,
            epsilon=epsilon,
            caution=caution,
            public_n=self.public_n,
            odds=self.odds,
        )

    def _n(self, sample: JointCounts) -> int:
        return sample.n if self.public_n is None else self.public_n

    def _joint_noises(
        self, sample: JointCounts
    ) -> tuple[list[DiscreteLaplace], DiscreteLaplace | None, DiscreteLaplace | None]:
        """Return the noise on rows in bins, outcome by outcome, on steps, and on counts."""
        ones, first, last = self.shares(self._n(sample))
        moved = 2 if self.public_n is None else 1
        yes = [DiscreteLaplace(ones, min(moved, marks.many)) for marks in self.outcomes]
        if not last:
            return yes, None, None
        steps = (
            DiscreteLaplace(len(self.outcomes) * first, moved * self._numbers) if first else None
        )
        return yes, steps, DiscreteLaplace(last, moved * self.concepts.features)

    def _held(self, sample: JointCounts) -> list[list[int]]:
        """Count the rows in all bins of each outcome but the first."""
        pairs = zip(self.outcomes, binned(sample, self.outcomes), strict=True)
        return [
            _counted(bins, range(1, marks.many + 1), sample.totals)[1:] for marks, bins in pairs
        ]

    def _cells(self, sample: JointCounts, parts: Parts) -> list[list[int]]:
        """Count the rows of each part of each column, bin by bin."""
        codes, found = codes_of(self.concepts, sample.points), []
        for marks, bins in zip(self.outcomes, binned(sample, self.outcomes), strict=True):
            inside = [np.where(bins == bin_, sample.totals, 0) for bin_ in range(marks.many + 1)]
            found.append(
                [
                    count
                    for place, cuts in enumerate(parts)
                    for marked in inside
                    for count in _counted(codes[:, place], cuts, marked)
                ]
            )
        return found

    def _yes(self, marks: Marks, told: Sequence[int]) -> list[int]:  # type: ignore[override]
        """Return the number of yes of each mark, by what was told of bins."""
        return [int(each) for each in np.array(told) @ marks.holding[1:].astype(np.int64)]

    def _usual(self, half: Fraction) -> Law[Scorecard]:
        """Return the law of the card that says yes with this probability, and always the same."""
        return Law({self._constant(yes=True): half, self._constant(yes=False): 1 - half})

    def _constants(self, n: int, told: Sequence[Sequence[int]]) -> tuple[Scorecard, ...]:
        pairs = zip(self.outcomes, told, strict=True)
        return tuple(
            self._constant(yes=yes >= self._enough(n))
            for marks, own in pairs
            for yes in self._yes(marks, own)
        )

    def _cards(self, n: int, parts: Parts, told: Sequence[Any]) -> tuple[Scorecard, ...]:
        """Write all cards: a function of what was told."""
        cards, whole = [], self._alone(Fraction(1), 0).shares(n)[2]
        last = self.shares(n)[2]
        for marks, held, counts in zip(self.outcomes, *told, strict=True):
            for label, yes in enumerate(self._within(self._yes(marks, held), n)):
                among = marks.holding[:, label]
                cells, at = list[int](), 0
                for cuts in parts:
                    many = len(cuts) + 1
                    own = np.array(counts[at : at + many * len(among)]).reshape(len(among), many)
                    cells += own[among].sum(axis=0).tolist() + own[~among].sum(axis=0).tolist()
                    at += own.size
                share = min(max(yes, 0.5), n - 0.5) / n if n else 0.5
                blur = among.sum() * (1 - share) ** 2 + (~among).sum() * share**2
                blur = max(1, blur / (share**2 + (1 - share) ** 2))
                noisy = self._alone(Fraction(float(last) / float(whole) / float(blur) ** 0.5), 0)
                cards.append(noisy._written(n, yes, parts, tuple(cells)))  # noqa: SLF001
        return tuple(cards)


def _make(request: Request) -> JointCounted:
    concepts: Any = request.concepts
    return JointCounted(concepts, epsilon=request.privacy.epsilon, outcomes=request.outcomes)


ENTRY = replace(counted.ENTRY, make_by_outcome=_make)
