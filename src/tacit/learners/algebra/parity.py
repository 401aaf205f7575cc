"""The parity learner: solve random subsets of the equations, and sometimes say nothing.

Of the papers: Vad17 Thm 8.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.algebra.parities import Parities, Parity
from tacit.core import Accuracy, Decay, Exact, PureCost, Random, check, hold
from tacit.core.chance.law import Law, mixture
from tacit.core.chance.uniform import bernoulli
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.enclosures import real, round_up, upper
from tacit.learners.algebra.parity_odds import Equation, ParityOdds
from tacit.learners.contract import Proper, Request, deals, entry_of
from tacit.statistics import LabelCounts
from tacit.statistics.algebra.linear_system import LinearSystem, coefficients, packed
from tacit.theory.enough.selection import SelectionBound, realisable

ZERO = Parity(0)
SMALLEST = Fraction(1, 10**9)
LISTABLE = 10
TRIES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
REPEATS = (1, 2, 3, 4, 6, 8)
USUAL = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class ParityLearner(Proper[Parities], PureCost):
    """Keep each row with a fixed probability, and draw a parity that explains the kept ones.

    Up to `attempts` subsets are tried on the same rows. With `blocks` above 1 the rows are dealt
    into so many blocks, and the first that tells a parity decides. If none does, the answer is the
    parity of no columns, which always says no.

    Guarantee:
        epsilon-DP on every sample; accurate, as in `Promising` [KLNRS11, Thm. 4.4; Vad17 Claim 8.6,
        corrected]. Proper.

    Exactness:
        The coins have the rational biases of `ParityOdds`, and solutions are exactly uniform.

    Cost:
        `Pure(epsilon)` a label. Polynomial time: elimination of the kept rows, 64 columns at once.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = ParityLearner(Parities(64), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    1527
    >>> points = Seeded(0).words(1527)[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    >>> rows = [(tuple(x), (x[3] ^ x[60],)) for x in points.tolist()]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(1)).columns
    (3, 60)

    Proof: docs/proofs/parity.md
    """

    concepts: Parities
    epsilon: Fraction
    attempts: int
    blocks: int

    agnostic: ClassVar[bool] = False
    """Never: one wrong label among the kept rows is fatal."""
    theorem: ClassVar[str] = "KLNRS11"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self, concepts: Parities, *, epsilon: Exact, attempts: int = 24, blocks: int = 1
    ) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon)
        hold(self).count(attempts=attempts, blocks=blocks, least=1)
        ParityOdds.of(self.epsilon, self.attempts)

    @classmethod
    def planned(cls, concepts: Parities, *, epsilon: Exact, accuracy: Accuracy) -> ParityLearner:
        """Return the learner that needs the fewest rows for an accuracy.

        >>> best = ParityLearner.planned(Parities(64), epsilon=1, accuracy=Accuracy(0.1, 0.05))
        >>> best.attempts, best.blocks, best.sample_size(Accuracy(0.1, 0.05))
        (32, 1, 1526)
        """
        fit = [offer for offer in _offers(concepts, epsilon) if offer.silent < accuracy.beta]
        if not fit:
            raise InvalidArgument(
                f"no parity learner reaches beta={accuracy.beta} with epsilon={epsilon}; "
                "take a larger beta or epsilon"
            )
        return min(fit, key=lambda offer: offer.sample_size(accuracy))

    @property
    def odds(self) -> ParityOdds:
        """The probabilities of keeping a row and of giving up."""
        return ParityOdds.of(self.epsilon, self.attempts)

    @property
    def silent(self) -> Fraction:
        """The probability that no block tells a parity, on rows that a parity explains."""
        return self.odds.bottom**self.blocks

    def failure(self, n: int, alpha: Exact) -> Fraction:
        """Bound the probability that n rows labelled by a parity lead to an error above alpha.

        >>> float(ParityLearner(Parities(10), epsilon=1).failure(325, 0.1))
        0.0495...
        """
        wrong = self._bound(check.probability(alpha=alpha)).failure(n // self.blocks)
        return self.silent + (1 - self.silent) * wrong

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n for which the bound keeps the promise; refuse when no n does."""
        spare = self._spare(accuracy.beta)
        if spare <= 0:
            raise InvalidArgument(
                f"nothing is told with probability {float(self.silent):.4g}, "
                f"which must be below beta={accuracy.beta}; use ParityLearner.planned"
            )
        return self.blocks * self._bound(accuracy.alpha).sample_size(spare)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta, rows = check.probability(beta=beta), check.count(n=n) // self.blocks
        spare = self._spare(beta)
        if spare <= 0 or not rows:
            return None
        odds, keep = (self.concepts.size - 1) * (1 - spare) / spare, self.odds.keep
        goal = upper(lambda: (1 - (-real(odds).log() / rows).exp()) / real(keep), 192)
        alpha = max(round_up(goal, 24), SMALLEST) if goal > 0 else SMALLEST
        while alpha < 1 and not self._bound(alpha).suffices(rows, spare):
            alpha = round_up(alpha * (1 + Fraction(1, 2**20)), 24)
        return Accuracy(alpha, beta) if alpha < 1 else None

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Parity:
        if self.blocks == 1:
            return self.learn((sample,), label=label, rng=rng)
        sizes = [sample.n // self.blocks] * self.blocks
        return self.learn(sample.split(sizes, label=label, rng=rng), rng=rng)

    def learn(self, blocks: Sequence[LabelCounts], *, label: int = 0, rng: Random) -> Parity:
        """Learn one label from rows that are dealt into blocks."""
        told = (self._attempt(block, label, rng) for block in blocks)
        return next((parity for parity in told if parity is not None), ZERO)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Parity]:
        """Return the exact law of the parity, for few dims, and with blocks for few rows."""
        if self.blocks == 1:
            return self.blocks_law((sample,), label=label)
        sizes = [sample.n // self.blocks] * self.blocks
        dealt = deals(sample, sizes, label=label)
        return mixture((weight, self.blocks_law(blocks)) for weight, blocks in dealt)

    def blocks_law(self, blocks: Sequence[LabelCounts], *, label: int = 0) -> Law[Parity]:
        """Return the exact law of the parity learned from given blocks."""
        if self.concepts.dims > LISTABLE:
            raise TooLarge(f"the law over {self.concepts} is too long to list")
        law = Law({ZERO: Fraction(1)})
        for block in reversed(blocks):
            told = self.odds.outcomes(self._equations(block, label), self.concepts.dims)
            rest = law
            parts = [
                (p, rest if c is None else Law({Parity(c): Fraction(1)}))
                for c, p in told.probabilities.items()
            ]
            law = mixture(parts)
        return law

    def _attempt(self, block: LabelCounts, label: int, rng: Random) -> Parity | None:
        odds = self.odds
        if bernoulli(odds.bottom, rng=rng):
            return None
        points = packed(block.points.reshape(-1, self.concepts.dims), self.concepts.clip)
        places, marks, rows = _occurring(block, label)
        right = marks.astype(np.uint64)[:, None]
        system = LinearSystem(self.concepts.dims, 1, points[places], right)
        threshold = np.uint64(odds.keep.numerator * (2**64 // odds.keep.denominator))
        equation = np.repeat(np.arange(len(rows)), rows)
        for _ in range(odds.attempts):
            kept = equation[rng.words(len(equation)) < threshold]
            solutions = system.solve(np.bincount(kept, minlength=len(rows)) > 0)
            if solutions.consistent[0]:
                return Parity(coefficients(solutions.draw(rng=rng)))
        return None

    def _equations(self, block: LabelCounts, label: int) -> list[Equation]:
        table = self.concepts.clip(block.points.reshape(-1, self.concepts.dims)).tolist()
        codes = [sum(int(bit) << i for i, bit in enumerate(point)) for point in table]
        places, marks, rows = (part.tolist() for part in _occurring(block, label))
        return [(codes[i], mark, count) for i, mark, count in zip(places, marks, rows, strict=True)]

    def _bound(self, alpha: Fraction) -> SelectionBound:
        """A wrong parity outlives a row with probability 1 - keep * error."""
        return realisable(Decay(1 - self.odds.keep), size=self.concepts.size, alpha=alpha)

    def _spare(self, beta: Fraction) -> Fraction:
        """Return what is left of beta for wrong parities, given that one is told."""
        return (beta - self.silent) / (1 - self.silent)


def _occurring(
    block: LabelCounts, label: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """Return the different labelled points: the place of the point, the mark, how many rows."""
    ones = block.positives[:, label]
    each = np.column_stack((ones, block.totals - ones))
    places, zero = np.nonzero(each)
    return places, zero == 0, each[places, zero]


def _offers(concepts: Parities, epsilon: Exact) -> list[ParityLearner]:
    return [
        ParityLearner(concepts, epsilon=epsilon, attempts=attempts, blocks=blocks)
        for blocks in REPEATS
        for attempts in TRIES
    ]


def _make(request: Request) -> ParityLearner:
    """Plan for the accuracy; where that is out of reach, be silent as rarely as can be."""
    concepts: Any = request.concepts
    epsilon, goal = request.privacy.epsilon, Accuracy(request.alpha or USUAL, request.beta)
    try:
        return ParityLearner.planned(concepts, epsilon=epsilon, accuracy=goal)
    except InvalidArgument:
        return min(_offers(concepts, epsilon), key=lambda offer: offer.silent)


ENTRY = entry_of(
    ParityLearner,
    "parity",
    "linear algebra on random subsets of the rows; polynomial time, any number of columns",
    families=("parities",),
    make=_make,
)
