"""Boxes for noisy labels: one column after the other, by agreements of the whole box."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.grid.boxes import Box, Boxes
from tacit.concepts.line.intervals import EMPTY, Interval, Intervals
from tacit.core import Exact, Random, hold
from tacit.core.chance.law import Law, certain
from tacit.core.cost import BoundedRange, Repeat
from tacit.learners.contract import Proper, Request, Unpromising, entry_of
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile

PASSES = 2
PARTS = 16
Sides = tuple[Interval, ...]
Gains = tuple[NDArray[np.int64], int]


@dataclass(frozen=True, slots=True)
class BoxAscentLearner(Proper[Boxes], Unpromising):
    """Start with everything; choose each column's interval given the others, `passes` times over.

    In the first pass a positive row counts w and a negative one `parts` - w, w chosen so that
    either kind counts about the same in all: an interval is good if positives are denser in it than
    elsewhere, though they may be few. Later passes count agreements.

    Guarantee:
        Every choice, that of w too, is an exponential mechanism of bounded range `epsilon`
        [MT07, Thm. 6; DDR20], given what was chosen before. Nothing is promised about the error,
        which may stick at a box that no single side improves: `accuracy` is None.

    Exactness:
        As `Exponential`.

    Cost:
        `Repeat(BoundedRange(epsilon), 1 + passes * dims)`; time O(n log^2 n) a choice, whatever the
        number of values.

    >>> from tacit.core.chance.randomness import Seeded
    >>> rows = [((x, y), (3 <= x < 9 and y >= 6,)) for x in range(16) for y in range(16)] * 4
    >>> learner = BoxAscentLearner(Boxes(4, 2), epsilon="1/2")
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(1)).rule(["a", "b"])
    'a is between 3 and 8 and b is between 6 and 15'

    Proof: docs/proofs/exponential.md
    """

    concepts: Boxes
    epsilon: Fraction
    passes: int
    parts: int

    name: ClassVar[str] = "box-ascent"
    theorem: ClassVar[str] = "MT07"
    """The key of the theorem that every choice rests on."""

    def __init__(
        self, concepts: Boxes, *, epsilon: Exact, passes: int = PASSES, parts: int = PARTS
    ) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).count(passes=passes, least=1)
        hold(self).count(parts=parts, least=2)

    @property
    def cost(self) -> Repeat:
        return Repeat(BoundedRange(self.epsilon), self.choices)

    @property
    def choices(self) -> int:
        """How many choices there are."""
        return 1 + self.passes * self.concepts.dims

    @property
    def largest_sample(self) -> int | None:
        """As many rows as intervals can be scored on."""
        known = [Intervals(values=size).largest_sample for size in self.concepts.values]
        return min((most for most in known if most is not None), default=None)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Box:
        choose, sides = Exponential(self.epsilon), self._all
        weight = choose(self._balance(sample, label), rng=rng)
        for step, column in enumerate(self._order):
            gains = self._gains(sample, label, weight, step)
            found = choose(self._profile(sample, gains, sides, column), rng=rng)
            sides = (*sides[:column], found, *sides[column + 1 :])
        return self._box(sides)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Box]:
        choose = Exponential(self.epsilon)
        return choose.law(self._balance(sample, label)).then(
            lambda weight: self._ascents(sample, label, weight)
        )

    def _ascents(self, sample: LabelCounts, label: int, weight: int) -> Law[Box]:
        choose, laws = Exponential(self.epsilon), certain(self._all)
        for step, column in enumerate(self._order):
            gains = self._gains(sample, label, weight, step)

            def chosen(sides: Sides, column: int = column, gains: Gains = gains) -> Law[Sides]:
                found = choose.law(self._profile(sample, gains, sides, column))
                return found.map(lambda side: (*sides[:column], side, *sides[column + 1 :]))

            laws = laws.then(chosen)
        return laws.map(self._box)

    @property
    def _all(self) -> Sides:
        return tuple(Interval(0, size - 1) for size in self.concepts.values)

    @property
    def _order(self) -> list[int]:
        return list(range(self.concepts.dims)) * self.passes

    def _balance(self, sample: LabelCounts, label: int) -> ScoreProfile[int]:
        """Score the weights w of a positive row by how near they balance the two labels.

        A weight is right if 1 - w / parts of n rows are positive; a row moves that by 1.
        """
        positives, parts = int(sample.positives[:, label].sum()), self.parts
        wanted = [sample.n * (parts - w) // parts for w in range(1, parts)]
        losses = [-abs(positives - want) for want in wanted]
        return ScoreProfile.among(range(1, parts), losses)

    def _gains(self, sample: LabelCounts, label: int, weight: int, step: int) -> Gains:
        """Return what each point adds to a box that holds it, and how far a row can move that."""
        ones = sample.positives[:, label]
        if step >= self.concepts.dims:
            return sample.gains(label), 1
        return weight * ones - (self.parts - weight) * (sample.totals - ones), self.parts

    def _profile(
        self, sample: LabelCounts, gains: Gains, sides: Sides, column: int
    ) -> ScoreProfile[Interval]:
        """Score all intervals of a column by the gains of the rows inside of the other sides."""
        shape = len(sample.points), self.concepts.dims
        inside = self.concepts.clip(sample.points.reshape(shape))
        held = np.ones(len(inside), dtype=np.bool_)
        for axis, side in enumerate(sides):
            held &= axis == column or side(inside[:, axis])
        each, sensitivity = gains
        merged: Counter[int] = Counter()
        for x, gain in zip(inside[held, column].tolist(), each[held].tolist(), strict=True):
            merged[x] += gain
        points = np.array(list(merged), dtype=inside.dtype)
        total = np.array(list(merged.values()), dtype=np.int64)
        cells = Intervals(values=self.concepts.values[column]).cells(points, total)
        return ScoreProfile(
            cells.gains, cells.multiplicities, cells.member, sensitivity=sensitivity
        )

    def _box(self, sides: Sides) -> Box:
        box = Box(sides)
        return Box((EMPTY,) * self.concepts.dims) if box.empty else box


def _make(request: Request) -> BoxAscentLearner:
    concepts: Any = request.concepts
    each = request.privacy.epsilon / BoxAscentLearner(concepts, epsilon=1).choices
    return BoxAscentLearner(concepts, epsilon=each)


ENTRY = entry_of(
    BoxAscentLearner,
    BoxAscentLearner.name,
    "a box for noisy labels, column by column; promises no error",
    families=("boxes",),
    pure=True,
    make=_make,
)
