"""The line learner: a line if the positive rows agree on one, else a point, else never.

Of the papers: FX14 Thm 3, FX14 Thm 12, FX14 Thm 15.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tacit.concepts.algebra.lines import Line, Lines
from tacit.concepts.algebra.lines_or_points import LinesOrPoints, PlanePoint
from tacit.concepts.outputs.never import NEVER, Never, OrNever
from tacit.core.accuracy import Accuracy
from tacit.core.chance.law import Law, certain
from tacit.core.chance.randomness import Random
from tacit.core.errors import TooLarge
from tacit.core.frozen import hold
from tacit.core.numbers.decay import growth
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least_near, near_root
from tacit.core.own_cost import ApproximateCost
from tacit.learners.algebra.line_bound import LineBound
from tacit.learners.contract.accuracy_grid import AccuracyGrid
from tacit.learners.contract.dealt import Dealt
from tacit.learners.contract.making import entry
from tacit.mechanisms import StableRelease
from tacit.mechanisms.stable.release_table import about
from tacit.statistics import LabelCounts
from tacit.statistics.algebra.line_lead import line_lead, point_lead

LONGEST = 128
"""Entries of a release table up to which the bound takes seconds: time grows with their square."""
BITS = 13
"""Significant bits of a sample size: the bound is not computed for every single row."""
Found = Line | PlanePoint | Never


@dataclass(frozen=True, slots=True)
class LineLearner(Dealt[Found], AccuracyGrid, ApproximateCost):
    """Tell the line of the positive rows if it is stable; else, from other rows, their point.

    Three fifths of the rows are for the line, the others for the point; which, is a uniform order's
    choice. Where nothing is stable the answer is `NEVER`.

    Guarantee:
        (epsilon, delta)-DP on every sample. On n >= `sample_size` i.i.d. rows labelled by a line,
        the error is at most alpha with probability at least 1 - beta, and n does not grow with p
        [FX14 Thm 12, improved].

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
        """Return the exact law of what is learned from given blocks."""
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


ENTRY = entry(
    LineLearner,
    "line",
    "the line or the point that the positive rows agree on; rows do not grow with p",
    families=("lines",),
    slow=True,
)
