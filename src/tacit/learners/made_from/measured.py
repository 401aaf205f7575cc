"""Learn from a part of the rows, and measure what was learned on the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.concepts import Concept
from tacit.concepts.contract.concept_class import HypothesisClass
from tacit.core import Exact, InvalidArgument, Law, Privacy, Random, hold
from tacit.core.chance.law import mixture, product
from tacit.core.composition import calibrate
from tacit.core.cost import Cost, Parallel, Pure, Repeat
from tacit.learners.contract.dealt import joint_deals
from tacit.learners.contract.learner import MultiLearner
from tacit.learners.made_from.by_person import ByPerson
from tacit.mechanisms.measuring.group_measurement import GroupMeasurement, GroupReading
from tacit.mechanisms.measuring.measurement import Measurement
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.one_row_each import OneRowEach
from tacit.statistics import JointCounts, LabelCounts
from tacit.statistics.counts.distant_rows import DistantRows
from tacit.statistics.counts.group_counts import GroupCounts
from tacit.statistics.counts.person_counts import PersonCounts
from tacit.statistics.counts.score_counts import ScoreCounts

Found = tuple[tuple[Concept, ...], Any]
"""One hypothesis for each label, and what was measured of each, and of groups if asked."""


Rows = LabelCounts | JointCounts | DistantRows


@dataclass(frozen=True, slots=True)
class RuleMeasurement:
    """Measure hypotheses, one a label, on rows that they do not come from.

    Guarantee:
        One `Measurement` a label, all fixed before the first is drawn.

    Exactness:
        As `Measurement`.

    Cost:
        `Pure(epsilon)`, as often as there are labels.

    Proof: docs/proofs/measurement.md
    """

    hypotheses: tuple[Concept, ...]
    outputs: HypothesisClass[Any]
    epsilon: Fraction

    @property
    def cost(self) -> Cost:
        return measured_cost(self.epsilon, len(self.hypotheses))

    def __call__(self, sample: Rows, /, *, rng: Random) -> tuple[Reading, ...]:
        measure = Measurement.of_rows(self.epsilon, sample.n)
        return tuple(measure(count, rng=rng) for count in self.counted(sample))

    def law(self, sample: LabelCounts | JointCounts, /) -> Law[Any]:
        """Return the exact law, counts beyond 0 and n told as those."""
        measure = Measurement.of_rows(self.epsilon, sample.n)
        ends = {"low": 0, "high": max(sample.n, 1)}
        return product(measure.law(count, **ends) for count in self.counted(sample))

    def counted(self, sample: Rows) -> list[ScoreCounts]:
        """Count rows by the scores of each hypothesis."""
        measure = Measurement.of_rows(self.epsilon, sample.n)
        levels = [measure.levels(each.levels, sample.n) for each in self.hypotheses]
        if isinstance(sample, DistantRows):
            return sample.scores(self.hypotheses, self.outputs, levels)
        held = sample.marginal()
        return [
            ScoreCounts.of(held, hypothesis, self.outputs, label=label, levels=levels[label])
            for label, hypothesis in enumerate(self.hypotheses)
        ]


@dataclass(frozen=True, slots=True)
class GroupedMeasurement:
    """Measure hypotheses on all rows, and with as much epsilon once more in groups of the rows.

    Coordinate `place` of a point, which may be one beyond those of the hypotheses, says which group
    it is in: a new one begins at each of the `edges`.

    Guarantee:
        One `Measurement` and one `GroupMeasurement` a label, all fixed before the first is drawn.

    Exactness:
        That of both.

    Cost:
        `Pure(2 epsilon)`, as often as there are labels; epsilon is that of `rules`.

    Proof: docs/proofs/measurement.md
    """

    rules: RuleMeasurement
    place: int
    edges: tuple[int, ...]

    @property
    def cost(self) -> Cost:
        """What measuring all labels costs, on all rows and in groups."""
        return measured_cost(2 * self.rules.epsilon, len(self.rules.hypotheses))

    def __call__(
        self, sample: LabelCounts | JointCounts, /, *, rng: Random
    ) -> tuple[tuple[Reading, ...], tuple[GroupReading, ...]]:
        held, counted = self.counted(sample)
        measure = GroupMeasurement(self.rules.epsilon)
        return self.rules(held, rng=rng), tuple(measure(count, rng=rng) for count in counted)

    def law(self, sample: LabelCounts | JointCounts, /) -> Law[Any]:
        """Return the exact law, counts beyond 0 and n told as those."""
        (held, counted), ends = self.counted(sample), {"low": 0, "high": max(sample.n, 1)}
        measure = GroupMeasurement(self.rules.epsilon)
        return product(
            [self.rules.law(held), product(measure.law(count, **ends) for count in counted)]
        )

    def counted(self, sample: LabelCounts | JointCounts) -> tuple[LabelCounts, list[GroupCounts]]:
        """Take the group off the points, and count the groups of each label."""
        held, outputs = sample.marginal(), self.rules.outputs
        wide = held.points if held.points.ndim == 2 else held.points[:, None]
        place = self.place if len(wide) else 0  # of no rows the columns may be missing too
        groups = np.searchsorted(np.array(self.edges), wide[:, place], side="right")
        alone = outputs.features == 1
        held = replace(held, points=wide[:, 0] if alone else wide[:, : outputs.features])
        many = len(self.edges) + 1
        return held, [
            GroupCounts.of(held, hypothesis, outputs, groups, many, label=label)
            for label, hypothesis in enumerate(self.rules.hypotheses)
        ]


def measured_cost(epsilon: Fraction, labels: int) -> Cost:
    """Return what measuring so many labels costs."""
    return Pure(epsilon) if labels == 1 else Repeat(Pure(epsilon), labels, adaptive=False)


def measured_share(total: Privacy, labels: int) -> Fraction:
    """Return the greatest epsilon with which each label can be measured.

    >>> measured_share(Privacy(1), 4), float(measured_share(Privacy(1, "1e-6"), 100))
    (Fraction(1, 4), 0.024...)
    """
    if labels == 1:
        return total.epsilon
    return calibrate(total, lambda each: measured_cost(each, labels))


@dataclass(frozen=True, slots=True)
class MeasuredLearner:
    """Hold `rows` rows out, learn from the rest, and tell how often what was learned is right.

    Which rows are held out is a matter of coins alone, and they are as many as was said. Persons
    are learned from by `ByPerson`, and held out with all their rows, one of which is a test. With
    `edges` half of epsilon measures groups of them too, as `GroupedMeasurement` says; a coordinate
    beyond the learner's, which may say the group, is not learned from.

    Guarantee:
        As private as the less private of the two: a replaced row is in one part. A hypothesis and
        what is told of it come from different rows, so rows drawn alike are a fair test of it.

    Exactness:
        That of the learner, and of `Measurement`.

    Cost:
        `Parallel` of the learner's cost and of one `Measurement` a label.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.learners.every_class.generic import GenericLearner
    >>> from tacit.learners.many_labels.direct_sum import DirectSum
    >>> sick = DirectSum(GenericLearner(Thresholds(6), epsilon=1), 1)
    >>> sample = JointCounts.of([(x, (x >= 40,)) for x in range(64)] * 20, labels=1)
    >>> learn = MeasuredLearner.within(sick, Privacy(1), rows=256)
    >>> (rule,), (told,) = learn(sample, rng=Seeded(1))
    >>> rule.rule(["age"]), told.n, told.error < 0.05
    ('age is at least 40', 256, True)

    Proof: docs/proofs/measurement.md
    """

    learner: MultiLearner[Any] | ByPerson
    rows: int
    epsilon: Fraction
    place: int = 0
    edges: tuple[int, ...] = ()

    def __init__(
        self,
        learner: MultiLearner[Any] | ByPerson,
        *,
        rows: int,
        epsilon: Exact,
        place: int = 0,
        edges: Sequence[int] = (),
    ) -> None:
        hold(self, learner=learner, edges=tuple(edges)).positive(epsilon=epsilon)
        hold(self).count(rows=rows, least=1).count(place=place)

    @classmethod
    def within(
        cls, learner: MultiLearner[Any] | ByPerson, total: Privacy, *, rows: int, **groups: Any
    ) -> MeasuredLearner:
        """Return the learner that measures each label with the greatest epsilon that fits."""
        return cls(learner, rows=rows, epsilon=measured_share(total, learner.labels), **groups)

    @property
    def cost(self) -> Parallel:
        """What both parts cost, each from its own rows."""
        return Parallel(self.learner.cost, measured_cost(self.epsilon, self.learner.labels))

    def __call__(
        self, sample: JointCounts | PersonCounts | DistantRows, /, *, rng: Random
    ) -> Found:
        """Learn all labels, and measure what was learned of each."""
        learned: Any
        held: Any
        learned, held = sample.split(self.block_sizes(sample.n), rng=rng)
        if isinstance(learned, DistantRows):
            learned = learned.learned
        hypotheses = self.learner(learned_from(self, learned), rng=rng)
        return hypotheses, self._testing(hypotheses, held)(held, rng=rng)

    def law(self, sample: JointCounts | PersonCounts, /) -> Law[Any]:
        """Return the law of both over all ways to deal few rows, counts cut to 0 and n."""
        sizes = self.block_sizes(sample.n)
        dealt: Any
        if isinstance(sample, PersonCounts):
            dealt = sample.deals(sizes)
        else:
            dealt = joint_deals(sample, sizes)
        return mixture((weight, self.blocks_law(blocks)) for weight, blocks in dealt)

    def blocks_law(self, blocks: Sequence[Any]) -> Law[Any]:
        """Return the exact law for given blocks."""
        learned, held = blocks
        law: Law[Any] = self.learner.law(learned_from(self, learned))
        return law.then(
            lambda hypotheses: (
                self._testing(hypotheses, held).law(held).map(lambda told: (hypotheses, told))
            )
        )

    def _testing(
        self, hypotheses: tuple[Concept, ...], held: JointCounts | PersonCounts
    ) -> RuleMeasurement | GroupedMeasurement | OneRowEach:
        """Return what tests on rows, or on a row of each person: means have no exact interval."""
        measure = self.measuring(hypotheses)
        return OneRowEach(measure) if isinstance(held, PersonCounts) else measure

    def measuring(self, hypotheses: tuple[Concept, ...]) -> RuleMeasurement | GroupedMeasurement:
        """Return what measures what was learned."""
        rules = RuleMeasurement(hypotheses, self.learner.hypotheses, self.epsilon)
        if not self.edges:
            return rules
        return GroupedMeasurement(replace(rules, epsilon=self.epsilon / 2), self.place, self.edges)

    def block_sizes(self, n: int) -> list[int]:
        """Return how many rows are learned from, and how many held out."""
        if n <= self.rows:
            raise InvalidArgument(
                f"of {n} rows {self.rows} cannot be held out: nothing would be left to learn from"
            )
        return [n - self.rows, self.rows]


def learned_from(measured: Any, sample: Any) -> Any:
    """Take the group off the points, where it is not among the learner's coordinates."""
    many = measured.learner.hypotheses.features
    return sample if measured.place < many else sample.of_features(many)


def held_out(n: int, share: Fraction) -> int:
    """Return how many of n rows are held out: a share of them, rounded down, 0 if that is all.

    >>> held_out(1000, Fraction(1, 5)), held_out(1, Fraction(1, 2))
    (200, 0)
    """
    return min(int(n * share), max(n - 1, 0))
