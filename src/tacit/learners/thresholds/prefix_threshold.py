"""Thresholds with rows that hardly grow with the domain: find a prefix, then cut its block."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core import Accuracy, Exact, InvalidArgument, Law, Random, check, hold
from tacit.core.cost import Approximate, BoundedRange, Sequential
from tacit.learners.contract import Proper, Request, entry_of, made_by
from tacit.learners.thresholds.few_mistakes import FewMistakes
from tacit.mechanisms import Exponential, StableRelease
from tacit.mechanisms.points.interior_point import depth_profile, room, three_parts
from tacit.statistics import LabelCounts, ScoreProfile, Stable, Votes
from tacit.statistics.long_integers import Integers
from tacit.statistics.prefix_tree import PrefixTree, range_sums


class PrefixBars(NamedTuple):
    """A prefix is sought with `low` rows of either label, of which neither half has `high`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class PrefixThresholdLearner(Proper[Thresholds]):
    """Find a prefix that holds many rows of both labels but whose halves do not; cut there.

    Three steps on the same rows: the length of the prefix by the exponential mechanism, the prefix
    by a stable release, and the exponential mechanism on the ends and the middle of its block.

    Guarantee:
        (epsilon, delta)-DP on every sample; accurate, as in `Promising`, with an n that grows with
        the logarithm of the number of bits [after BNSV15 and BNS13; the algorithm for labelled rows
        and its constants: docs/proofs/prefix_threshold.md]. Proper.

    Exactness:
        As `Exponential` and `StableRelease`; all counts and prefixes are exact integers.

    Cost:
        `Sequential` of the three steps, epsilon and delta in sum; time n log n.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = PrefixThresholdLearner(Thresholds(1024), epsilon=1, delta="1e-6")
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    2759
    >>> rows = [(x << 900, (x >= 600,)) for x in range(4000)]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(4)).at >> 900
    512

    Proof: docs/proofs/prefix_threshold.md
    """

    concepts: Thresholds
    epsilon: Fraction
    delta: Fraction
    beta: Fraction
    parts: tuple[Fraction, Fraction, Fraction]
    bars: PrefixBars

    agnostic: ClassVar[bool] = False
    """Never: labels that no threshold explains may have no such prefix, or many."""
    theorem: ClassVar[str] = "BNSV15"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self,
        concepts: Thresholds,
        *,
        epsilon: Exact,
        delta: Exact,
        beta: Exact = Fraction(1, 20),
        bars: tuple[int, int] | None = None,
    ) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).probability(delta=delta, beta=beta)
        hold(self, parts=self._parts())
        hold(self, bars=self._bars() if bars is None else _read(bars))

    @property
    def cost(self) -> Sequential:
        length, prefix, cut = self.parts
        return Sequential(BoundedRange(length), Approximate(prefix, self.delta), BoundedRange(cut))

    def failure(self, mistakes: int) -> Fraction:
        """Bound the probability of more than so many mistakes on rows that a threshold explains.

        >>> float(PrefixThresholdLearner(Thresholds(1024), epsilon=1, delta="1e-6").failure(240))
        0.03397...
        """
        extra = check.count(mistakes=mistakes) - max(self.bars.high, 0)
        if extra < 0:
            return Fraction(1)
        found = self._cut.failure(extra + 1, size=3 * len(self._ways))
        return min(Fraction(1), self._lost + found)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        ways = list(self._allowed(accuracy.beta))
        if not ways:
            raise InvalidArgument(
                f"beta={accuracy.beta} is not above what the search for a prefix may fail; "
                f"make the learner with beta={accuracy.beta} or less, not {self.beta}"
            )
        return min(way.rows(accuracy.alpha) for way in ways)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta, n = check.probability(beta=beta), check.count(n=n)
        found = [way.alpha(n) for way in self._allowed(beta)]
        alphas = [alpha for alpha in found if alpha is not None]
        return Accuracy(min(alphas), beta) if alphas else None

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Threshold:
        rows = _Rows(self.concepts, sample, label)
        length = self._length(rows.depths(self.bars), rng=rng)
        told = 0 if length == 0 else self._prefix(rows.lead(length), rng=rng)
        return self._cut(self._candidates(rows, length, told), rng=rng)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        return self.transcript(sample, label=label).map(lambda told: told[-1])

    def transcript(self, sample: LabelCounts, /, *, label: int = 0) -> Law[tuple[Any, ...]]:
        """Return the exact law of all three choices: length, prefix or None, threshold."""
        rows = _Rows(self.concepts, sample, label)

        def prefixes(length: int) -> Law[tuple[int, int | None]]:
            if length == 0:
                return Law({(0, 0): Fraction(1)})
            return self._prefix.law(rows.lead(length)).map(lambda told: (length, told))

        def cuts(chosen: tuple[int, int | None]) -> Law[tuple[Any, ...]]:
            return self._cut.law(self._candidates(rows, *chosen)).map(lambda h: (*chosen, h))

        return self._length.law(rows.depths(self.bars)).then(prefixes).then(cuts)

    def _candidates(self, rows: _Rows, length: int, told: int | None) -> ScoreProfile[Threshold]:
        """Score thresholds at the ends and the middle of a block, of all if no prefix is told."""
        width = self.concepts.bits - (0 if told is None else length)
        start, last = (told or 0) << width, self.concepts.domain_size - 1
        edges = (start, start + (1 << width - 1), start + (1 << width))
        cuts = dict.fromkeys(min(edge, last) for edge in edges)
        thresholds = [Threshold(z, up) for up in self._ways for z in cuts]
        return ScoreProfile.among(thresholds, [rows.agreements(h) for h in thresholds])

    @property
    def _length(self) -> Exponential:
        return Exponential(self.parts[0])

    @property
    def _prefix(self) -> StableRelease:
        return StableRelease(self.parts[1], self.delta)

    @property
    def _cut(self) -> Exponential:
        return Exponential(self.parts[2])

    @property
    def _ways(self) -> tuple[bool, ...]:
        return {"up": (True,), "down": (False,), "both": (True, False)}[self.concepts.direction]

    @property
    def _lost(self) -> Fraction:
        """What the search for a prefix may fail, whatever comes after."""
        low, high = self.bars
        missed = self._length.failure(room(low, high) + 1, size=self.concepts.bits)
        return missed + self._prefix.failure(-(-max(low, 0) // 2))

    def _allowed(self, beta: Fraction) -> Iterator[FewMistakes]:
        """Yield numbers of mistakes to allow for, with what is left of beta for the sample."""
        left = beta - self._lost
        for part in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
            if left > 0:
                extra = self._cut.shortfall(left * part, size=3 * len(self._ways)) - 1
                allowed = max(self.bars.high, 0) + extra
                rest = beta - self.failure(allowed)
                yield FewMistakes(allowed, rest, 2 * len(self._ways))

    def _parts(self) -> tuple[Fraction, Fraction, Fraction]:
        """Split epsilon over the three steps so that about the least number of mistakes is left."""
        share = float(self.beta) / 4
        return three_parts(
            self.epsilon,
            4 * math.log((self.concepts.bits + 1) / share),
            2 * (math.log(1 / share) - math.log(self.delta.numerator))
            + 2 * math.log(self.delta.denominator),
            2 * math.log(3 * len(self._ways) / share),
        )

    def _bars(self) -> PrefixBars:
        share = self.beta / 4
        low = 2 * self._prefix.distance(share) - 1
        gap = self._length.shortfall(share, size=self.concepts.bits) - 1
        return PrefixBars(low, low + 2 * gap - 1)


class _Rows:
    """Labelled rows in the tree of their prefixes."""

    def __init__(self, concepts: Thresholds, sample: LabelCounts, label: int) -> None:
        self._tree = PrefixTree.of(concepts.clip(sample.points), bits=concepts.bits)
        ones = sample.positives[:, label]
        self._yes = self._tree.sort(ones)
        self._no = self._tree.sort(sample.totals - ones)
        self._n = sample.n

    def depths(self, bars: PrefixBars) -> ScoreProfile[int]:
        """Score the lengths of prefix: a weight is how many rows of the rarer label there are."""
        weights = np.minimum(self._tree.sums(self._yes), self._tree.sums(self._no))
        return depth_profile(
            self._tree.heaviest(weights), low=bars.low, high=bars.high, deepest=self._tree.bits - 1
        )

    def lead(self, length: int) -> Stable[int | None]:
        """Return the heaviest prefix of this length; a replaced row moves weights as a vote."""
        starts, ends = self._tree.blocks(length)
        weights: Integers = np.minimum(
            range_sums(self._yes, starts, ends), range_sums(self._no, starts, ends)
        )
        table = {
            self._tree.prefix(int(starts[i]), length): int(weights[i])
            for i in np.flatnonzero(weights).tolist()
        }
        votes: Votes[int] = Votes(self._n, switch=True, table=table)
        return votes.lead()

    def agreements(self, hypothesis: Threshold) -> int:
        """Count the rows that agree with a threshold."""
        cut = self._tree.below(hypothesis.at)
        above, below = (self._yes, self._no) if hypothesis.up else (self._no, self._yes)
        return int(above[cut:].sum() + below[:cut].sum())


def _read(bars: tuple[int, int]) -> PrefixBars:
    low, high = (check.count(bar=bar) for bar in bars)
    if high < low - 1:
        raise InvalidArgument(f"high must be at least low - 1 = {low - 1}, got {high}")
    return PrefixBars(low, high)


def _price(request: Request) -> Sequential:
    """Return the cost, which does not depend on the bars."""
    return made_by(partial(PrefixThresholdLearner, bars=(0, 0)))(request).cost


ENTRY = entry_of(
    PrefixThresholdLearner,
    "prefix-threshold",
    "a prefix with many rows of both labels; rows hardly grow with the domain",
    families=("thresholds",),
    price=_price,
)
