"""Learn, and measure what was learned, where how many records there are is secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tacit.concepts.contract.concept_class import Concept, HypothesisClass
from tacit.core import Accuracy, Exact, InvalidArgument, Law, Random, check, hold
from tacit.core.chance.law import mixture, product
from tacit.core.cost import Added, Parallel
from tacit.learners.contract.learner import FromLearner, MultiLearner
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.linear.counted import CountedLearner
from tacit.learners.linear.margin import MarginLearner
from tacit.learners.made_from.by_person import ByPerson
from tacit.learners.made_from.measured import (
    GroupedMeasurement,
    RuleMeasurement,
    learned_from,
    measured_cost,
)
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.learners.rules.short_rules import ShortRuleLearner
from tacit.learners.thresholds.prior import PriorLearner
from tacit.mechanisms.measuring.group_measurement import GroupMeasurement, GroupReading
from tacit.statistics import JointCounts, LabelCounts
from tacit.statistics.counts.group_counts import GroupCounts
from tacit.statistics.counts.person_counts import PersonCounts

OFFERED = "generic, prior, short-rules, counted, margin"
"""The learners that are made for added records too."""
ENDLESS = 1 << 53
"""More rows than any table has: where their number is secret, nothing is cut to it."""
LISTED = 3
"""Records that laws of counts are listed for: what is beyond 0 and so many is told as those."""


def for_added(learner: Any, rows: int) -> Any:
    """Return the learner that costs for added rows what this one does for replaced ones.

    Scores of choices move one way then, so they may weigh twice as much; noise is on what one row
    moves alone. `rows` is about how many there are, as far as that is public.
    """
    match learner:
        case DirectSum(learner=alone, labels=labels):
            return DirectSum(for_added(alone, rows), labels)
        case GenericLearner() | PriorLearner() | ShortRuleLearner() if (
            learner.largest_sample is None
        ):
            return replace(learner, epsilon=2 * learner.epsilon)
        case CountedLearner() | MarginLearner():
            return replace(learner, public_n=rows)
    raise InvalidArgument(
        "neighbours=added (--neighbours), where the number of rows is secret, is offered by the "
        f"learners {OFFERED}, for classes that can be scored on any number of rows: choose one of "
        "them, or the class rules, or leave it out"
    )


@dataclass(frozen=True, slots=True)
class AddedLearner(FromLearner):
    """Make a learner for replaced records, or persons, one for added ones, of whom it knows `rows`.

    Guarantee:
        What the learner guarantees for a replaced record holds for one that is added or removed;
        how many there are is secret, and has no say but through `rows`, which is public.

    Exactness:
        That of the learner.

    Cost:
        `Added`, of the learner's.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> made = DirectSum(GenericLearner(Thresholds(32), epsilon=1), 1)
    >>> goal = Accuracy("0.05", "0.05")
    >>> made.sample_size(goal), AddedLearner(made, 600).sample_size(goal)
    (1179, 652)

    Proof: docs/proofs/added.md
    """

    learner: MultiLearner[Any] | ByPerson
    rows: int

    def __init__(self, learner: MultiLearner[Any] | ByPerson, rows: int) -> None:
        hold(self, learner=learner).count(rows=rows)
        for_added(learner.learner if isinstance(learner, ByPerson) else learner, rows)

    @property
    def inner(self) -> MultiLearner[Any]:
        """The learner that is given the rows."""
        made: Any = self.learner
        if isinstance(made, ByPerson):
            return for_added(made.inner, made.weight * self.rows)  # type: ignore[no-any-return]
        return for_added(made, self.rows)  # type: ignore[no-any-return]

    @property
    def cost(self) -> Added:
        """What an added record pays."""
        return Added(self.learner.cost)

    @property
    def labels(self) -> int:
        return self.learner.labels

    def sample_size(self, accuracy: Accuracy, /) -> int:
        return self.inner.sample_size(accuracy)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        return self.inner.accuracy(n, beta)

    def __call__(self, sample: Any, /, *, rng: Random) -> tuple[Concept, ...]:
        made, inner = self.learner, self.inner
        rows = made.given(sample, rng=rng) if isinstance(made, ByPerson) else sample
        return inner(rows, rng=rng)

    def law(self, sample: Any, /) -> Law[Any]:
        inner: Any = self.inner
        if not isinstance(self.learner, ByPerson):
            return inner.law(sample)  # type: ignore[no-any-return]
        return mixture((share, inner.law(rows)) for share, rows in self.learner.ways(sample))


@dataclass(frozen=True, slots=True)
class AddedMeasurement:
    """Measure hypotheses on rows whose number is secret: all together, or in groups of them.

    Coordinate `place` of a point says which group it is in, as in `GroupedMeasurement`.

    Guarantee:
        One `GroupMeasurement` a label: an added row moves each of its three lines by at most 1, so
        that it may be one for twice of epsilon. The rows are told with noise, and no other number
        of them.

    Exactness:
        As `GroupMeasurement`.

    Cost:
        `Added`, of `Pure(epsilon)`, as often as there are labels.

    Proof: docs/proofs/added.md
    """

    hypotheses: tuple[Concept, ...]
    outputs: HypothesisClass[Any]
    epsilon: Fraction
    place: int = 0
    edges: tuple[int, ...] = ()

    @property
    def cost(self) -> Added:
        return Added(measured_cost(self.epsilon, len(self.hypotheses)))

    def __call__(
        self, sample: LabelCounts | JointCounts, /, *, rng: Random
    ) -> tuple[GroupReading, ...]:
        measure = GroupMeasurement(2 * self.epsilon)
        return tuple(measure(count, rng=rng) for count in self._counted(sample))

    def law(self, sample: LabelCounts | JointCounts, /) -> Law[Any]:
        """Return the exact law of at most 3 rows, counts beyond 0 and 3 told as those."""
        measure = GroupMeasurement(2 * self.epsilon)
        return product(measure.law(each, low=0, high=LISTED) for each in self._counted(sample))

    def _counted(self, sample: LabelCounts | JointCounts) -> list[GroupCounts]:
        rules = RuleMeasurement(self.hypotheses, self.outputs, self.epsilon)
        _, counted = GroupedMeasurement(rules, self.place, self.edges).counted(sample)
        return [replace(each, n=ENDLESS) for each in counted]


@dataclass(frozen=True, slots=True)
class AddedMeasuredLearner:
    """Hold out each record by a coin of its own, learn from the others, and measure on those.

    Guarantee:
        As private as the less private of the two: an added record is in one part, and where the
        others are is as before. How many are held out is secret too.

    Exactness:
        That of both parts; the coins show heads with exactly the `share`.

    Cost:
        `Added`, of the `Parallel` of both.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> sick = DirectSum(GenericLearner(Thresholds(6), epsilon=1), 1)
    >>> sample = JointCounts.of([(x, (x >= 40,)) for x in range(64)] * 20, labels=1)
    >>> learn = AddedMeasuredLearner(AddedLearner(sick, 1000), share="1/5", epsilon=1)
    >>> (rule,), (told,) = learn(sample, rng=Seeded(1))
    >>> rule.rule(["age"]), told.shares()[0].error < 0.05
    ('age is at least 40', True)

    Proof: docs/proofs/added.md
    """

    learner: AddedLearner
    share: Fraction
    epsilon: Fraction
    place: int
    edges: tuple[int, ...]

    def __init__(
        self,
        learner: AddedLearner,
        *,
        share: Exact,
        epsilon: Exact,
        place: int = 0,
        edges: Sequence[int] = (),
    ) -> None:
        hold(self, learner=learner, edges=tuple(edges), share=check.probability(share=share))
        hold(self).positive(epsilon=epsilon).count(place=place)

    @property
    def cost(self) -> Added:
        """What both parts cost, each from its own records."""
        told = measured_cost(self.epsilon, self.learner.labels)
        return Added(Parallel(self.learner.learner.cost, told))

    def __call__(self, sample: JointCounts | PersonCounts, /, *, rng: Random) -> Any:
        """Learn all labels, and measure what was learned of each."""
        learned, held = sample.tossed(self.share, rng=rng)
        hypotheses = self.learner(learned_from(self, learned), rng=rng)
        rows: Any = held.drawn(rng=rng) if isinstance(held, PersonCounts) else held
        return hypotheses, self.measuring(hypotheses)(rows, rng=rng)

    def law(self, sample: JointCounts | PersonCounts, /) -> Law[Any]:
        """Return the law of both over all tosses, for few records."""
        return mixture(
            (weight, self.blocks_law(*both)) for weight, both in sample.tosses(self.share)
        )

    def blocks_law(self, learned: Any, held: Any) -> Law[Any]:
        """Return the exact law for given blocks."""
        ways = held.draws() if isinstance(held, PersonCounts) else [(Fraction(1), held)]
        drawn = list(ways)

        def measured(hypotheses: tuple[Concept, ...]) -> Law[Any]:
            measure = self.measuring(hypotheses)
            told = mixture((weight, measure.law(rows)) for weight, rows in drawn)
            return told.map(lambda said: (hypotheses, said))

        return self.learner.law(learned_from(self, learned)).then(measured)

    def measuring(self, hypotheses: tuple[Concept, ...]) -> AddedMeasurement:
        """Return what measures what was learned."""
        return AddedMeasurement(
            hypotheses, self.learner.hypotheses, self.epsilon, self.place, self.edges
        )
