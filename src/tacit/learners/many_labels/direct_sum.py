"""k labels one by one, each with its share of the budget.

Of the papers: BNS16 Thm 3.1, BNS16 Obs 3.2, BNS16 Cor 3.3, BNS16 Cor 3.4, BNS16 Ex 3.5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

from tacit.concepts.contract.concept_class import Concept
from tacit.core import Accuracy, Exact, InvalidArgument, Privacy, Random, check, hold
from tacit.core.chance.law import Law, product
from tacit.core.composition import calibrate
from tacit.core.composition.calibration import widest
from tacit.core.composition.interpreters import renyi
from tacit.core.composition.pure_worlds import settlements
from tacit.core.composition.worlds import worlds
from tacit.core.cost import Approximate, BoundedRange, Cost, Pure, Repeat
from tacit.core.numbers.enclosures import round_down
from tacit.learners.contract import Learner
from tacit.learners.contract.learner import FromLearner
from tacit.statistics import JointCounts, LabelCounts


@dataclass(frozen=True, slots=True)
class DirectSum(FromLearner):
    """Learn every label by the same learner, on the same rows.

    Guarantee:
        The cost is that of `labels` repetitions that do not wait for each other, priced by the best
        composition that holds for the learner's kind; on n >= `sample_size` rows all labels are
        learned to the accuracy at once [BNS16 Obs 3.2]: each fails with probability beta / k.

    Cost:
        `Repeat(learner.cost, labels, adaptive=False)`; k times the learner's time, less where it
        can work on all labels together.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.learners.every_class.generic import GenericLearner
    >>> sum_of = DirectSum.within(
    ...     Privacy(1, "1e-6"), 10, lambda e: GenericLearner(Thresholds(10), epsilon=e)
    ... )
    >>> float(sum_of.learner.epsilon)
    0.15496

    Proof: docs/proofs/composition.md
    """

    learner: Learner[Any]
    labels: int

    def __init__(self, learner: Learner[Any], labels: int) -> None:
        hold(self, learner=learner).count(labels=labels, least=1)

    @classmethod
    def within(
        cls,
        total: Privacy,
        labels: int,
        make: Callable[[Fraction], Learner[Any]],
        price: Callable[[Fraction], Cost] | None = None,
    ) -> DirectSum:
        """Return the sum of `make(epsilon)` with the greatest epsilon that fits the total.

        `price` says what `make(epsilon)` costs, if that is quicker known than it is made.
        """
        if labels == 1:
            return cls(make(total.epsilon), 1)
        if price is not None:
            return cls(make(_priced(total, labels, price)), labels)
        kind: Kind | None = BoundedRange, Fraction(0)
        while kind is not None:
            share = _share(total, labels, kind)
            made = make(share)
            found = _kind(made.cost, share)
            if found == kind:
                return cls(made, labels)
            kind = found if kind[0] is BoundedRange else None
        each = calibrate(total, lambda epsilon: cls(make(epsilon), labels).cost)
        return cls(make(each), labels)

    @property
    def cost(self) -> Cost:
        each = self.learner.cost
        return each if self.labels == 1 else Repeat(each, self.labels, adaptive=False)

    @property
    def agnostic(self) -> bool:
        """Whether the learner is."""
        return self.learner.agnostic

    @property
    def largest_sample(self) -> int | None:
        return self.learner.largest_sample

    def sample_size(self, accuracy: Accuracy, /) -> int:
        return self.learner.sample_size(Accuracy(accuracy.alpha, accuracy.beta / self.labels))

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta = check.probability(beta=beta)
        each = self.learner.accuracy(n, beta / self.labels)
        return None if each is None else Accuracy(each.alpha, beta)

    def __call__(self, sample: JointCounts | LabelCounts, /, *, rng: Random) -> tuple[Concept, ...]:
        counts = _each(sample)
        if isinstance(self.learner, _TakesAllLabels):
            return self.learner.all_labels(counts, labels=self.labels, rng=rng)
        return tuple(self.learner(counts, label=j, rng=rng) for j in range(self.labels))

    def law(self, sample: JointCounts | LabelCounts, /) -> Law[Any]:
        counts = _each(sample)
        return product(self.learner.law(counts, label=j) for j in range(self.labels))


FEW = 16
FINE = 16
DIGITS = 24
RANGE = 10**9
Kind = tuple[type[Pure] | type[BoundedRange] | type[Approximate], Fraction]


def _kind(cost: Cost, epsilon: Fraction) -> Kind | None:
    """Return which leaf a cost is, of epsilon or less, and its delta."""
    match cost:
        case Pure(spent) | BoundedRange(spent) if spent <= epsilon:
            return type(cost), Fraction(0)
        case Approximate(spent, delta) if spent <= epsilon:
            return Approximate, delta
    return None


def _priced(total: Privacy, labels: int, price: Callable[[Fraction], Cost]) -> Fraction:
    """Return an epsilon whose price, so many times, fits the total: by Rényi alone if many."""

    def fits(each: Fraction) -> bool:
        (world,) = worlds(Repeat(price(each), labels, adaptive=False))
        ways = settlements(world, total.delta, lambda *_: None)
        found = [renyi.epsilon(way.releases, way.delta) for way in ways]
        return any(epsilon is not None and epsilon <= total.epsilon for epsilon in found)

    low, high = Fraction(0), total.epsilon
    while fits(high) and high < total.epsilon * RANGE:
        low, high = high, 4 * high
    while high - low > high / (1 << FINE):
        middle = round_down((low + high) / 2, DIGITS)
        low, high = (middle, high) if fits(middle) else (low, middle)
        if high < total.epsilon / RANGE:
            raise InvalidArgument("so many labels leave nothing of the budget; give more")
    if labels > FEW:
        return low
    whole = lambda each: Repeat(price(each), labels, adaptive=False)  # noqa: E731
    return calibrate(total, whole, guess=low)


@lru_cache(maxsize=1024)
def _share(total: Privacy, labels: int, kind: Kind) -> Fraction:
    """Return the greatest epsilon of which so many leaves fit the total."""
    leaf, delta = kind
    if leaf is BoundedRange:
        return widest(total, labels)
    rest = (delta,) if delta else ()
    return calibrate(total, lambda each: Repeat(leaf(each, *rest), labels, adaptive=False))


@runtime_checkable
class _TakesAllLabels(Protocol):
    """A learner that does for all labels together what it does one by one."""

    def all_labels(
        self, sample: LabelCounts, /, *, labels: int, rng: Random
    ) -> tuple[Concept, ...]: ...


def _each(sample: JointCounts | LabelCounts) -> LabelCounts:
    """Return the counts of each label by itself: all that a label's own learner looks at."""
    return sample.marginal() if isinstance(sample, JointCounts) else sample
