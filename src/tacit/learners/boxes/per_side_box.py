"""Boxes learned side by side: any number of rows, columns and values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import integers
from tacit.concepts.grid.boxes import Box, Boxes
from tacit.concepts.line.intervals import EMPTY, Interval
from tacit.core import Accuracy, Decay, InvalidArgument, Privacy, Random, check, hold
from tacit.core.chance.law import Law, product
from tacit.core.composition.calibration import widest
from tacit.core.cost import BoundedRange, Repeat
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.core.numbers.exact import Exact, log_near
from tacit.core.numbers.least import least_near
from tacit.learners.contract import AccuracyGrid, Proper, Request, entry_of
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile

INWARDS = Fraction(99, 100)
"""The share of beta that may be spent on sides that are too far out."""

Side = int | None
"""Where a side of the box is, counted from its end of the column; None: the box is empty."""


@dataclass(frozen=True, slots=True)
class PerSideBoxLearner(Proper[Boxes], AccuracyGrid):
    """Choose every side near the `rank`-th outermost positive row, and an empty box if they lack.

    A side at z loses the positive rows strictly outside of it beyond `rank` of them, or the rows
    that it lacks of `rank` at or outside of it. So it lies among the positive rows, and inside of
    the target, unless it is very bad; and few rows are cut off.

    Guarantee:
        Of bounded range `epsilon` a side, on every sample; accurate, as in `Promising`. Proper.
        Nothing is promised for labels that no box explains.

    Exactness:
        As `Exponential`.

    Cost:
        `Repeat(BoundedRange(epsilon), 2 dims, adaptive=False)`; time O(dims n log n), whatever the
        number of values.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = PerSideBoxLearner.within(Boxes(16, 3), Privacy(1), beta="0.05")
    >>> learner.rank, learner.sample_size(Accuracy("0.1", "0.05"))
    (191, 23844)
    >>> rows = [((x, 3 * x, 9), (9000 <= x < 15000,)) for x in range(20000)]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(1)).rule(["a", "b", "c"])
    'a is between 9184 and 14790 and b is between 27576 and 44458 and c is 9'

    Proof: docs/proofs/per_side_box.md
    """

    concepts: Boxes
    epsilon: Fraction
    rank: int

    agnostic: ClassVar[bool] = False
    """Never: a few wrong positive rows far away draw a side to them."""
    theorem: ClassVar[str] = "MT07"
    """The key of the theorem that every side rests on."""
    largest_sample: ClassVar[int | None] = None
    grid: ClassVar[int] = 10**7

    def __init__(self, concepts: Boxes, *, epsilon: Exact, rank: int) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).count(rank=rank, least=1)

    @classmethod
    def within(
        cls, concepts: Boxes, privacy: Privacy, *, beta: Exact, labels: int = 1
    ) -> PerSideBoxLearner:
        """Return the learner for a budget, with the least rank that keeps promises at beta.

        The budget is for so many labels; beta is for one of them.
        """
        sides = 2 * concepts.dims * check.count(labels=labels, least=1)
        epsilon = widest(privacy, sides) if privacy.delta else privacy.epsilon / sides
        goal = check.probability(beta=beta) * INWARDS
        guess = int(log_near(2 * sum(concepts.values) / goal) * 2 / float(epsilon))
        rank = least_near(
            lambda k: cls(concepts, epsilon=epsilon, rank=k).outwards <= goal, guess, low=1
        )
        return cls(concepts, epsilon=epsilon, rank=rank)

    @property
    def cost(self) -> Repeat:
        return Repeat(BoundedRange(self.epsilon), 2 * self.concepts.dims, adaptive=False)

    @property
    def outwards(self) -> Fraction:
        """Bound the probability that some side lies outside of the target."""
        return upper(lambda: 2 * sum(self.concepts.values) * self._decay.real(self.rank))

    def failure(self, n: int, alpha: Fraction) -> Fraction:
        """Bound the probability that the error exceeds alpha, rounded up."""
        sides = 2 * self.concepts.dims
        shrink = 1 - self._decay.ratio

        def bound() -> Enclosure:
            far, back = self._decay.real(self.rank), self._decay.real(-self.rank)
            cut = back * (1 - real(alpha / sides * shrink)) ** n
            gone = back * (1 - real(alpha * shrink)) ** n
            return 2 * sum(self.concepts.values) * far.max(cut) + sides * gone

        return min(Fraction(1), upper(bound, 192))

    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        return self.failure(n, accuracy.alpha) <= accuracy.beta

    def sample_size(self, accuracy: Accuracy, /) -> int:
        if self.outwards > accuracy.beta:
            raise InvalidArgument(
                f"rank={self.rank} is too small for beta={float(accuracy.beta):.3g}; make the "
                "learner for this beta"
            )
        return least_near(lambda n: self.suffices(n, accuracy), self._guess(accuracy))

    def _guess(self, accuracy: Accuracy) -> int:
        """Return about where a side is cut too deep with what is left of beta."""
        sides, shrink = 2 * self.concepts.dims, float(1 - self._decay.ratio)
        values, beta = 2 * sum(self.concepts.values), float(accuracy.beta)
        back = self.rank * float(self.epsilon) / 2
        gone, cut = (
            (back + math.log(ways / beta)) / -math.log1p(-float(accuracy.alpha) * shrink * part)
            for ways, part in ((sides, 1.0), (values, 1 / sides))
        )
        return int(max(gone, cut))

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Box:
        choose = Exponential(self.epsilon)
        return self._box([choose(side, rng=rng) for side in self._sides(sample, label)])

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Box]:
        choose = Exponential(self.epsilon)
        laws: list[Law[Any]] = [choose.law(side) for side in self._sides(sample, label)]
        return product(laws).map(self._box)

    @property
    def _decay(self) -> Decay:
        return Decay.of(self.epsilon / 2)

    def _sides(self, sample: LabelCounts, label: int) -> list[ScoreProfile[Side]]:
        """Return the profiles of all sides, both of the first column first."""
        shape = len(sample.points), self.concepts.dims
        inside = self.concepts.clip(sample.points.reshape(shape))
        ones = sample.positives[:, label]
        held, counts = inside[ones > 0], ones[ones > 0]
        ways = (
            (column if low else size - 1 - column, size)
            for column, size in zip(held.T, self.concepts.values, strict=True)
            for low in (True, False)
        )
        return [side_profile(values, counts, size, self.rank) for values, size in ways]

    def _box(self, sides: Sequence[Side]) -> Box:
        """Put the sides together; the box is empty if one says so or two of them cross."""
        made = []
        pairs = zip(sides[::2], sides[1::2], self.concepts.values, strict=True)
        for low, high, size in pairs:
            if low is None or high is None or low > size - 1 - high:
                return Box((EMPTY,) * self.concepts.dims)
            made.append(Interval(low, size - 1 - high))
        return Box(tuple(made))


def side_profile(
    values: NDArray[Any], counts: NDArray[np.int64], size: int, rank: int
) -> ScoreProfile[Side]:
    """Score every place z of a side, 0 <= z < size, and the empty box, by positive rows.

    The loss at z is how much the rows below z exceed `rank`, or those up to z fall short of it; the
    loss of the empty box is how much all of them exceed it. A replaced row moves each by at most 1.

    >>> profile = side_profile(np.array([3, 7]), np.array([2, 5]), 10, 3)
    >>> profile.scores.tolist(), profile.multiplicities.tolist()
    ([-3, -1, -1, 0, -4, -4], [3, 1, 3, 1, 2, 1])
    """
    places, where = np.unique(values, return_inverse=True)
    rows = np.zeros(len(places), dtype=np.int64)
    np.add.at(rows, where.ravel(), counts)
    up_to = np.cumsum(rows).tolist()
    below = [0, *up_to[:-1]] if up_to else []
    starts, lengths, losses = [0], [], []
    for place, less, more in zip(map(int, places), below, up_to, strict=True):
        lengths += [place - starts[-1], 1]
        losses += [_loss(less, less, rank), _loss(less, more, rank)]
        starts += [place, place + 1]
    total = up_to[-1] if up_to else 0
    lengths += [size - starts[-1], 1]
    losses += [_loss(total, total, rank), max(total - rank, 0)]

    def member(cell: int, rank_in_cell: int) -> Side:
        return starts[cell] + rank_in_cell if cell < len(starts) else None

    return ScoreProfile(-np.array(losses, dtype=np.int64), integers(lengths), member)


def _loss(below: int, up_to: int, rank: int) -> int:
    return max(below - rank, rank - up_to, 0)


def _make(request: Request) -> PerSideBoxLearner:
    concepts: Any = request.concepts
    public: dict[str, Any] = {"beta": request.beta, "labels": request.labels}
    return PerSideBoxLearner.within(concepts, request.privacy, **public)


ENTRY = entry_of(
    PerSideBoxLearner,
    "per-side-box",
    "the sides of a box one by one, for any number of rows",
    families=("boxes",),
    pure=True,
    make=_make,
    divides=True,
)
