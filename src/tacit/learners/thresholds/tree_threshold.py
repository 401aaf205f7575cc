"""Thresholds by the binary tree: far ones are counted once, not squared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import listable
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core import Accuracy, Exact, InvalidArgument, PureCost, Random, TooLarge, check, hold
from tacit.core.chance.law import Law, certain, collect
from tacit.core.numbers.enclosures import log_upper, round_down
from tacit.core.numbers.least import least_share
from tacit.core.numbers.shown import at_most
from tacit.learners.contract import Proper, entry_of
from tacit.learners.contract.making import made_by
from tacit.mechanisms import NearChoice
from tacit.mechanisms.choice.near_choice import Penalties
from tacit.mechanisms.stable.binomial_miss import Missed
from tacit.statistics import LabelCounts
from tacit.statistics.long_integers import sorting

SHARE = Fraction(1, 2)
SHARES = (Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(3, 8), Fraction(1, 4))
"""Parts of beta that no answer at all may have, and parts of that."""
COARSE = 5
"""Bits of the epsilon that is used."""
ENOUGH = 50
"""Cells are sought to this part of their rows."""
LARGEST = 128
"""Rows of a cell that are planned for, in a second: 256 bits at epsilon = 1."""
SPARE = Fraction(9, 8)
"""How much more epsilon is named than the first look at it asks for, which may be a little less."""
MOST = 500
"""A larger epsilon is not used: it saves no rows."""
_Sums = NDArray[np.int64]
WORDS = 62
"""Bits of a place on the line that numpy's integers hold."""


