"""Learn from a representation: choose among hypotheses that stand for a class.

Of the papers: FX14 Thm 6, BNS19 Remark 11, BNS19 Lemma 14, BNS19 Thm 19, BNS19 Lemma 32, BNS19 Ex
5, BNS16 Cor 3.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from tacit.concepts.contract.concept_class import Concept, HypothesisClass
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, Random, check, hold
from tacit.core.chance.law import Law, mixture
from tacit.core.cost import BoundedRangeCost
from tacit.core.numbers.enclosures import log_lower
from tacit.learners.contract import Choice, Request, entry_of, finest, least_accuracy, thrifty
from tacit.statistics import LabelCounts
from tacit.theory.enough.agnostic import AgnosticBound
from tacit.theory.enough.mixture import MixtureBound
from tacit.theory.enough.selection import SelectionBound, representation, tempered
from tacit.theory.representations.drawn import Representation, reed_solomon
from tacit.theory.solving.class_table import shares

GRID = 1 << 24
"""Steps of alpha between 0 and 1 in which a promise is rounded up."""
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class RepresentationLearner(BoundedRangeCost):
    """Draw a set of hypotheses with public coins, then choose one by agreements.

    Guarantee:
        epsilon-DP, and of bounded range epsilon given the set, which is drawn before the rows are
        looked at. Accurate, as in `Promising`, for concepts that are represented [BNS19 Lemma 14];
        privacy holds whether the representation keeps its promise or not.

    Exactness:
        As `Exponential`.

    Cost:
        `BoundedRange(epsilon)` a label; time as the drawn set's `cells`.

    >>> learner = RepresentationLearner(reed_solomon(64, 0.01), epsilon=1)
    >>> learner.representation.size, learner.sample_size(Accuracy(0.1, 0.05))
    (360600, 266)

    Proof: docs/proofs/representation_learner.md
    """

    representation: Representation
    epsilon: Fraction
    agnostic: bool

    proper: ClassVar[bool] = False
    """Not in general: representations are mostly not concepts."""
    theorem: ClassVar[str] = "BNS19"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self, representation: Representation, *, epsilon: Exact, agnostic: bool = False
    ) -> None:
        hold(self, representation=representation, agnostic=agnostic).positive(epsilon=epsilon)

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """What the hypotheses of the representation belong to."""
        return self.representation.outputs

    def might_do(self, n: int, accuracy: Accuracy) -> bool:
        """Whether n rows may be enough: a no is certain, and quick for any labels."""
        if not self.agnostic:
            return True
        alpha = accuracy.alpha - self.representation.approximation
        return self._agnostic.failure(n, alpha) <= self._left(accuracy.beta)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough; refuse what the representation is too poor for."""
        near, fails = self.representation.approximation, self.representation.failure
        if near >= accuracy.alpha or fails >= accuracy.beta:
            raise InvalidArgument(
                f"a representation within {near} that fails with probability {fails} promises "
                f"nothing better; {accuracy} needs a finer one"
            )
        beta = self._left(accuracy.beta)
        if self.agnostic:
            return self._agnostic.sample_size(accuracy.alpha - near, beta)
        paired, single = self._bounds(accuracy.alpha)
        rows = single.sample_size(_each(beta))
        if paired.factor < 1:
            rows = min(rows, paired.sample_size(beta))
        mixed = self._mixed(accuracy.alpha, beta)
        return min(rows, mixed.sample_size(beta)) if mixed else rows

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta, n = check.probability(beta=beta), check.count(n=n)
        near, left = self.representation.approximation, self._left(beta)
        if left <= 0:
            return None
        if self.agnostic:
            alpha = near + self._agnostic.excess(n, left)
            return Accuracy(alpha, beta) if alpha < 1 else None
        return least_accuracy(
            lambda goal: self._suffices(n, goal.alpha, left),
            beta,
            steps=GRID,
            start=int(near * GRID) + 1,
        )

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Concept:
        drawn = self.representation.draw(rng=rng)
        return Choice(drawn, self.hypotheses, self.epsilon)(sample, label=label, rng=rng)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        return mixture(
            (p, Choice(drawn, self.hypotheses, self.epsilon).law(sample, label=label))
            for p, drawn in self.representation.lottery()
        )

    def _left(self, beta: Fraction) -> Fraction:
        """Return the failure that is left for the choice, when the set is a good one."""
        fails = self.representation.failure
        return min(HALF, (beta - fails) / (1 - fails))

    def _suffices(self, n: int, alpha: Fraction, beta: Fraction) -> bool:
        mixed = self._mixed(alpha, beta)
        if mixed and mixed.suffices(n, beta):
            return True
        paired, single = self._bounds(alpha)
        return paired.suffices(n, beta) or single.suffices(n, _each(beta))

    def _bounds(self, alpha: Fraction) -> tuple[SelectionBound, SelectionBound]:
        """Return the bound for all bad hypotheses at once, and the one to add up over them.

        The first needs a ratio near e^(-epsilon / 2), for the second any larger one will do.
        """
        near, size = self.representation.approximation, self.representation.size
        paired = representation(epsilon=self.epsilon, size=size, alpha=alpha, approximation=near)
        best = tempered(self.epsilon, near / alpha)
        return paired, SelectionBound(size, alpha - near, near, best)

    def _mixed(self, alpha: Fraction, beta: Fraction) -> MixtureBound | None:
        """Return the bound for hypotheses that come near together, where it says something."""
        of = self.representation
        if not of.together:
            return None
        decay = Decay.of(self.epsilon / 2)
        bound = MixtureBound(of.size, of.together, alpha, of.approximation, decay)
        return bound if bound.possible and bound.holds(beta) else None

    @property
    def _agnostic(self) -> AgnosticBound:
        rate = log_lower(1 / Decay.of(self.epsilon / 2).ratio)
        return AgnosticBound(self.representation.size, rate)


def _each(beta: Fraction) -> Fraction:
    """Return the b with b / (1 - b) = beta: a bound w / (1 + w) <= b then says w <= beta."""
    return beta / (1 + beta)


def _make(request: Request) -> RepresentationLearner:
    """Make the learner of points by the Reed-Solomon code that needs the fewest rows."""
    bits = max(1, (request.concepts.domain_size - 1).bit_length())
    budget = request.privacy.epsilon

    def planned(alpha: Fraction, epsilon: Fraction = budget) -> tuple[int, RepresentationLearner]:
        tries = [
            RepresentationLearner(
                reed_solomon(bits, near), epsilon=epsilon, agnostic=request.agnostic
            )
            for near in shares(alpha)
        ]
        rows = [tried.sample_size(Accuracy(alpha, request.beta)) for tried in tries]
        return min(zip(rows, tries, strict=True), key=lambda pair: pair[0])

    if request.alpha is not None:
        return thrifty(partial(planned, request.alpha), budget)
    return finest(planned, request, least=Fraction(1, GRID))


ENTRY = entry_of(
    RepresentationLearner,
    "representation",
    "among the hypotheses of a Reed-Solomon code that stand for all points",
    families=("points",),
    make=_make,
    slow=True,
)
