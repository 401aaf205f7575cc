"""Scorecards from noisy counts alone: how often each label goes with each step of each column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.rules.scorecard import Scorecard, Steps, Weight
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Exact, InvalidArgument, PureCost, Random, hold
from tacit.core.chance.law import Law, certain
from tacit.learners.contract import Proper, Unpromising, entry_of
from tacit.learners.linear.linear_frame import codes_of
from tacit.mechanisms import DiscreteLaplace
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

ALIKE = 1
"""How much the spread of all points together damps them: columns say in part the same."""

LOGIT, SPREAD = 10, 20
"""So many points are one logit, or more where the largest column would have less than `SPREAD`."""

DECILES = np.array([NormalDist().inv_cdf(i / 10) for i in range(1, 10)])
NORMAL = np.array([NormalDist().inv_cdf((i + 0.5) / 64) for i in range(64)])

Parts = tuple[tuple[int, ...], ...]
"""For each column the codes at which a part begins, beside 0."""


@dataclass(frozen=True, slots=True)
class CountedLearner(Proper[Scorecards], Unpromising, PureCost):
    """Give each part of each column the logarithm of its odds, as far as noise lets one see it.

    Three releases: the number of yes; how many rows lie in narrow parts of every number, from which
    steps of about equal mass are made; and for every column how many rows of either label lie in
    each step or category. All else is arithmetic on what was told: points are shrunk by the known
    noise, and together by what they spread, since columns repeat each other. Where noise is large
    beside all rows (`caution` says when, 0 never), nothing but the number of yes is asked, and the
    card says what is more frequent.

    Guarantee:
        epsilon-DP on every sample, without any delta. Nothing is promised about the error.

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

    name: ClassVar[str] = "counted"
    theorem: ClassVar[str] = "GRS12"
    """The key of the noise."""
    largest_sample: ClassVar[int | None] = None

    def __init__(self, concepts: Scorecards, *, epsilon: Exact, caution: int = CAUTION) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).count(caution=caution)
        for size, kind in zip(concepts.sizes, concepts.kinds, strict=True):
            if kind == "q" or (kind == "" and size > 2):
                raise InvalidArgument(
                    f"learner 'counted' gives numbers points in steps: write s{size} for "
                    f"{kind}{size} in values, or choose the learner margin"
                )

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
        n, (ones, first, last) = sample.n, self.shares(sample.n)
        yes = self._within(DiscreteLaplace(ones)([self._yes(sample, label)], rng=rng).tolist(), n)
        if not last:
            return self._written(n, yes[0], (), ())
        noise = self._noises(first, last)
        told: Sequence[int] = ()
        if noise[0]:
            told = self._within(noise[0](self._totals(sample), rng=rng).tolist(), n)
        parts = self._parts(n, tuple(told))
        counts = noise[1](self._counts(sample, label, parts), rng=rng).tolist()
        return self._written(n, yes[0], parts, tuple(self._within(counts, n)))

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Scorecard]:
        """Return the exact law of the hypothesis, for few rows and codes."""
        n, (ones, first, last) = sample.n, self.shares(sample.n)
        ends = {"low": -((n + 1) // 2), "high": n + (n + 1) // 2}
        yes = DiscreteLaplace(ones).law([self._yes(sample, label)], **ends)
        if not last:
            return yes.map(lambda told: self._written(n, told[0], (), ()))
        noise = self._noises(first, last)
        begun: Law[Any] = certain(())
        if noise[0]:
            begun = noise[0].law(self._totals(sample), **ends)
        begun = begun.map(lambda told: self._parts(n, told))

        def counted(parts: Parts) -> Law[Any]:
            told = noise[1].law(self._counts(sample, label, parts), **ends)
            return told.map(lambda counts: (parts, counts))

        both = begun.then(counted)
        return yes.then(
            lambda told: both.map(lambda rest: _remembered(self, n, told[0], rest[0], rest[1]))
        )

    @property
    def _numbers(self) -> int:
        """How many columns are cut into steps."""
        return sum(kind in ("s", "n") for kind in self.concepts.kinds)

    def _noises(
        self, first: Fraction, last: Fraction
    ) -> tuple[DiscreteLaplace | None, DiscreteLaplace]:
        """Return the noise on parts and on counts: a row leaves one cell a column, enters one."""
        steps = DiscreteLaplace(first, 2 * self._numbers) if self._numbers else None
        return steps, DiscreteLaplace(last, 2 * self.concepts.features)

    def _yes(self, sample: LabelCounts, label: int) -> int:
        return int(sample.positives[:, label].sum())

    def _within(self, told: Sequence[int], n: int) -> list[int]:
        """Cut what was told to half of the rows beyond what is possible."""
        half = (n + 1) // 2
        return [max(-half, min(n + half, count)) for count in told]

    def _narrow(self) -> Iterator[tuple[int, int, list[int]]]:
        """Yield place and size of each number, and where its narrow parts begin."""
        places = zip(self.concepts.sizes, self.concepts.kinds, strict=True)
        for place, (size, kind) in enumerate(places):
            if kind in ("s", "n"):
                inside = size - (kind == "n")
                many = min(inside, FINEST)
                starts = [-(-i * inside // many) for i in range(many)]
                yield place, size, starts + [inside] * (kind == "n")

    def _totals(self, sample: LabelCounts) -> list[int]:
        codes = codes_of(self.concepts, sample.points)
        return [
            count
            for place, _, starts in self._narrow()
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
        parts = [tuple(range(1, size)) for size in self.concepts.sizes]
        blur, start = 2 * self._numbers / float(first or 1), 0
        for place, size, starts in self._narrow():
            null = self.concepts.kinds[place] == "n"
            inside = len(starts) - null
            counts = np.array(told[start : start + inside], dtype=np.float64)
            start += len(starts)
            mass = np.where(counts < 2 * blur, 0, counts) + n / (50 * inside) + 1 / inside
            middles = (np.cumsum(mass) - mass / 2) / mass.sum() * many
            step = np.minimum(middles.astype(np.int64), many - 1)
            cuts = [starts[i] for i in range(1, inside) if step[i] != step[i - 1]]
            parts[place] = (*cuts, *([size - 1] * null))
        return tuple(parts)

    def _written(self, n: int, yes: int, parts: Parts, told: tuple[int, ...]) -> Scorecard:
        """Write the card: a function of what was told."""
        share = min(max(yes, 0.5), n - 0.5) / n if n else 0.5
        start, columns = math.log(share / (1 - share)), list[NDArray[np.float64]]()
        noise = 8 * self.concepts.features**2 / float(self.shares(n)[2] or 1) ** 2
        at, spread = 0, 0.0
        for cuts in parts:
            many = len(cuts) + 1
            cells = np.array(told[at : at + 2 * many], dtype=np.float64).reshape(2, many)
            at += 2 * many
            logits, mass = _logits(cells, share, noise)
            columns.append(logits)
            spread += float(mass @ logits**2)
        damped = 1 / math.sqrt(1 + ALIKE * spread)
        columns = [damped * logits for logits in columns]
        deviation = damped * math.sqrt(spread)
        start = _start(share, deviation) if columns else start
        reach = max((float(np.ptp(logits)) for logits in columns), default=0.0)
        scale = max(float(LOGIT), SPREAD / reach) if reach > 0.0 else float(LOGIT)
        terms: list[Weight] = [0 if kind == "" else () for kind in self.concepts.kinds]
        points = [np.rint(scale * logits).astype(np.int64) for logits in columns]
        for place, (kind, size) in enumerate(
            zip(self.concepts.kinds, self.concepts.sizes, strict=True)
        ):
            own = points[place] - points[place].min() if columns else np.zeros(size, dtype=np.int64)
            terms[place] = _weight(kind, size, parts[place] if columns else (), own.tolist())
        base = sum(
            int(each[0] if kind == "" else each.min())
            for kind, each in zip(self.concepts.kinds, points, strict=False)
        )
        threshold = -math.floor(scale * start + 0.5) - base
        if not columns:
            threshold = 0 if 2 * yes >= n else 1
        told_edges = np.rint(scale * (start + deviation * DECILES)).astype(np.int64)
        return Scorecard(tuple(terms), threshold, tuple(sorted({0, *told_edges.tolist()})))


@lru_cache(maxsize=1 << 17)
def _remembered(
    learner: CountedLearner, n: int, yes: int, parts: Parts, told: tuple[int, ...]
) -> Scorecard:
    """Return the card; a law asks for the same one on every database."""
    return learner._written(n, yes, parts, told)  # noqa: SLF001


def _counted(codes: NDArray[np.int64], cuts: Sequence[int], marked: NDArray[np.int64]) -> list[int]:
    """Count marked rows between cuts, in integers."""
    parts = np.zeros(len(cuts) + 1, dtype=np.int64)
    np.add.at(parts, np.searchsorted(cuts, codes, side="right"), marked)
    return [int(count) for count in parts]


def _logits(
    cells: NDArray[np.float64], share: float, noise: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the logits of a column's parts above that of all rows, shrunk, and the parts' masses.

    What exceeds a part's own share of yes has a known variance, noise and sampling; what the column
    spreads beyond that is signal, and each part keeps signal / (signal + variance).
    """
    yes, no = cells
    rows, vary = np.maximum(yes + no, 0), share * (1 - share)
    blur = 1.5 * math.sqrt(noise)
    weight = np.maximum(rows, blur) * vary
    excess = (yes * (1 - share) - no * share) / weight
    variance = (noise * (share**2 + (1 - share) ** 2) + rows * vary) / weight**2
    mass = rows / max(float(rows.sum()), 1.0)
    signal = max(float(mass @ (excess**2 - variance)), 0.0)
    prior = 1 + blur
    chance = np.clip((yes + prior * share) / (rows + prior), share / 5, 1 - (1 - share) / 5)
    logits = np.log(chance / (1 - chance)) - math.log(share / (1 - share))
    logits = logits * signal / (signal + variance)
    return logits - float(mass @ logits), mass


def _start(share: float, deviation: float) -> float:
    """Return the constant at which normal scores of this deviation have so many yes on average."""
    low, high = -40.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        mean = float(np.mean(1 / (1 + np.exp(-(middle + deviation * NORMAL)))))
        low, high = (middle, high) if mean < share else (low, middle)
    return low


def _weight(kind: str, size: int, cuts: Sequence[int], points: list[int]) -> Weight:
    """Write the points of one column; steps of equal points are one, but for the null code."""
    if kind == "":
        return points[1] - points[0] if len(points) > 1 else 0
    if kind == "c":
        return tuple(points)
    if not any(points):
        return Steps((), (0,))
    kept, begun = [points[0]], []
    for cut, point in zip(cuts, points[1:], strict=True):
        if point != kept[-1] or (kind == "n" and cut == size - 1):
            begun.append(cut)
            kept.append(point)
    return Steps(tuple(begun), tuple(kept))


ENTRY = entry_of(
    CountedLearner,
    CountedLearner.name,
    "points for each step and category from noisy counts, without delta; promises no error",
    families=("scorecards",),
)
