"""From an accurate private learner to a representation by runs on two constant, public samples.

Of the papers: BNS19 Lemma 16.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.core import Accuracy, Exact, InvalidArgument, TooLarge, check, hold
from tacit.core.composition import price
from tacit.learners.contract import Learner
from tacit.learners.every_class.converse import MOST, RunsOfLearner
from tacit.statistics import LabelCounts
from tacit.theory.representations.accurate_converse import local_hit, local_runs


@dataclass(frozen=True, slots=True)
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
