"""From a private learner back to a representation: run it on public samples that mean nothing.

Of the papers: FX14 Thm 6, BNS19 Lemma 15, BNS19 Lemma 16, BNS19 Def 31, BNS19 Lemma 33, Vad17 Thm
8.9.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, prod
from typing import Any, ClassVar

import numpy as np

from tacit.concepts.contract.concept_class import HypothesisClass
from tacit.concepts.contract.hypothesis_set import HypothesisSet, Listed
from tacit.concepts.outputs.point_sets import Tables
from tacit.core import Accuracy, Exact, InvalidArgument, Random, TooLarge, check, hold, least
from tacit.core.chance.law import Law
from tacit.core.composition import price
from tacit.core.cost import Cost
from tacit.core.numbers.enclosures import (
    exp_lower,
    log_upper,
    lower,
    precision,
    real,
    scaled,
    upper,
)
from tacit.learners.contract import Learner
from tacit.statistics import LabelCounts
from tacit.theory.representations.accurate_converse import local_hit, local_runs
from tacit.theory.representations.drawn import Lottery, drawn
from tacit.theory.representations.fractional import missed_share
from tacit.theory.solving.incidence import Table, class_of, rows_of

MOST = 1 << 20
"""Runs of a learner that can be waited for."""
SELDOM = Fraction(1, 1 << 40)  # hits below it are beyond what powers of balls can tell
FAR = 1 << 15  # epsilon n: its exponential has so many bits
OUTPUTS = 10  # of a learner all of whose sets of outputs, a thousand, are listed
GRID = 64  # bits of the chances of these sets
PRECISION = 256  # bits in which they are computed: what a thousand differences lose is far below


class RunsOfLearner:
    """Outputs of a learner, in `runs` runs on each of some public samples, as a representation.

    The runs cost no privacy: the samples are public. What comes out twice is in the set once.
    """

    __slots__ = ()
    learner: Learner[Any]
    runs: int

    together: ClassVar[int] = 0
    """Unknown."""

    @property
    @abstractmethod
    def samples(self) -> tuple[LabelCounts, ...]:
        """The public samples."""

    @property
    def outputs(self) -> HypothesisClass[Any]:
        """What the learner puts out."""
        return self.learner.hypotheses

    @property
    def size(self) -> int:
        """One hypothesis a run, but no more than the learner puts out."""
        sets, runs = _sets(self), len(self.samples) * self.runs
        return runs if sets is None else max(among.size for _, among in sets)

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Run the learner on all of them; where its law is small, draw from `lottery`."""
        sets = _sets(self)
        if sets is not None:
            return sets[drawn([chance for chance, _ in sets], rng=rng)][1]
        if self.runs > MOST:
            raise TooLarge(f"about 2^{self.runs.bit_length()} runs; fewer rows or epsilon help")
        samples = [sample for sample in self.samples for _ in range(self.runs)]
        return Listed(dict.fromkeys(self.learner(sample, rng=rng) for sample in samples))

    def lottery(self) -> Lottery:
        """Yield the sets of outputs with their chances, where a run has few outputs.

        From more runs than outputs, each chance is rounded down to a multiple of 2^-64, and what is
        left goes to the set of all outputs: no concept is met by fewer hypotheses.
        """
        sets = _sets(self)
        if sets is None:
            raise TooLarge(
                f"a run has more than {OUTPUTS} outputs; its promise is known all the same"
            )
        return iter(sets)


@lru_cache(maxsize=16)
def _sets(of: RunsOfLearner) -> tuple[tuple[Fraction, Listed], ...] | None:
    """Return the lottery over sets of outputs, or None if there are too many outputs.

    All runs end inside a set B with the product of the shares of B, one for each run; differences
    of those are the chances that exactly these come out.
    """
    small = isinstance(of.outputs, Tables) or getattr(of.outputs, "size", OUTPUTS + 1) <= OUTPUTS
    if not small:  # laws over others may list millions of hashes
        return None
    laws = [of.learner.law(sample) for sample in of.samples]
    outputs = list(dict.fromkeys(output for law in laws for output in law.probabilities))
    if len(outputs) > OUTPUTS or any(law.slack for law in laws):
        return None
    masks = range(1 << len(outputs))
    shares = [[_share(law, outputs, mask) for mask in masks] for law in laws]
    rounded = of.runs * len(laws) >= len(outputs)
    with precision(PRECISION):
        inside: list[Any] = [
            prod((real(s[mask]) if rounded else s[mask]) ** of.runs for s in shares)
            for mask in masks
        ]
        for bit in range(len(outputs)):
            for mask in masks:
                if mask >> bit & 1:
                    inside[mask] -= inside[mask ^ 1 << bit]
        exactly: list[Fraction] = [_on_grid(each) if rounded else each for each in inside]
    exactly[-1] = 1 - sum(exactly[:-1], Fraction(0))
    return tuple(
        (chance, Listed([output for i, output in enumerate(outputs) if mask >> i & 1]))
        for mask, chance in enumerate(exactly)
        if chance > 0
    )


