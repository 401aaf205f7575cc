"""The line learner: a line if the positive rows agree on one, else a point, else never.

Of the papers: FX14 Thm 3, FX14 Thm 12, FX14 Thm 15.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.algebra.lines import Line, Lines
from tacit.concepts.algebra.lines_or_points import LinesOrPoints, PlanePoint
from tacit.concepts.outputs.never import NEVER, Never, OrNever
from tacit.core import Accuracy, ApproximateCost, Exact, Random, TooLarge, hold
from tacit.core.chance.law import Law, certain
from tacit.core.numbers.decay import growth
from tacit.core.numbers.least import least_near, near_root
from tacit.learners.contract import AccuracyGrid, Dealt, entry_of
from tacit.mechanisms import StableRelease
from tacit.mechanisms.stable.release_table import about
from tacit.probability.binomial_masses import binomial_masses
from tacit.statistics import LabelCounts
from tacit.statistics.algebra.line_lead import line_lead, point_lead

LONGEST = 128
"""Entries of a release table up to which the bound takes seconds: time grows with their square."""
BITS = 13
"""Significant bits of a sample size: the bound is not computed for every single row."""
GUARD = 64
"""Roundings of a part in 2^53 that are allowed for, for each row and each entry of the table.

Floats here are products, quotients and sums of numbers not below 0.
"""
FLOOR = Fraction(1, 2**500)
"""More than all that floats lose where they are too small to be written."""
FAR = 45
"""More positive rows than stand so far above their mean, in nats, count as a miss."""
CELLS, SPLIT, ROUNDS = 16, 4, 5
"""The shares from 0 to 1/2 are cut into cells, those that fail into so many, so often."""
Found = Line | PlanePoint | Never
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LineLearner(Dealt[Found], AccuracyGrid, ApproximateCost):
    """Tell the line of the positive rows if it is stable; else, from other rows, their point.

    Three fifths of the rows are for the line, the others for the point; which, is a uniform order's
    choice. Where nothing is stable the answer is `NEVER`.

    Guarantee:
        (epsilon, delta)-DP on every sample; accurate, as in `Promising`, with an n that does not
        grow with p [FX14 Thm 12, improved].

    Exactness:
        As `StableRelease`.

    Cost:
        `Approximate(epsilon, delta)` a label: the stages hold different rows. Time O(n log n).

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = LineLearner(Lines(2**31 - 1), epsilon=1, delta="1e-6")
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    1882
    >>> rows = [((x, 2 * x + 5 + x % 8), (x % 8 == 0,)) for x in range(2000)]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(0)).rule(["x", "y"])
    'y equals 2 times x plus 5, modulo 2147483647'

    Proof: docs/proofs/line.md
    """

    concepts: Lines
    epsilon: Fraction
    delta: Fraction

    proper: ClassVar[bool] = False
    """Never: positives that sit on one point do not say which line."""
    agnostic: ClassVar[bool] = False
    """Never: positives off the line count against it."""
    theorem: ClassVar[str] = "FX14"
    largest_sample: ClassVar[int | None] = None
    grid: ClassVar[int] = 1 << 20

    def __init__(self, concepts: Lines, *, epsilon: Exact, delta: Exact) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).probability(delta=delta)

    @property
    def hypotheses(self) -> OrNever:
        """Lines, points of the plane, and the hypothesis that always says no."""
        return OrNever(LinesOrPoints(self.concepts.p))

    @property
    def release(self) -> StableRelease:
        """What tells the line, and the point."""
        return StableRelease(self.epsilon, self.delta)

    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        """Whether n rows certainly keep the promise.

        >>> learner = LineLearner(Lines(7), epsilon=1, delta="1e-6")
        >>> learner.suffices(1915, Accuracy(0.1, 0.05)), learner.suffices(1800, Accuracy(0.1, 0.05))
        (True, False)
        """
        bound = LineBound(self.release, *stages(n))
        return bound.suffices(accuracy.alpha, accuracy.beta)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return an n for which the bound keeps the promise while n - 1 does not.

        Beyond 2^13 rows, the least of 13 significant bits.
        """
        entries = about(growth(self.epsilon), self.delta)
        if entries > LONGEST:
            raise TooLarge(
                f"the bound for lines takes too long for epsilon={float(self.epsilon):g} and "
                f"delta={float(self.delta):g}; give more budget, or choose the generic learner"
            )
        goal = math.log(accuracy.beta)

        def excess(n: int) -> float:
            missed = LineBound(self.release, *stages(n)).about(accuracy.alpha)
            return math.log(missed) - goal

        start = int(4 * entries / accuracy.alpha) + 1
        guess = near_root(excess, start, slope=goal)
        step = 1 << max(guess.bit_length() - BITS, 0)
        near = (guess + (guess >> 10)) // step
        return step * least_near(lambda n: self.suffices(step * n, accuracy), near)

    def block_sizes(self, n: int) -> tuple[int, int]:
        """Return how many rows are for the line, and how many for the point."""
        return stages(n)

    def learn(self, blocks: Sequence[LabelCounts], *, rng: Random) -> Found:
        """Learn from given rows for the line and given rows for the point."""
        first, second = blocks
        release = self.release
        line: Line | None = release(self._line(first), rng=rng)
        if line is not None:
            return line
        point: PlanePoint | None = release(point_lead(self.concepts, second), rng=rng)
        return NEVER if point is None else point

    def blocks_law(self, blocks: Sequence[LabelCounts]) -> Law[Found]:
        first, second = blocks
        point = self.release.law(point_lead(self.concepts, second))
        rest: Law[Found] = point.map(lambda found: NEVER if found is None else found)
        line = self.release.law(self._line(first))
        return line.then(lambda found: rest if found is None else certain(found))

    def _line(self, block: LabelCounts) -> Any:
        return line_lead(self.concepts, block, most=self.release.distance(0))