@dataclass(frozen=True, slots=True)
class TreeThresholdLearner(Proper[Thresholds], PureCost):
    """Tell a threshold with few mistakes whose cell of the binary tree holds many rows.

    The binary tree over the line has a node for each threshold, whose cell reaches to the nearest
    thresholds above it in the tree. A threshold's penalty is the larger of its mistakes beyond
    `rows` - 1 and of the rows that its cell lacks of `rows` of either label; rows at both ends, as
    many of the right label, are thought of as given. On rows that a threshold explains the simplest
    of those with fewer than `rows` mistakes has penalty 0; a cell without rows has 2 `rows`. Who is
    told is chosen by `NearChoice`; if nobody is, a uniform threshold is the answer.

    Guarantee:
        epsilon-DP on every sample; accurate, as in `Promising`. About (ln |X| / 2 + 2 ln log |X| +
        O(ln(1 / beta))) / (epsilon alpha) rows are enough, where the exponential mechanism takes 2
        ln |X| / (epsilon alpha): a quarter for large domains.

    Exactness:
        As `NearChoice`; the uniform threshold is exact, too.

    Cost:
        `Pure(epsilon)`; time n log |X|.

    >>> from tacit.core.chance.randomness import Seeded
    >>> goal = Accuracy(0.05, 0.05)
    >>> learner = TreeThresholdLearner.planned(Thresholds(32), epsilon=1, accuracy=goal)
    >>> learner.sample_size(goal)
    768
    >>> rows = [(x << 21, (x >= 600,)) for x in range(2048)]
    >>> 540 <= learner(LabelCounts.of(rows, labels=1), rng=Seeded(4)).at >> 21 <= 660
    True

    Proof: docs/proofs/near_choice.md
    """

    concepts: Thresholds
    epsilon: Fraction
    rows: int
    choice: NearChoice

    agnostic: ClassVar[bool] = False
    """Never: where no threshold explains the labels nobody may have a small penalty."""
    theorem: ClassVar[str] = "BKN10"
    """The key of the theorem that says what proper learners of thresholds need."""
    largest_sample: ClassVar[int | None] = None

    def __init__(self, concepts: Thresholds, *, epsilon: Exact, rows: int, none: Exact) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).count(rows=rows, least=1)
        none = check.probability(none=none)
        if rows > LARGEST:
            enough = at_most(self.epsilon * rows / LARGEST * SPARE, 2)
            raise TooLarge(
                f"epsilon is too small for tree-threshold: its cells would hold {rows} rows, and "
                f"more than {LARGEST} take long; an epsilon of {enough} for each label is enough, "
                "or take the learner generic"
            )
        levels, ways = concepts.values.bit_length(), len(concepts.ways)
        hold(self, choice=_choice(self.epsilon, rows, levels, ways, none))

    @classmethod
    def planned(
        cls, concepts: Thresholds, *, epsilon: Exact, accuracy: Accuracy
    ) -> TreeThresholdLearner:
        """Return the learner that keeps the promise with the fewest rows."""
        return _planned(concepts, check.positive(epsilon=epsilon), accuracy)

    @property
    def floor(self) -> Fraction:
        """Bound the chance that nobody is told, or a threshold whose cell is empty."""
        return self.choice.untold + self.concepts.size * self.choice.told(self.choice.reach)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        rest = accuracy.beta - self.floor
        if rest <= 0:
            raise InvalidArgument(
                f"beta={accuracy.beta} is not above what this learner fails with any number of "
                "rows; use TreeThresholdLearner.planned"
            )
        return self._missed.rows(accuracy.alpha, rest)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta, n = check.probability(beta=beta), check.count(n=n)
        rest = beta - self.floor
        if rest <= 0:
            return None
        alpha = least_share(lambda alpha: self._missed.at_most(rest, n, alpha))
        return None if alpha is None else Accuracy(alpha, beta)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Threshold:
        told = self.choice(self.penalties(sample, label=label), rng=rng)
        return self.concepts.draw(rng=rng) if told is None else self.concepts.nth(told)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Threshold]:
        size = listable(self.concepts.size, what="thresholds")
        anybody = collect((self.concepts.nth(i), Fraction(1, size)) for i in range(size))
        told = self.choice.law(self.penalties(sample, label=label))
        return told.then(lambda i: anybody if i is None else certain(self.concepts.nth(i)))

    def penalties(self, sample: LabelCounts, /, *, label: int = 0) -> Penalties:
        """Return the penalties of all thresholds whose cells are not too empty."""
        values, points = self.concepts.values, self.concepts.clip(sample.points)
        order = sorting(points, bits=values.bit_length())
        places = [0, *(x + 1 for x in points[order].tolist()), values]
        yes = sample.positives[:, label][order]
        no = (sample.totals - sample.positives[:, label])[order]
        ways = [(no, yes) if up else (yes, no) for up in self.concepts.ways]
        sums = [
            (_sums([self.rows, *below, 0]), _sums([0, *above, self.rows])) for below, above in ways
        ]
        return Penalties(dict(self._listed(places, sums)), self.concepts.size)

    def _listed(
        self, places: list[int], sums: list[tuple[_Sums, _Sums]]
    ) -> Iterator[tuple[int, int]]:
        """Yield thresholds by number, and penalties that are not the greatest.

        For each way, sums of the rows of the label that stands below it, and of those above.
        """
        values, rows, reach = self.concepts.values, self.rows, self.choice.reach
        line = np.array(places, dtype=np.int64 if values < 1 << WORDS else object)
        for height in range(values.bit_length()):
            cells, lower = line >> (height + 1), _sums(line >> height & 1 == 0)
            starts = np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))
            ends = np.append(starts[1:], len(line))
            nodes = (cells[starts] << (height + 1)) + (1 << height)
            halves = starts + lower[ends] - lower[starts]
            for way, (below, above) in enumerate(sums):
                held = [np.minimum(part[ends] - part[starts], rows) for part in (below, above)]
                mistakes = below[-1] - below[halves] + above[halves]
                penalty = np.maximum(2 * rows - held[0] - held[1], mistakes - (rows - 1)).clip(0)
                kept = np.flatnonzero((penalty < reach) & (nodes <= values))
                for node, told in zip(nodes[kept].tolist(), penalty[kept].tolist(), strict=True):
                    yield way * values + node - 1, told

    @property
    def _missed(self) -> Missed:
        levels, ways = self.concepts.values.bit_length(), len(self.concepts.ways)
        return _missed(self.choice, self.rows, levels, ways)


