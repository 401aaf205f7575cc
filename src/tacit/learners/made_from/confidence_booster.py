"""Make a learner that often succeeds into one that almost always does: try again, and choose.

Of the papers: FX14 Thm 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from tacit.concepts.contract.concept_class import HypothesisClass
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, Random, check, hold
from tacit.core.chance.law import Law, product
from tacit.core.cost import Parallel
from tacit.core.numbers.enclosures import lower, real, round_down, round_up, upper
from tacit.learners.contract import Dealt, Learner
from tacit.mechanisms import Exponential, PermuteAndFlip
from tacit.mechanisms.choice.permute_and_flip import single_choice
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.theory.enough.selection import SelectionBound, many

PARTS = (1, 2, 4, 8, 12, 16, 20, 24, 26, 28, 29, 30, 31)
WHOLE = 32
"""Of beta, so many parts of the whole are tried for the blocks; the choice has the rest."""


@dataclass(frozen=True, slots=True)
class ConfidenceBooster(Dealt[Any]):
    """Let a learner run on `repeats` blocks of `rows` rows, and choose by the rows that are left.

    If there are too few rows for that, all blocks, and the rest, are equally large.

    Guarantee:
        As private as the less private of its two parts: blocks hold different rows. If the learner
        succeeds on a block with probability 1 - beta0, be it small, all fail with probability
        beta0^repeats only, and on `sample_size` rows the chosen one has error at most alpha with
        probability at least 1 - beta [FX14, App. C]. The promise is for labels that a concept
        explains.

    Exactness:
        That of the learner and of the choice.

    Cost:
        `Parallel` of the learner's costs and `BoundedRange(epsilon)` for the choice; if it is the
        only one (`alone`), `Pure(epsilon)` for permute-and-flip, which needs fewer rows.

    >>> from tacit.concepts.algebra.parities import Parities
    >>> from tacit.learners.algebra.parity import ParityLearner
    >>> base = ParityLearner(Parities(10), epsilon=1, attempts=1)
    >>> float(base.silent)
    0.2119...
    >>> booster = ConfidenceBooster(base, rows=500, repeats=4, epsilon=1)
    >>> booster.sample_size(Accuracy(0.1, 0.01))
    2490
    >>> alone = ConfidenceBooster(base, rows=500, repeats=4, epsilon=1, alone=True)
    >>> alone.sample_size(Accuracy(0.1, 0.01))
    2439

    Proof: docs/proofs/confidence_booster.md
    """

    base: Learner[Any]
    rows: int
    repeats: int
    epsilon: Fraction
    alone: bool

    agnostic: ClassVar[bool] = False
    """Never promised, even if the learner is."""
    theorem: ClassVar[str] = "FX14"
    largest_sample: ClassVar[int | None] = None
    """As many rows as the learner takes in every block, and any number to choose by."""

    def __init__(
        self, base: Learner[Any], *, rows: int, repeats: int, epsilon: Exact, alone: bool = False
    ) -> None:
        hold(self, base=base, alone=alone).count(rows=rows, repeats=repeats, least=1).positive(
            epsilon=epsilon
        )

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        return self.base.hypotheses

    @property
    def cost(self) -> Parallel:
        return Parallel(*(self.base.cost,) * self.repeats, self._chooser.cost)

    @property
    def proper(self) -> bool:
        """If the learner is."""
        return self.base.proper

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n for which the bound keeps the promise; refuse when no n does."""
        offers = []
        for promised in self._promises(accuracy.beta):
            spare = accuracy.beta - promised.beta**self.repeats
            choice = promised.alpha < accuracy.alpha and self._choice(promised, accuracy.alpha)
            if choice and choice.factor < 1:
                offers.append(choice.sample_size(spare))
        if not offers:
            raise InvalidArgument(
                f"{self.repeats} blocks of {self.rows} rows do not reach alpha={accuracy.alpha}, "
                f"beta={accuracy.beta}; take more or larger blocks, or a smaller epsilon"
            )
        return self.repeats * self.rows + min(offers)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta, left = check.probability(beta=beta), check.count(n=n) - self.repeats * self.rows
        if left < 0:
            return None
        found = [self._alpha(promised, left, beta) for promised in self._promises(beta)]
        alpha = min(found, default=Fraction(1))
        return Accuracy(alpha, beta) if alpha < 1 else None

    def learn(self, blocks: Sequence[LabelCounts], *, rng: Random) -> Any:
        """Learn from given blocks; the last one is for the choice."""
        found = [self.base(block, rng=rng) for block in blocks[:-1]]
        return found[self._chooser(_agreements(found, blocks[-1], self.hypotheses), rng=rng)]

    def blocks_law(self, blocks: Sequence[LabelCounts]) -> Law[Any]:
        choice = self._chooser
        return product(self.base.law(block) for block in blocks[:-1]).then(
            lambda found: choice.law(_agreements(found, blocks[-1], self.hypotheses)).map(
                lambda i: found[i]
            )
        )

    def block_sizes(self, n: int) -> list[int]:
        """Return how many of n rows each block has, and last how many are left to choose by."""
        size = min(self.rows, n // (self.repeats + 1))
        return [size] * self.repeats + [n - size * self.repeats]

    def _promises(self, beta: Fraction) -> Iterator[Accuracy]:
        """Yield what the learner promises on a block, if all fail with some part of beta only."""
        seen = set()
        for part in PARTS:
            promised = self.base.accuracy(self.rows, root(beta * part / WHOLE, self.repeats))
            if promised is not None and promised.alpha not in seen:
                seen.add(promised.alpha)
                yield promised

    def _choice(self, promised: Accuracy, alpha: Fraction) -> SelectionBound:
        near, decay = promised.alpha, Decay.of(self.epsilon / 2)
        return SelectionBound(self.repeats, alpha - near, near, decay, self.alone)

    @property
    def _chooser(self) -> Exponential | PermuteAndFlip:
        return single_choice(self.epsilon, alone=self.alone)

    def _alpha(self, promised: Accuracy, left: int, beta: Fraction) -> Fraction:
        """Return the least alpha that `SelectionBound` proves with `left` rows, rounded up."""
        spare, near = beta - promised.beta**self.repeats, promised.alpha
        odds = many(self.repeats, spare, flipped=self.alone)
        if odds <= 1:
            return near + Fraction(1, 10**9)
        if not left:
            return Fraction(1)
        q = Decay.of(self.epsilon / 2).ratio
        worse = 1 + near * (q + 1 / q - 2)
        gap = upper(lambda: (real(worse) - (-real(odds).log() / left).exp()) / real(1 - q))
        alpha = round_up(near + gap, 24)
        while alpha < 1 and not self._choice(promised, alpha).suffices(left, spare):
            alpha = round_up(alpha * (1 + Fraction(1, 2**20)), 24)
        return min(alpha, Fraction(1))


def root(share: Fraction, degree: int) -> Fraction:
    """Return the root of a share, rounded down."""
    return round_down(lower(lambda: (real(share).log() / degree).exp()), 32)


def _agreements(
    found: Sequence[Any], block: LabelCounts, outputs: HypothesisClass[Any]
) -> ScoreProfile[int]:
    """Score hypotheses on the points that they are defined on: others are clipped, as they were."""
    inside = replace(block, points=outputs.clip(block.points))
    return ScoreProfile.of([block.n - inside.mistakes(hypothesis) for hypothesis in found])
