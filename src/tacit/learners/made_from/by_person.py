"""Learn from persons with any number of rows: one row of each, or the mean of all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tacit.core import Cost, Law, Random, check, hold
from tacit.core.chance.law import mixture
from tacit.core.group_privacy import grouped
from tacit.learners.contract.learner import FromLearner, MultiLearner
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.linear.counted import CountedLearner
from tacit.learners.linear.margin import MarginLearner
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.learners.rules.short_rules import ShortRuleLearner
from tacit.learners.thresholds.prior import PriorLearner
from tacit.statistics.counts.person_counts import PersonCounts

WEIGHT = 60
"""What a person weighs where the mean of all rows is taken: 1, 2, 3, 4, 5, 6, 10, 12, ... rows have
equal parts of it, as minutes of an hour."""


@dataclass(frozen=True, slots=True)
class ByPerson(FromLearner):
    """Give a learner as much of each person as of any other.

    With weight 1 that is one row, drawn among the person's. With more, all rows of the person share
    the weight, 1 / m of it each of m, and the learner is `scaled` to so many times the rows.

    Guarantee:
        What the learner guarantees for a replaced row holds for all rows of a replaced person. With
        weight 1 so does its promise, about a random row of a random person.

    Exactness:
        That of the learner, and of `PersonCounts.drawn`.

    Cost:
        The learner's: with a weight what `grouped` says that so many rows of the scaled one cost,
        which is no more; with one row as in `OneRowEach`.

    >>> from fractions import Fraction
    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> made = DirectSum(GenericLearner(Thresholds(6), epsilon=1), 1)
    >>> ByPerson(made, WEIGHT).cost == made.cost, scaled(made, 60).learner.epsilon
    (True, Fraction(1, 60))

    Proof: docs/proofs/persons.md
    """

    learner: MultiLearner[Any]
    weight: int

    def __init__(self, learner: MultiLearner[Any], weight: int) -> None:
        hold(self, learner=learner).count(weight=weight, least=1)

    @property
    def inner(self) -> MultiLearner[Any]:
        """The learner that is given the rows."""
        return self.learner if self.weight == 1 else scaled(self.learner, self.weight)

    @property
    def cost(self) -> Cost:
        """What a person pays."""
        return grouped(self.inner.cost, self.weight) if self.weight > 1 else self.learner.cost

    @property
    def labels(self) -> int:
        return self.learner.labels

    def __call__(self, sample: PersonCounts, /, *, rng: Random) -> tuple[Any, ...]:
        return self.inner(self.given(sample, rng=rng), rng=rng)

    def given(self, sample: PersonCounts, /, *, rng: Random) -> Any:
        """Return the rows that the learner is given."""
        return sample.drawn(rng=rng) if self.weight == 1 else sample.mean(self.weight)

    def ways(self, sample: PersonCounts, /) -> Iterable[tuple[Fraction, Any]]:
        """Return what may be given, with probabilities; for few persons with few rows."""
        return sample.draws() if self.weight == 1 else [(Fraction(1), sample.mean(self.weight))]

    def law(self, sample: PersonCounts, /) -> Law[Any]:
        """Return the exact law; if rows are drawn over all ways, for few persons with few rows."""
        inner: Any = self.inner
        return mixture((share, inner.law(rows)) for share, rows in self.ways(sample))


def weighs(learner: MultiLearner[Any], n: int) -> bool:
    """Whether the mean of each person's rows can be learned from, for n persons: it is linear."""
    alone: Any = learner.learner if isinstance(learner, DirectSum) else learner
    most = alone.largest_sample
    return isinstance(alone, _LINEAR) and (most is None or n * WEIGHT <= most)


def scaled(learner: MultiLearner[Any], times: int) -> MultiLearner[Any]:
    """Return the learner for so many times the rows, each of which counts for as much less.

    Its scores are sums over rows, and so are its counts and gradients: with so many copies of every
    row it chooses, but for rounding, by the law that the learner has without.
    """
    check.count(times=times, least=1)
    match learner:
        case DirectSum(learner=alone, labels=labels):
            return DirectSum(scaled(alone, times), labels)  # type: ignore[arg-type]
        case GenericLearner() | PriorLearner() | ShortRuleLearner() | CountedLearner():
            return replace(learner, epsilon=learner.epsilon / times)
        case MarginLearner():
            return replace(learner, rho=learner.rho / times**2)
    raise AssertionError("only linear learners are scaled")


_LINEAR = (GenericLearner, PriorLearner, ShortRuleLearner, CountedLearner, MarginLearner)
