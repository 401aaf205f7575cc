"""The best of several learners, chosen on rows that none of them has seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tacit.concepts import Concept
from tacit.concepts.outputs.one_of import Member, OneOf
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, Random, check, hold
from tacit.core.chance.law import Law, product
from tacit.core.cost import Parallel
from tacit.core.numbers.enclosures import log_lower
from tacit.core.numbers.least import least_share
from tacit.learners.contract import Dealt, Learner
from tacit.mechanisms import Exponential, PermuteAndFlip
from tacit.mechanisms.choice.permute_and_flip import single_choice
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.theory.enough.agnostic import AgnosticBound
from tacit.theory.enough.selection import SelectionBound

SHARES = tuple(Fraction(part, 20) for part in range(2, 19, 2))


@dataclass(frozen=True, slots=True)
class SelectedLearner(Dealt[Member]):
    """Train each candidate on a block of its own, and choose by agreements with the other rows.

    The candidates are public: classes, learners, parameters of learners. With too few rows for the
    blocks, all of them shrink in proportion.

    Guarantee:
        As private as the least private of its parts: all blocks hold different rows, so a search
        among many candidates costs no more epsilon than one. If labels are explained by the class
        of one candidate, on n >= `sample_size` i.i.d. rows the error is at most alpha with
        probability at least 1 - beta; if all candidates are agnostic, it is at most alpha above the
        best concept of all their classes.

    Exactness:
        That of the candidates and of the choice.

    Cost:
        `Parallel` of the candidates' costs and `BoundedRange(epsilon)` for the choice; if it is the
        only one (`alone`), `Pure(epsilon)` for permute-and-flip, which needs fewer rows.

    >>> from tacit.concepts.line.points import Points
    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.learners.every_class.generic import GenericLearner
    >>> candidates = [GenericLearner(c, epsilon=1) for c in (Points(8), Thresholds(8))]
    >>> goal = Accuracy(0.1, 0.05)
    >>> search = SelectedLearner.planned(candidates, epsilon=1, accuracy=goal)
    >>> search.sizes, search.sample_size(goal)
    ((581, 568), 1421)
    >>> SelectedLearner.planned(candidates, epsilon=1, accuracy=goal, alone=True).sample_size(goal)
    1348

    Proof: docs/proofs/selected_learner.md
    """

    candidates: tuple[Learner[Any], ...]
    sizes: tuple[int, ...]
    epsilon: Fraction
    alone: bool

    theorem: ClassVar[str] = "KLNRS11"
    largest_sample: ClassVar[int | None] = None
    """There is no limit: candidates see their blocks only."""

    def __init__(
        self,
        candidates: Sequence[Learner[Any]],
        *,
        sizes: Sequence[int],
        epsilon: Exact,
        alone: bool = False,
    ) -> None:
        read = tuple(check.count(size=size, least=1) for size in sizes)
        if not candidates or len(read) != len(candidates):
            raise InvalidArgument("give at least one candidate, and one size for each")
        hold(self, candidates=tuple(candidates), sizes=read, alone=alone).positive(epsilon=epsilon)
        OneOf(tuple(candidate.hypotheses for candidate in candidates))

    @classmethod
    def planned(
        cls,
        candidates: Sequence[Learner[Any]],
        *,
        epsilon: Exact,
        accuracy: Accuracy,
        alone: bool = False,
    ) -> SelectedLearner:
        """Return the search with the block sizes that need the fewest rows for this accuracy."""
        plans = list(_plans(candidates, epsilon, accuracy, alone=alone))
        if not plans:
            raise InvalidArgument(
                "no block sizes reach this accuracy; take a smaller epsilon for the choice"
            )
        return min(plans, key=lambda plan: plan.sample_size(accuracy))

    @property
    def hypotheses(self) -> OneOf:
        """The hypotheses of all candidates, each with its candidate's place."""
        return OneOf(tuple(candidate.hypotheses for candidate in self.candidates))

    @property
    def cost(self) -> Parallel:
        return Parallel(*(c.cost for c in self.candidates), self._choice.cost)

    @property
    def proper(self) -> bool:
        """Whether every candidate is."""
        return all(candidate.proper for candidate in self.candidates)

    @property
    def agnostic(self) -> bool:
        """Whether every candidate is."""
        return all(candidate.agnostic for candidate in self.candidates)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough with blocks of these sizes; refuse if none are."""
        half = accuracy.beta / 2
        trained = self._trained(half)
        if trained is None or trained >= accuracy.alpha:
            raise InvalidArgument(
                f"blocks of {list(self.sizes)} rows are too small for alpha={accuracy.alpha}; "
                "use SelectedLearner.planned"
            )
        return sum(self.sizes) + self._held_out(accuracy.alpha, trained, half)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta, rest = check.probability(beta=beta), check.count(n=n) - sum(self.sizes)
        trained, alone = self._trained(beta / 2), len(self.candidates) == 1
        if trained is None or rest < 0 or (rest == 0 and not alone):
            return None
        if alone:
            return Accuracy(trained, beta)
        alpha = least_share(lambda share: self._suffices(rest, share, trained, beta / 2))
        return None if alpha is None else Accuracy(alpha, beta)

    def learn(self, blocks: Sequence[LabelCounts], *, rng: Random) -> Member:
        """Learn from given blocks; the last one is for the choice."""
        *training, rest = blocks
        pairs = zip(self.candidates, training, strict=True)
        trained = tuple(candidate(block, rng=rng) for candidate, block in pairs)
        return self._choice(self._profile(trained, rest), rng=rng)

    def blocks_law(self, blocks: Sequence[LabelCounts]) -> Law[Any]:
        """Return the exact law of the choice, for given blocks."""
        return self.transcript(blocks).map(lambda told: told[1])

    def transcript(self, blocks: Sequence[LabelCounts]) -> Law[tuple[tuple[Any, ...], Member]]:
        """Return the joint law of all that is trained and of the choice, for given blocks."""
        *training, rest = blocks
        pairs = zip(self.candidates, training, strict=True)
        return product(candidate.law(block) for candidate, block in pairs).then(
            lambda trained: self._choice.law(self._profile(trained, rest)).map(
                lambda chosen: (trained, chosen)
            )
        )

    def _profile(self, trained: tuple[Concept, ...], rest: LabelCounts) -> ScoreProfile[Member]:
        """Score what was trained; a hypothesis sees points as its class clips them."""
        scores = []
        for candidate, hypothesis in zip(self.candidates, trained, strict=True):
            said = hypothesis(candidate.hypotheses.clip(rest.points))
            ones = rest.positives[:, 0]
            scores.append(int((ones * said + (rest.totals - ones) * ~said).sum()))
        return ScoreProfile(scores, [1] * len(scores), lambda cell, _: Member(cell, trained[cell]))

    def block_sizes(self, n: int) -> list[int]:
        """Return the sizes of the blocks and of what is left; with too few rows, a tenth is."""
        whole, blocks = sum(self.sizes), list(self.sizes)
        if whole > n:
            blocks = [9 * n * size // (10 * whole) for size in blocks]
        return [*blocks, n - sum(blocks)]

    def _trained(self, beta: Fraction) -> Fraction | None:
        """Return what every candidate promises on its block but with probability beta."""
        promised = [c.accuracy(n, beta) for c, n in zip(self.candidates, self.sizes, strict=True)]
        found = [accuracy.alpha for accuracy in promised if accuracy is not None]
        return max(found) if len(found) == len(promised) else None

    def _suffices(self, rest: int, alpha: Fraction, trained: Fraction, beta: Fraction) -> bool:
        if alpha <= trained:
            return False
        if self.agnostic:
            return self._free.excess(rest, beta) <= alpha - trained
        return self._bound(alpha, trained).suffices(rest, beta)

    def _held_out(self, alpha: Fraction, trained: Fraction, beta: Fraction) -> int:
        if self.agnostic:
            return self._free.sample_size(alpha - trained, beta)
        return self._bound(alpha, trained).sample_size(beta)

    def _bound(self, alpha: Fraction, trained: Fraction) -> SelectionBound:
        decay, size = Decay.of(self.epsilon / 2), len(self.candidates)
        return SelectionBound(size, alpha - trained, trained, decay, self.alone)

    @property
    def _choice(self) -> Exponential | PermuteAndFlip:
        return single_choice(self.epsilon, alone=self.alone)

    @property
    def _free(self) -> AgnosticBound:
        rate = log_lower(1 / Decay.of(self.epsilon / 2).ratio)
        return AgnosticBound(len(self.candidates), rate)


def _plans(
    candidates: Sequence[Learner[Any]], epsilon: Exact, accuracy: Accuracy, *, alone: bool
) -> Iterator[SelectedLearner]:
    """Yield searches whose candidates promise a part of alpha, where that is enough."""
    for share in SHARES:
        part = Accuracy(accuracy.alpha * share, accuracy.beta / 2)
        sizes = [candidate.sample_size(part) for candidate in candidates]
        plan = SelectedLearner(candidates, sizes=sizes, epsilon=epsilon, alone=alone)
        promised = plan.accuracy(2**50, accuracy.beta)
        if promised is not None and promised.alpha <= accuracy.alpha:
            yield plan