def _sums(counts: Any) -> _Sums:
    return np.concatenate(([0], np.cumsum(np.asarray(counts, dtype=np.int64))))


@lru_cache(maxsize=1024)
def _choice(epsilon: Fraction, rows: int, levels: int, ways: int, none: Fraction) -> NearChoice:
    """Return the choice for what the cells of one level, and so all of them, can be at most."""
    crowd, most = [], 1
    for penalty in range(2 * rows):
        spare = rows - 1 + penalty - max(rows - penalty, 0)
        most = max(most, 2 + 2 * spare // (2 * rows - penalty) if spare >= 0 else 1)
        crowd.append(ways * sum(min(1 << level, most) for level in range(levels)))
    return NearChoice(epsilon, crowd=crowd, none=none)


@lru_cache(maxsize=1024)
def _missed(choice: NearChoice, rows: int, levels: int, ways: int) -> Missed:
    """Return bounds of the chance that a bad threshold is told, by rows on which it errs.

    A bad cell may hold rows of both labels if it is one of `levels` around the target; or one at
    either end, by the given rows, if it goes the other way. All others hold one label.
    """
    told = [choice.told(penalty) for penalty in range(choice.reach)]
    mixed, pure = levels * (1 if ways == 1 else 4), 2 * levels * ways
    lone = [Fraction(0)]
    for penalty in reversed(range(rows, choice.reach)):
        many = 1 + (rows - 1 + penalty) // (2 * rows - penalty)
        farther = lone[-1] - many * told[penalty + 1] if penalty + 1 < choice.reach else 0
        lone.append(many * told[penalty] + farther)
    lone.reverse()

    def at(errors: int) -> Fraction:
        penalty = max(errors - (rows - 1), 0)
        bad = mixed * told[penalty] + pure * lone[max(penalty - rows, 0)]
        return min(Fraction(2 * ways), bad)  # a probability on each side, each way

    return Missed(at(errors) for errors in range(rows - 1 + choice.reach))


@lru_cache(maxsize=256)
def _planned(concepts: Thresholds, epsilon: Fraction, accuracy: Accuracy) -> TreeThresholdLearner:
    """Look for the fewest rows among weights of None and cells that are not too small.

    Epsilon and these weights are taken of coarse grids: else a little more of something, which
    moves the scale by a step, could ask for a few rows more.
    """
    coarse = round_down(min(epsilon, Fraction(MOST)), COARSE)
    top = round_down(accuracy.beta * SHARE, 1)

    @cache
    def size(rows: int, none: Fraction = top / 2) -> tuple[bool, int]:
        made = _made(concepts, coarse, rows, none)
        late = made.floor >= accuracy.beta
        return late, 0 if late else made.sample_size(accuracy)

    levels = concepts.values.bit_length() * len(concepts.ways)
    odds = 80 * concepts.size * levels / accuracy.beta**2  # a scale of about 8 levels / beta
    rows, step = max(1, round(log_upper(odds) / (2 * coarse))), max(1, round(1 / coarse))
    while size(rows)[0]:
        rows += step
    while step > rows // ENOUGH:  # downhill, in ever smaller steps
        near = [each for each in (rows - step, rows + step) if 1 <= each <= LARGEST]
        best = min(near, key=size, default=rows)
        rows, step = (best, step) if size(best) < size(rows) else (rows, step // 2)
    none = min((top * share for share in SHARES), key=lambda none: size(rows, none))
    return _made(concepts, coarse, rows, none)


@lru_cache(maxsize=1024)
def _made(
    concepts: Thresholds, epsilon: Fraction, rows: int, none: Fraction
) -> TreeThresholdLearner:
    return TreeThresholdLearner(concepts, epsilon=epsilon, rows=rows, none=none)


ENTRY = entry_of(
    TreeThresholdLearner,
    "tree-threshold",
    "the simplest threshold with few mistakes, by the binary tree; two thirds of generic's rows",
    families=("thresholds",),
    make=made_by(TreeThresholdLearner.planned),
)