def _share(law: Law[Any], outputs: list[Any], mask: int) -> Fraction:
    return sum((law[o] for i, o in enumerate(outputs) if mask >> i & 1), Fraction(0))


def _on_grid(chance: Any) -> Fraction:
    some = chance > real(Fraction(1, 1 << GRID))  # what is far below cannot be scaled
    return Fraction(scaled(lambda: chance, GRID)[0], 1 << GRID) if some else Fraction(0)


@dataclass(frozen=True, slots=True, eq=False)
class OfLearner(RunsOfLearner):
    """The outputs of several runs of a pure learner on a public sample, as a representation.

    Since every sample is n replacements away from every other, each run on the public one is as
    good as a run on the right one with probability at least e^(-epsilon n) (1 - beta). So some of
    `runs` runs has error at most alpha, except with probability `failure` [BNS19 Lemma 15; FX14
    Thm 6]. The hypotheses are the learner's own outputs: if it uses a set B of hypotheses, so does
    the representation; that of a proper learner has concepts only [BNS19 Lemma 33]. The runs cost
    no privacy: the sample is public. They are very many, e^(epsilon n), so this is for small n;
    with a small class `concepts`, far fewer: how good a run is for it is computed from the
    learner's law, instead of its privacy. Proof in docs/proofs/protocol.md.

    >>> from tacit.learners.every_class.generic import GenericLearner
    >>> learner = GenericLearner(class_of("points(values=3)"), epsilon="1/4")
    >>> public = LabelCounts.of([(0, (0,))] * 23, labels=1)
    >>> some, fewer = (
    ...     OfLearner(learner, Accuracy("2/5", "2/5"), public, failure="1/4", concepts=concepts)
    ...     for concepts in (None, "points(values=3)")
    ... )
    >>> some.runs, fewer.runs, fewer.failure <= Fraction(1, 4)
    (726, 50, True)
    """

    learner: Learner[Any]
    accuracy: Accuracy
    public: LabelCounts
    failure: Fraction
    """The probability that all runs miss, rounded up."""
    runs: int

    def __init__(
        self,
        learner: Learner[Any],
        accuracy: Accuracy,
        public: LabelCounts,
        *,
        failure: Exact,
        concepts: Table | None = None,
    ) -> None:
        hold(self, learner=learner, accuracy=accuracy, public=public)
        if public.n < learner.sample_size(accuracy):
            raise InvalidArgument("public must have as many rows as the learner's accuracy needs")
        hit = hit_probability(learner.cost, public.n, accuracy.beta)
        if concepts is not None:
            hit = max(hit, exact_hit(learner.law(public), concepts, accuracy.alpha))
        hold(self, runs=runs_for(hit, failure), failure=check.probability(failure=failure))
        if hit >= SELDOM:
            hold(self, failure=upper(lambda: real(1 - hit) ** self.runs))

    @property
    def samples(self) -> tuple[LabelCounts]:
        """The one public sample."""
        return (self.public,)

    @property
    def approximation(self) -> Fraction:
        """The learner's accuracy."""
        return self.accuracy.alpha


def hit_probability(cost: Cost, n: int, beta: Exact) -> Fraction:
    """Return e^(-epsilon n) (1 - beta), rounded down, for a pure cost.

    >>> from tacit.core.cost import Pure
    >>> float(hit_probability(Pure("1/2"), 4, "1/4"))
    0.1015...
    """
    spent = price(cost, Fraction(0)).privacy.epsilon * check.count(n=n)
    if spent > FAR:
        raise TooLarge(f"epsilon n is above {FAR}: fewer rows or a smaller epsilon help")
    return exp_lower(-spent) * (1 - check.probability(beta=beta))


