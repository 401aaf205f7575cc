"""Linear rules for all marks of a category or a number at once: their pulls are cut together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import isqrt, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.rules.scorecard import Scorecard
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Exact, InvalidArgument, Law, Privacy, Random, hold
from tacit.core.composition import calibrate
from tacit.learners.contract import Request
from tacit.learners.linear import margin
from tacit.learners.linear.linear_frame import LinearFrame, columns_of, wrapped
from tacit.learners.linear.margin import (
    BITS,
    CALM,
    FINE,
    FINER,
    LISTED,
    STEPS,
    SURE,
    Begun,
    Both,
    MarginLearner,
    State,
    _chances,
    _told,
)
from tacit.learners.linear.noisy_descent import CAUTION
from tacit.mechanisms import DiscreteGaussianVector
from tacit.statistics import JointCounts
from tacit.statistics.counts.marks import Marks, binned


class Starts(NamedTuple):
    """How each mark's descent goes in a frame, and the greatest pull of a row on it alone."""

    frame: LinearFrame
    begun: tuple[Begun, ...]
    pulls: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JointMargin(MarginLearner):
    """Descend for all marks together, the pulls of a row on the marks of one column cut as one.

    As `MarginLearner` for each mark, but that centres and spreads are told once, the numbers of yes
    as one histogram a column, and that a row, which is in one bin of a column, pulls all of its
    marks together by no more than it would pull one.

    Guarantee:
        rho-zCDP on every sample, whatever the marks are. Nothing is promised about the error.

    Exactness:
        As `MarginLearner`.

    Cost:
        As `MarginLearner`, for all marks: with one column no more than for one mark.

    >>> from tacit.core.chance.randomness import Seeded
    >>> ward = Marks(3, nested=False)
    >>> learner = JointMargin.within(Scorecards("s60"), Privacy(1, "1e-6"), (ward,))
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
        rho: Exact,
        outcomes: tuple[Marks, ...],
        steps: int = STEPS,
        bits: int = BITS,
        caution: int = CAUTION,
        public_n: int | None = None,
        odds: Exact = 1,
    ) -> None:
        made: Any = {"steps": steps, "bits": bits, "caution": caution, "public_n": public_n}
        made["odds"] = odds
        MarginLearner.__init__(self, concepts, rho=rho, **made)
        hold(self, outcomes=tuple(outcomes))

    @classmethod
    def within(  # type: ignore[override]
        cls, concepts: Scorecards, privacy: Privacy, outcomes: tuple[Marks, ...]
    ) -> JointMargin:
        """Return the learner with the greatest rho, of five digits, that this promise allows."""
        rho = calibrate(privacy, lambda rho: cls(concepts, rho=rho, outcomes=outcomes).cost)
        return cls(concepts, rho=rho, outcomes=outcomes)

    @property
    def labels(self) -> int:
        """How many marks are learned."""
        return sum(marks.many for marks in self.outcomes)

    def counted(self, n: int) -> DiscreteGaussianVector:
        """Return the noise on the rows in bins of each column: a row leaves one and enters one."""
        ones = self._ones(n)
        return DiscreteGaussianVector(self._apart / (2 * ones), self._apart)

    def __call__(  # type: ignore[override]
        self, sample: JointCounts, /, *, rng: Random
    ) -> tuple[Scorecard, ...]:
        """Learn all marks."""
        n, bins = sample.n if self.public_n is None else self.public_n, self._bins(sample)
        yes = self._yes(self.counted(n)(self._held(sample, bins), rng=rng).tolist())
        if self.alone(n):
            return tuple(self._constant(each, n) for each in yes)
        moments = self.releases(n)[1](self._moments(sample), rng=rng)  # type: ignore[arg-type]
        starts = self.started(yes, moments.tolist(), n)
        rows, noise = self.rows(starts.frame, sample.points), self.noise(self.whole)
        states = self.first(starts)
        for step in range(self.steps):
            weights = np.array([state[0] for state in states], dtype=np.int64)
            pulled = self.pulled(rows, bins, sample.totals, weights, starts.pulls)
            states = self.moved(states, noise(pulled.ravel(), rng=rng).tolist(), starts, step)
        return self.cards(states, starts)

    def started(self, yes: Sequence[int], moments: Sequence[int], n: int) -> Starts:
        """Return where all descents start, after so many noisy yes and these noisy moments."""
        return self._starts(yes, n, self._framed(moments, n))

    def first(self, starts: Starts) -> tuple[State, ...]:
        """Return the states before the first step."""
        return tuple((each.weights, self._nothing) for each in starts.begun)

    def moved(
        self, states: Sequence[State], told: Sequence[int], starts: Starts, step: int
    ) -> tuple[State, ...]:
        """Take one step for all marks, after noisy pulls that are told one mark after the other."""
        many = len(self._nothing)
        each = [wrapped(told[place : place + many]) for place in range(0, len(told), many)]
        return tuple(
            self._moved(state, self._unscaled(own, pull), start.rate, step)
            for state, own, pull, start in zip(
                states, each, starts.pulls, starts.begun, strict=True
            )
        )

    def cards(self, states: Sequence[State], starts: Starts) -> tuple[Scorecard, ...]:
        """Write the card of each mark."""
        pairs = zip(states, starts.begun, strict=True)
        return tuple(self._card(starts.frame, state, start) for state, start in pairs)

    def law(self, sample: JointCounts, /) -> Law[tuple[Scorecard, ...]]:  # type: ignore[override]
        """Return the law of the hypotheses, for few `bits`, one step, and little noise.

        As for one mark; once frame and numbers of yes are told, one step of a mark is independent
        of that of another.
        """
        if self.steps != 1:
            raise InvalidArgument("a law of several marks is listed for one step")
        n, bins = sample.n if self.public_n is None else self.public_n, self._bins(sample)
        held, noise = self._held(sample, bins), self.counted(n)
        if self.alone(n):
            return noise.law(held).map(
                lambda told: tuple(self._constant(each, n) for each in self._yes(told))
            )
        moments, frames = self._moments(sample), Counter[LinearFrame]()  # type: ignore[arg-type]
        for told, weight in _told(self.releases(n)[1], moments):
            frames[self._framed(told, n)] += weight
        numbers = Counter[tuple[int, ...]]()
        for told, weight in _told(noise, held):
            numbers[tuple(max(0, min(n, each)) for each in self._yes(told))] += weight
        found = Counter[tuple[Scorecard, ...]]()
        for (frame, weight), (yes, share) in product(frames.items(), numbers.items()):
            _, begun, pulls = self._starts(yes, n, frame)
            first = np.array([start.weights for start in begun], dtype=np.int64)
            rows = self.rows(frame, sample.points)
            pulled = self.pulled(rows, bins, sample.totals, first, pulls).tolist()
            parts = []
            for start, own, pull in zip(begun, pulled, pulls, strict=True):
                cards = Counter[Scorecard]()
                for told, chance in _told(self.noise(self.whole), own):
                    moved = self._unscaled(told, pull)
                    state = self._moved((start.weights, self._nothing), moved, start.rate, 0)
                    cards[self._card(frame, state, start)] += chance
                parts.append(cards.items())
            for drawn in product(*parts):
                chance = prod(each for _, each in drawn)
                found[tuple(card for card, _ in drawn)] += weight * share * chance
        rest = LISTED * (len(moments) + len(held) + self.labels * len(self._nothing)) - FINE
        listed = {cards: Fraction(w >> rest, 1 << FINE) for cards, w in found.items()}
        return Law(listed, 1 - sum(listed.values(), Fraction(0)))

    @property
    def _apart(self) -> Fraction:
        """The squared distance by which a row moves the numbers that are told of bins."""
        alone = self.public_n is not None
        return Fraction(sum(1 if alone or marks.many == 1 else 2 for marks in self.outcomes))

    @property
    def _shortest(self) -> Fraction:
        return Fraction(len(self.outcomes))

    @property
    def _least(self) -> int:
        return self.whole

    def _bins(self, sample: JointCounts) -> list[NDArray[np.int64]]:
        return binned(sample, self.outcomes)

    def _held(self, sample: JointCounts, bins: list[NDArray[np.int64]]) -> list[int]:
        """Count the rows in all bins of each column but the first."""
        held: list[int] = []
        for marks, places in zip(self.outcomes, bins, strict=True):
            counts = np.zeros(marks.many + 1, dtype=np.int64)
            np.add.at(counts, places, sample.totals)
            held += counts[1:].tolist()
        return held

    def _yes(self, told: Sequence[int]) -> list[int]:
        """Return the number of yes of each mark, by what was told of bins."""
        yes, start = list[int](), 0
        for marks in self.outcomes:
            part = np.array(told[start : start + marks.many], dtype=object)
            yes += [int(each) for each in part @ marks.holding[1:].astype(int)]
            start += marks.many
        return yes

    def _starts(self, yes: Sequence[int], n: int, frame: LinearFrame) -> Starts:
        """Return where each mark's descent starts, and how it goes with the noise for all."""
        begun, unit = [self._begun(each, n, frame) for each in yes], self._unit
        pulls, found = tuple(each.pull for each in begun), list[Begun]()
        for each in begun:
            noise = self.steps * self.noise(self.whole).sigma_squared * self._longest
            blur = isqrt(int(noise) * each.pull**2) // unit + 1
            calm = min(each.rate, CALM * unit**2 / blur)
            found.append(replace(each, rate=calm, pull=-(-self.whole * each.pull // unit)))
        return Starts(frame, tuple(found), pulls)

    def _unscaled(self, told: Sequence[int], pull: int) -> list[int]:
        return [each * pull // self._unit for each in told]

    @property
    def whole(self) -> int:
        """No row pulls more than this on all marks together."""
        return isqrt(len(self.outcomes) * self._unit**2 - 1) + 1

    def pulled(
        self,
        rows: Both,
        bins: list[NDArray[np.int64]],
        totals: NDArray[Any],
        weights: NDArray[np.int64],
        pulls: Sequence[int],
    ) -> NDArray[Any]:
        """Return for each mark the sum over all shortened rows of (y - p) x, cut by column.

        It is in units of the greatest pull of a row on that mark; `totals` says how often each is.
        """
        unit, margins = self._unit, rows[0] @ weights.T >> (FINER + self.bits)
        chance = _chances(unit)[np.clip(margins, -SURE * unit, SURE * unit) + SURE * unit]
        held = np.hstack([m.holding[each] for m, each in zip(self.outcomes, bins, strict=True)])
        scaled = (unit * held.astype(np.int64) - chance) * unit // np.array(pulls)
        ends = np.cumsum([marks.many for marks in self.outcomes])[:-1]
        short = [cut(part, unit) for part in np.split(scaled, ends, axis=1)]
        both = np.hstack(short) * totals[:, None]
        return np.asarray(both.T @ rows[1])


def cut(pulls: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Shorten rows of small integers to a length of at most `most`, entries rounded towards 0.

    Roots of integers below 2^52 are rounded correctly, so the next integer is the true one.

    >>> cut(np.array([[3, 4], [-6, 8]]), 5).tolist()
    [[3, 4], [-3, 4]]
    """
    squares = (pulls * pulls).sum(axis=1)
    roots = np.maximum(np.ceil(np.sqrt(squares.astype(np.float64))).astype(np.int64), 1)
    short = np.sign(pulls) * (abs(pulls) * most // roots[:, None])
    return np.where((squares > most * most)[:, None], short, pulls)


def _make(request: Request) -> JointMargin:
    concepts: Any = request.concepts
    return JointMargin.within(columns_of(concepts), request.privacy, request.outcomes)


ENTRY = replace(margin.ENTRY, make_by_outcome=_make)
