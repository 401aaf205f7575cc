"""From a private learner back to a representation: run it on one public, arbitrary sample.

Of the papers: BNS19 Lemma 15, BNS19 Def 31, BNS19 Lemma 33, Vad17 Thm 8.9.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tacit.concepts.contract.concept_class import HypothesisClass, listable
from tacit.concepts.contract.hypothesis_set import HypothesisSet, Listed
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.chance.law import product as joint
from tacit.core.chance.randomness import Random
from tacit.core.composition import price
from tacit.core.cost import Cost
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.frozen import hold
from tacit.core.numbers.enclosures import exp_lower, lower, real, upper
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least
from tacit.learners.contract.learner import Learner
from tacit.statistics import LabelCounts
from tacit.theory.representations.drawn import Lottery

MOST = 1 << 20
"""Runs of a learner that can be waited for."""


class RunsOfLearner:
    """Outputs of a learner, `runs` of them on each of some public samples, as a representation.

    The runs cost no privacy: the samples are public.
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
        """One hypothesis a run."""
        return len(self.samples) * self.runs

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Run the learner on all of them."""
        return Listed(
            [self.learner(sample, rng=rng) for sample in self.samples for _ in range(self.runs)]
        )

    def lottery(self) -> Lottery:
        """Yield all lists of outputs, where they are few."""
        laws = [law for sample in self.samples for law in [self.learner.law(sample)] * self.runs]
        listable(len(laws[0].probabilities) ** len(laws), what="lists of outputs")
        return ((p, Listed(members)) for members, p in joint(laws).probabilities.items())


@dataclass(frozen=True, slots=True)
class OfLearner(RunsOfLearner):
    """The outputs of several runs of a pure learner on a public sample, as a representation.

    Since every sample is n replacements away from every other, each run on the public one is as
    good as a run on the right one with probability at least e^(-epsilon n) (1 - beta). So some of
    `runs` runs has error at most alpha, except with probability `failure` [BNS19 Lemma 15; FX14
    Thm 6]. The hypotheses are the learner's own outputs: if it uses a set B of hypotheses, so does
    the representation; that of a proper learner has concepts only [BNS19 Lemma 33]. The runs cost
    no privacy: the sample is public. They are very many, e^(epsilon n), so this is for small n;
    proof in docs/proofs/protocol.md.
    """

    learner: Learner[Any]
    accuracy: Accuracy
    public: LabelCounts
    runs: int

    def __init__(
        self, learner: Learner[Any], accuracy: Accuracy, public: LabelCounts, *, failure: Exact
    ) -> None:
        hold(self, learner=learner, accuracy=accuracy, public=public)
        if public.n < learner.sample_size(accuracy):
            raise InvalidArgument("public must have as many rows as the learner's accuracy needs")
        good = hit_probability(learner.cost, public.n, accuracy.beta)
        hold(self, runs=runs_for(good, failure))

    @property
    def samples(self) -> tuple[LabelCounts]:
        """The one public sample."""
        return (self.public,)

    @property
    def approximation(self) -> Fraction:
        """The learner's accuracy."""
        return self.accuracy.alpha

    @property
    def failure(self) -> Fraction:
        """The probability that all runs miss, rounded up."""
        good = hit_probability(self.learner.cost, self.public.n, self.accuracy.beta)
        return upper(lambda: real(1 - good) ** self.runs)


def hit_probability(cost: Cost, n: int, beta: Exact) -> Fraction:
    """Return e^(-epsilon n) (1 - beta), rounded down, for a pure cost.

    >>> from tacit.core.cost import Pure
    >>> float(hit_probability(Pure("1/2"), 4, "1/4"))
    0.1015...
    """
    spent = price(cost, Fraction(0)).privacy
    return exp_lower(-spent.epsilon * check.count(n=n)) * (1 - check.probability(beta=beta))


def runs_for(good: Fraction, failure: Exact) -> int:
    """Return the least number of runs, each good with this probability, that all fail so rarely.

    >>> from tacit.core.cost import Pure
    >>> runs_for(hit_probability(Pure("1/2"), 4, "1/4"), "1/20")
    28
    """
    failure = check.probability(failure=failure)
    runs = int(upper(lambda: real(failure).log() / real(1 - good).log()))
    if runs > MOST:
        raise TooLarge(f"about {runs} runs would be needed; fewer rows or a smaller epsilon help")
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
