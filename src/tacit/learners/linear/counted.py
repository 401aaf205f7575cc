"""Scorecards from noisy counts alone: how often each label goes with each step of each column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.rules.scorecard import Scorecard
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Decay, Exact, InvalidArgument, PureCost, Random, hold
from tacit.core.chance.law import Law, certain
from tacit.core.cost import Pure
from tacit.learners.contract import Proper, Unpromising, entry_of
from tacit.learners.linear.counted_card import Parts, card_of, weight_of
from tacit.learners.linear.linear_frame import codes_of
from tacit.mechanisms import DiscreteLaplace
from tacit.mechanisms.noise.geometric import tail
from tacit.statistics import LabelCounts

FINEST = 64
"""Into so many parts of equal width a number is cut at first."""

FEWEST, MOST = 2, 8
ROOM = 8
"""A step should hold so many times its noise; there are at least 2 and at most 8 of them."""

ENOUGH = 20
"""All rows must be so many times the noise of a count, or columns are not asked about."""

ONES = Fraction(1, 20)
FIRST = Fraction(3, 20)
"""The share of epsilon for the number of yes, or more; and of the rest for where steps begin."""

CAUTION = 100
"""It takes this over n of epsilon to know the number of yes so well that the more frequent answer
is missed at a mean cost of at most 0.4 %."""


@dataclass(frozen=True, slots=True)
class CountedLearner(Proper[Scorecards], Unpromising, PureCost):
    """Give each part of each column the logarithm of its odds, as far as noise lets one see it.

    Three releases: the number of yes; how many rows lie in narrow parts of every number, from which
    steps of about equal mass are made; and for every column how many rows of either label lie in
    each step or category. All else is arithmetic on what was told: points are shrunk by the known
    noise, and together by what they spread, since columns repeat each other. Where noise is large
    beside all rows (`caution` says when, 0 never), nothing but the number of yes is asked, and the
    card says what is more frequent. Where how many rows there are is secret, `public_n` stands for
    it, and noise is for added rows, which enter cells and leave none. Where a miss costs `odds`
    false alarms, scores are put ahead by their logarithm when the card is written.

    Guarantee:
        epsilon-DP on every sample, without any delta, for replaced rows; with `public_n`, for added
        ones (docs/proofs/added.md). Nothing is promised about the error.

    Exactness:
        Counts are integers, cut to a public range, and their noise is drawn without error; floats
        begin where everything is told.

    Cost:
        `Pure(epsilon)`; time linear in points and columns.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = CountedLearner(Scorecards("s100xc3"), epsilon=1)
    >>> rows = [((a, b), (a + 30 * b >= 80,)) for a in range(100) for b in range(3)] * 9
    >>> card = learner(LabelCounts.of(rows, labels=1), rng=Seeded(1))
    >>> sum(bool(card(np.array([x]))[0]) != y[0] for x, y in rows) < 270
    True

    Proof: docs/proofs/counted.md
    """

    concepts: Scorecards
    epsilon: Fraction
    caution: int
    public_n: int | None
    odds: Fraction

    name: ClassVar[str] = "counted"
    theorem: ClassVar[str] = "GRS12"
    """The key of the noise."""
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self,
        concepts: Scorecards,
        *,
        epsilon: Exact,
        caution: int = CAUTION,
        public_n: int | None = None,
        odds: Exact = 1,
    ) -> None:
        hold(self, concepts=concepts, public_n=public_n)
        hold(self).positive(epsilon=epsilon, odds=odds).count(caution=caution)
        for size, kind in zip(concepts.sizes, concepts.kinds, strict=True):
            if kind == "q" or (kind == "" and size > 2):
                raise InvalidArgument(
                    f"learner 'counted' gives numbers points in steps: write s{size} for "
                    f"{kind}{size} in values, or choose the learner margin"
                )

    @property
    def cost(self) -> Pure:
        """What learning one label costs a replaced row, which is removed and added."""
        return Pure(self.epsilon if self.public_n is None else 2 * self.epsilon)

    def shares(self, n: int) -> tuple[Fraction, Fraction, Fraction]:
        """Return what of epsilon goes to the number of yes, to where steps begin, and to counts.

        The last two are 0 where n rows are too few for them.
        """
        ones = max(ONES * self.epsilon, Fraction(self.caution, max(n, 1)))
        rest = self.epsilon - ones
        first = FIRST * rest if self._numbers else Fraction(0)
        blur = 3 * self.concepts.features * self.caution / Fraction(100)  # about 2^(1/2) 2 columns
        if 2 * ones > self.epsilon or blur * ENOUGH > n * (rest - first):
            return self.epsilon, Fraction(0), Fraction(0)
        return ones, first, rest - first

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Scorecard:
        """Learn one label."""
        n = self._many(sample)
        ones, first, last = self.shares(n)
        yes = DiscreteLaplace(ones)(self._yes(sample, label), rng=rng)
        if not last:
            return self._constant(yes=yes >= self._enough(n))
        noise = self._noises(first, last)
        told: Sequence[int] = ()
        if noise[0]:
            told = self._within(noise[0](self._totals(sample), rng=rng).tolist(), n)
        parts = self._parts(n, tuple(told))
        counts = noise[1](self._counts(sample, label, parts), rng=rng).tolist()
        return self._written(n, self._within([yes], n)[0], parts, tuple(self._within(counts, n)))

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Scorecard]:
        """Return the exact law of the hypothesis, for few rows and codes."""
        n = self._many(sample)
        ones, _, last = self.shares(n)
        if not last:
            half = tail(Decay.of(ones), self._enough(n) - self._yes(sample, label))
            return Law({self._constant(yes=True): half, self._constant(yes=False): 1 - half})
        told = self.told(sample, label=label, merged=True)
        return told.map(lambda seen: _remembered(self, n, *seen))

    def told(self, sample: LabelCounts, /, *, label: int = 0, merged: bool = False) -> Law[Any]:
        """Return the exact law of all that is told of enough rows: the card is a function of it.

        `merged`, what is told first is replaced by the parts that it makes.
        """
        n = self._many(sample)
        ones, first, last = self.shares(n)
        yes = self._cut(DiscreteLaplace(ones), [self._yes(sample, label)], n)
        noise = self._noises(first, last)
        begun: Law[Any] = certain(())
        if noise[0]:
            begun = self._cut(noise[0], self._totals(sample), n)
        if merged:
            begun = begun.map(lambda told: self._parts(n, told))

        def counted(told: Any) -> Law[Any]:
            parts = told if merged else self._parts(n, told)
            counts = self._cut(noise[1], self._counts(sample, label, parts), n)
            return counts.map(lambda each: (told, each))

        both = begun.then(counted)
        return yes.then(lambda told: both.map(lambda rest: (told[0], *rest)))

    @property
    def _numbers(self) -> int:
        """How many columns are cut into steps."""
        return sum(kind in ("s", "n") for kind in self.concepts.kinds)

    def _noises(
        self, first: Fraction, last: Fraction
    ) -> tuple[DiscreteLaplace | None, DiscreteLaplace]:
        """Return the noise on parts and on counts: a row leaves one cell a column, enters one."""
        moved = 2 if self.public_n is None else 1
        steps = DiscreteLaplace(first, moved * self._numbers) if self._numbers else None
        return steps, DiscreteLaplace(last, moved * self.concepts.features)

    def _many(self, sample: LabelCounts) -> int:
        """Return how many rows there are, as far as that is public."""
        return sample.n if self.public_n is None else self.public_n

    def _cut(self, noise: DiscreteLaplace, counts: list[int], n: int) -> Law[Any]:
        """Return the law of noisy counts that are cut to what is possible, or nearly."""
        low, high = min(-(n // 4), *counts), max(n + n // 4, 1 - n // 4, *counts)
        return noise.law(counts, low=low, high=high).map(lambda told: tuple(self._within(told, n)))

    def _enough(self, n: int) -> int:
        """Return from how many yes of n rows on always saying yes costs no more than never."""
        return math.ceil(n / (1 + self.odds))

    def _yes(self, sample: LabelCounts, label: int) -> int:
        return int(sample.positives[:, label].sum())

    def _within(self, told: Sequence[int], n: int) -> list[int]:
        """Cut what was told to a quarter of the rows beyond what is possible."""
        return [max(-(n // 4), min(n + n // 4, count)) for count in told]

    def _constant(self, *, yes: bool) -> Scorecard:
        """Return the card without points that always says the same."""
        pairs = zip(self.concepts.kinds, self.concepts.sizes, strict=True)
        nothing = tuple(weight_of(kind, size, (), [0] * size) for kind, size in pairs)
        return Scorecard(nothing, 0 if yes else 1)

    def _totals(self, sample: LabelCounts) -> list[int]:
        codes = codes_of(self.concepts, sample.points)
        return [
            count
            for place, _, starts in narrow(self.concepts)
            for count in _counted(codes[:, place], starts[1:], sample.totals)
        ]

    def _counts(self, sample: LabelCounts, label: int, parts: Parts) -> list[int]:
        codes, ones = codes_of(self.concepts, sample.points), sample.positives[:, label]
        return [
            count
            for place, cuts in enumerate(parts)
            for marked in (ones, sample.totals - ones)
            for count in _counted(codes[:, place], cuts, marked)
        ]

    def _parts(self, n: int, told: tuple[int, ...]) -> Parts:
        """Return where parts begin: steps of about equal mass, as far as was told."""
        _, first, last = self.shares(n)
        room = n * float(last) / (2 * self.concepts.features)
        many = max(FEWEST, min(MOST, round(math.sqrt(room / ROOM))))
        return steps_of(self.concepts, n, told, many, 2 * self._numbers / float(first or 1))

    def _written(self, n: int, yes: int, parts: Parts, told: tuple[int, ...]) -> Scorecard:
        """Write the card: a function of what was told."""
        share = min(max(yes, 0.5), n - 0.5) / n if n else 0.5
        noise = 8 * self.concepts.features**2 / float(self.shares(n)[2]) ** 2
        tables, at = [], 0
        for cuts in parts:
            many = len(cuts) + 1
            cells = np.array(told[at : at + 2 * many], dtype=np.float64).reshape(2, many)
            tables.append(cells)
            at += 2 * many
        return card_of(self.concepts, share, parts, tables, (noise, noise), odds=self.odds)


@lru_cache(maxsize=1 << 17)
def _remembered(
    learner: CountedLearner, n: int, yes: int, parts: Parts, told: tuple[int, ...]
) -> Scorecard:
    """Return the card; a law asks for the same one on every database."""
    return learner._written(n, yes, parts, told)  # noqa: SLF001


def narrow(concepts: Scorecards) -> Iterator[tuple[int, int, list[int]]]:
    """Yield place and size of each number, and where its narrow parts begin."""
    places = zip(concepts.sizes, concepts.kinds, strict=True)
    for place, (size, kind) in enumerate(places):
        if kind in ("s", "n"):
            inside = size - (kind == "n")
            many = min(inside, FINEST)
            starts = [-(-i * inside // many) for i in range(many)]
            yield place, size, starts + [inside] * (kind == "n")


def steps_of(concepts: Scorecards, n: int, told: Sequence[int], many: int, blur: float) -> Parts:
    """Return where steps of about equal mass begin, by noisy counts of narrow parts.

    Counts below twice the `blur` of noise are taken for none.
    """
    parts, start = [tuple(range(1, size)) for size in concepts.sizes], 0
    for place, size, starts in narrow(concepts):
        null = concepts.kinds[place] == "n"
        inside = len(starts) - null
        counts = np.array(told[start : start + inside], dtype=np.float64)
        start += len(starts)
        mass = np.where(counts < 2 * blur, 0, counts) + n / (50 * inside) + 1 / inside
        middles = (np.cumsum(mass) - mass / 2) / mass.sum() * many
        step = np.minimum(middles.astype(np.int64), many - 1)
        cuts = [starts[i] for i in range(1, inside) if step[i] != step[i - 1]]
        parts[place] = (*cuts, *([size - 1] * null))
    return tuple(parts)


def _counted(codes: NDArray[np.int64], cuts: Sequence[int], marked: NDArray[np.int64]) -> list[int]:
    """Count marked rows between cuts, in integers."""
    parts = np.zeros(len(cuts) + 1, dtype=np.int64)
    np.add.at(parts, np.searchsorted(cuts, codes, side="right"), marked)
    return [int(count) for count in parts]


ENTRY = entry_of(
    CountedLearner,
    CountedLearner.name,
    "points for each step and category from noisy counts, without delta; promises no error",
    families=("scorecards",),
)