def exact_hit(law: Law[Any], concepts: Table, alpha: Exact) -> Fraction:
    """Return how likely an output is within alpha, for the worst concept and distribution.

    >>> even = Law({concept: Fraction(1, 3) for concept in class_of("points(values=3)").concepts()})
    >>> exact_hit(even, "points(values=3)", "1/4")
    Fraction(1, 3)
    """
    of = class_of(concepts)
    outputs = np.array([output(of.domain()) for output in law.probabilities])
    chances = list(law.probabilities.values())
    missed = (missed_share(outputs, chances, concept, alpha) for concept in rows_of(of))
    return 1 - max(missed)


def runs_for(good: Fraction, failure: Exact) -> int:
    """Return the least number of runs, each good with this probability, that all fail so rarely.

    From millions on, one that is enough: (1 - good)^m <= e^(-good m).

    >>> from tacit.core.cost import Pure
    >>> runs_for(hit_probability(Pure("1/2"), 4, "1/4"), "1/20")
    28
    """
    failure = check.probability(failure=failure)
    if good == 1:
        return 1
    if good < SELDOM:
        return ceil(log_upper(1 / failure) / good)
    runs = int(upper(lambda: real(failure).log() / real(1 - good).log()))
    return least(lambda m: upper(lambda: real(1 - good) ** m) <= failure, low=max(1, runs - 1))


def least_spending(size: int, *, beta: Exact = "1/2", failure: Exact = "1/4") -> Fraction:
    """Bound epsilon n from below for learners of a class that small sets do not represent.

    Representations within alpha that fail with this probability have sets of `size`; the learner is
    within alpha but for probability beta. If both use hypotheses of a set B only, the same holds
    [BNS19 Lemma 15 and Lemma 33]: one run fewer than `size` is not enough.

    >>> [round(float(least_spending(size)), 6) for size in (3, 4, 6, 12, 100)]
    [0.0, 0.300998, 0.725085, 1.440466, 3.582332]
    """
    miss, beta = check.probability(failure=failure), check.probability(beta=beta)
    if check.count(size=size, least=1) == 1:
        return Fraction(0)
    spent = lower(lambda: (real(1 - beta) / (1 - (real(miss).log() / (size - 1)).exp())).log())
    return max(Fraction(0), spent)


@dataclass(frozen=True, slots=True, eq=False)
class OfAccurateLearner(RunsOfLearner):
    """The outputs of a pure learner on n rows (x, no) and on n rows (x, yes), as a representation.

    One of the two labels is the concept's own at x; so a learner of error alpha is good within
    `approximation` with probability about e^(-epsilon n alpha / approximation), much more than
    e^(-epsilon n): e^(epsilon n alpha / approximation) runs are enough [BNS19 Lemma 16, with the
    exact constants of docs/proofs/communication.md]. The samples are public and cost nothing.
    """

    learner: Learner[Any]
    accuracy: Accuracy
    point: Any
    n: int
    approximation: Fraction
    failure: Fraction
    runs: int

    def __init__(
        self,
        learner: Learner[Any],
        accuracy: Accuracy,
        point: Any,
        *,
        approximation: Exact = "1/4",
        failure: Exact = "1/4",
    ) -> None:
        near, beta = (
            check.probability(approximation=approximation),
            check.probability(failure=failure),
        )
        if accuracy.alpha > near:
            raise InvalidArgument(f"approximation must be at least alpha={accuracy.alpha}")
        n = learner.sample_size(accuracy)
        hit = local_hit(
            n,
            epsilon=price(learner.cost, Fraction(0)).privacy.epsilon,
            alpha=accuracy.alpha,
            coarse=near,
            beta=accuracy.beta,
        )
        if not hit or (runs := local_runs(hit, beta)) > MOST:
            raise TooLarge("too many runs would be needed; fewer rows or a smaller epsilon help")
        hold(
            self,
            learner=learner,
            accuracy=accuracy,
            point=point,
            n=n,
            approximation=near,
            failure=beta,
            runs=runs,
        )

    @property
    def samples(self) -> tuple[LabelCounts, LabelCounts]:
        """The two public samples."""
        no, yes = (LabelCounts.of([(self.point, (y,))] * self.n, labels=1) for y in (0, 1))
        return no, yes