def stages(n: int) -> tuple[int, int]:
    """Return how many rows are for the line, and how many for the point."""
    return 3 * n // 5, n - 3 * n // 5


@dataclass(frozen=True, slots=True)
class LineBound:
    """How likely the learner fails with `first` rows for the line and `second` for the point."""

    release: StableRelease
    first: int
    second: int

    def suffices(self, alpha: Fraction, beta: Fraction) -> bool:
        """Whether the failure probability is certainly at most beta, whatever the population.

        The unknown x is the positive mass off its most frequent point, as a share of alpha. The
        line stage fails less often the larger it is, the point stage more often: on a cell, take
        the first at its left end and the second at its right end. Cells that fail are cut in four,
        until some point fails itself or the cells are too small.
        """
        steps = self.first + self.second + len(_table(self.release)[0])
        bar = (beta - FLOOR) / (1 + Fraction(GUARD * steps, 2**53))
        cells = [(Fraction(j, 2 * CELLS), Fraction(j + 1, 2 * CELLS)) for j in range(CELLS)]
        for _ in range(ROUNDS):
            ends = sorted({end for cell in cells for end in cell})
            lines, points = self._line_missed(alpha, ends), self._point_missed(alpha, ends)
            missed = dict(zip(ends, zip(lines.tolist(), points.tolist(), strict=True), strict=True))
            if any(line * point > bar for line, point in missed.values()):
                return False
            cells = [cell for cell in cells if missed[cell[0]][0] * missed[cell[1]][1] > bar]
            if not cells:
                return True
            cells = [part for cell in cells for part in _cut(*cell)]
        return False

    def about(self, alpha: Fraction) -> float:
        """Return about the failure probability, at the worst of a few shares."""
        ends = [Fraction(j, 2 * CELLS) for j in range(CELLS)]
        lines, points = self._line_missed(alpha, ends), self._point_missed(alpha, ends)
        return float((lines * points).max())

    def _line_missed(self, alpha: Fraction, shares: list[Fraction]) -> Floats:
        """Bound E[1 - p(ceil(s / 2))], s the line's positives without its most frequent point."""
        _, steps = _table(self.release)
        top = 2 * len(steps) - 2
        half = self._at_most(alpha / 2, top)
        below = np.array([self._at_most(share * alpha, top) + half for share in shares])
        return np.asarray(np.minimum(below[:, ::2], 1.0) @ steps)

    def _at_most(self, mass: Fraction, top: int) -> Floats:
        """Return P[Bin(first, mass) <= k] for k = 0, ..., top."""
        sums = np.cumsum(binomial_masses(self.first, mass, top))
        return np.concatenate((sums, np.full(top + 1 - len(sums), sums[-1])))

    def _point_missed(self, alpha: Fraction, shares: list[Fraction]) -> Floats:
        """Bound E[1 - p(ceil(D / 2))], D the lead of the most frequent point over all the rest.

        Given m positive rows, the number k of the rest is binomial: one step of m at a time, for
        all shares at once. More than `top` positives, which has probability below 1e-18, count as
        a miss, and so does a share of a half, where there is no lead to expect.
        """
        mean = float(self.second * alpha)
        top = min(self.second, math.ceil(mean + (FAR + math.sqrt(FAR**2 + 8 * FAR * mean)) / 2) + 1)
        rest = np.array([[float(share)] for share in shares])
        best = np.array([[float(1 - share)] for share in shares])
        masses = binomial_masses(self.second, alpha, top)
        table, _ = _table(self.release)
        missed = table[np.clip((np.arange(-top, top + 1) + 1) // 2, 0, len(table) - 1)]
        law = np.zeros((len(shares), top + 2))
        law[:, 0] = 1.0
        total = np.full(len(shares), 1e-18)
        for m in range(top + 1):
            total += masses[m] * (law[:, : m + 1] @ missed[top - m : top + m + 1 : 2][::-1])
            law[:, 1 : m + 2] = best * law[:, 1 : m + 2] + rest * law[:, : m + 1]
            law[:, 0] *= best[:, 0]
        return np.where(rest[:, 0] >= 0.5, 1.0, np.minimum(total, 1.0))


@lru_cache(maxsize=64)
def _table(release: StableRelease) -> tuple[Floats, Floats]:
    """Return 1 - p(c) for c = 0, 1, ... to the end of the table, and by how much each falls."""
    table = release.table
    told = [table.probability(c) for c in range(table.distance(Fraction(1)) + 1)]
    falls = [float(after - before) for before, after in pairwise(told)]
    return np.array([float(1 - p) for p in told]), np.array(falls)


def _cut(left: Fraction, right: Fraction) -> list[tuple[Fraction, Fraction]]:
    ends = [left + (right - left) * i / SPLIT for i in range(SPLIT + 1)]
    return list(pairwise(ends))


ENTRY = entry_of(
    LineLearner,
    "line",
    "the line or the point that the positive rows agree on; rows do not grow with p",
    families=("lines",),
    slow=True,
)
