"""Learn labels of which a miss costs more, or less, than a false alarm: public weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from tacit.core import Accuracy, Cost, Exact, InvalidArgument, Law, Random, check, hold
from tacit.learners.contract.learner import FromLearner, MultiLearner, Unpromising
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.linear.counted import CountedLearner
from tacit.learners.linear.margin import MarginLearner
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.learners.rules.short_rules import ShortRuleLearner
from tacit.learners.thresholds.prior import PriorLearner
from tacit.statistics import LabelCounts

HEAVIEST = 1000
"""No weight is a fraction of larger numbers: a row would count as so many."""
OFFERED = "generic, prior, short-rules, counted, margin"
"""The learners that weigh."""
_CARDS = (CountedLearner, MarginLearner)
_CHOICES = (GenericLearner, PriorLearner, ShortRuleLearner)


@dataclass(frozen=True, slots=True)
class WeightedLearner(Unpromising, FromLearner):
    """Make what a learner puts out cheap, where a miss of label j costs `odds[j]` false alarms.

    What is chosen by agreements is chosen by weighted ones: if odds are a / b, a row with the label
    counts as a rows and one without as b, of which max(a, b) have the learner's epsilon together. A
    scorecard is learned as ever, and says yes from the chance on at which that is cheaper.

    Guarantee:
        What the learner guarantees for a replaced row: it is at most max(a, b) rows of the weighted
        sample, and the learner of that is as many times as private; cards are moved by public
        numbers after all was told. Nothing is promised about the error.

    Exactness:
        That of the learner: weights are integers.

    Cost:
        The learner's.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> rows = [(x, (x >= 40 and x % 4 == 0,)) for x in range(64)] * 20
    >>> sample = LabelCounts.of(rows, labels=1)
    >>> alone = GenericLearner(Thresholds(6), epsilon=20)
    >>> found = [WeightedLearner(alone, [odds])(sample, rng=Seeded(1)) for odds in (1, 9)]
    >>> [each.rule(["x"]) for each in found]
    ['x is at least 63', 'x is at least 40']

    Proof: docs/proofs/weighted.md
    """

    learner: Any
    odds: tuple[Fraction, ...]

    name: ClassVar[str] = "weighted"

    def __init__(self, learner: Any, odds: Sequence[Exact]) -> None:
        hold(self, learner=learner, odds=tuple(read_odds(each) for each in odds))
        if not isinstance(learner, (*_CARDS, *_CHOICES)):
            raise InvalidArgument(
                f"weights (--weights) are for labels that are learned one by one, by {OFFERED}: "
                "choose one of these learners, or leave them out"
            )

    @property
    def cost(self) -> Cost:
        """What learning one label costs: `grouped`, as many rows of the inner one."""
        return self.learner.cost  # type: ignore[no-any-return]

    @property
    def largest_sample(self) -> int | None:
        """As many rows as the learner can take when each counts as several."""
        most = self.learner.largest_sample
        return None if most is None else int(most) // max(map(self._weight, self.odds))

    def sample_size(self, accuracy: Accuracy, /) -> int:  # noqa: ARG002
        raise InvalidArgument(
            "with weights (--weights) nothing is promised about the error: leave out alpha, or them"
        )

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Any:
        odds = self.odds[label]
        if isinstance(self.learner, _CARDS):
            return self._inner(odds)(sample, label=label, rng=rng)
        return self._inner(odds)(_weighed(sample, label, odds), rng=rng)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        odds = self.odds[label]
        if isinstance(self.learner, _CARDS):
            return self._inner(odds).law(sample, label=label)  # type: ignore[no-any-return]
        return self._inner(odds).law(_weighed(sample, label, odds))  # type: ignore[no-any-return]

    def _weight(self, odds: Fraction) -> int:
        """Return as how many rows a row may count."""
        return 1 if isinstance(self.learner, _CARDS) else max(odds.numerator, odds.denominator)

    def _inner(self, odds: Fraction) -> Any:
        """Return the learner that is given the rows."""
        if isinstance(self.learner, _CARDS):
            return replace(self.learner, odds=odds)
        return replace(self.learner, epsilon=self.learner.epsilon / self._weight(odds))


def weighted(learner: MultiLearner[Any], odds: Sequence[Exact]) -> MultiLearner[Any]:
    """Return a learner of all labels that weighs them, or refuse one that cannot."""
    if not odds:
        return learner
    alone = learner.learner if isinstance(learner, DirectSum) else None
    return DirectSum(WeightedLearner(alone, odds), learner.labels)


def read_odds(odds: Exact) -> Fraction:
    """Read how many false alarms a miss costs.

    >>> read_odds("2.5")
    Fraction(5, 2)
    """
    read = check.positive(weight=odds)
    if max(read.numerator, read.denominator) > HEAVIEST:
        raise InvalidArgument(
            f"a weight must be a fraction of numbers up to {HEAVIEST}, such as 20 or 5/2; "
            f"got {odds}"
        )
    return read


def _weighed(sample: LabelCounts, label: int, odds: Fraction) -> LabelCounts:
    """Count rows with the label a times, others b times; the rest of so many rows is null."""
    yes, no = odds.numerator, odds.denominator
    ones = sample.positives[:, label]
    totals = yes * ones + no * (sample.totals - ones)
    return LabelCounts(max(yes, no) * sample.n, 1, sample.points, totals, yes * ones[:, None])
