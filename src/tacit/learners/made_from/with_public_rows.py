"""Learn from private rows and labelled public ones, counted together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tacit.core import Cost, Law, Random
from tacit.learners.contract.learner import FromLearner, MultiLearner, Unpromising
from tacit.statistics import JointCounts, LabelCounts


@dataclass(frozen=True, slots=True)
class WithPublicRows(Unpromising, FromLearner):
    """Give a learner the rows of the sample, and after them `rows` that are public.

    Guarantee:
        What the learner guarantees: databases that differ in one row still do with the same rows
        added to both. Nothing is promised of the error: public rows may be drawn otherwise.

    Exactness:
        That of the learner.

    Cost:
        The learner's.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.learners.every_class.generic import GenericLearner
    >>> from tacit.learners.many_labels.direct_sum import DirectSum
    >>> shown = JointCounts.of([(x, (x >= 40,)) for x in range(64)] * 9, labels=1)
    >>> made = WithPublicRows(DirectSum(GenericLearner(Thresholds(6), epsilon=1), 1), shown)
    >>> (rule,) = made(JointCounts.of([(41, (1,))], labels=1), rng=Seeded(1))
    >>> rule.rule(["age"])
    'age is at least 40'

    Proof: docs/proofs/public_cover.md
    """

    learner: MultiLearner[Any]
    rows: JointCounts = field(repr=False, compare=False)

    name: ClassVar[str] = "with labelled public rows"

    @property
    def cost(self) -> Cost:
        return self.learner.cost

    @property
    def labels(self) -> int:
        return self.learner.labels

    @property
    def largest_sample(self) -> int | None:
        """What is left of the rows that the learner takes."""
        most = self.learner.largest_sample
        return None if most is None else max(0, most - self.rows.n)

    def __call__(self, sample: LabelCounts | JointCounts, /, *, rng: Random) -> tuple[Any, ...]:
        return self.learner(self._with(sample), rng=rng)

    def law(self, sample: LabelCounts | JointCounts, /) -> Law[Any]:
        law: Law[Any] = self.learner.law(self._with(sample))
        return law

    def _with(self, sample: LabelCounts | JointCounts) -> Any:
        if isinstance(sample, JointCounts):
            return sample.merge(self.rows)
        return sample.merge(self.rows.marginal())
