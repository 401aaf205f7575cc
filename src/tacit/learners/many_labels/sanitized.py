"""Sanitize the points of many rows, then choose by the labels of few others.

Of the papers: BNS16 Thm 2.23.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tacit.concepts import Concept, ConceptClass
from tacit.concepts.line.thresholds import Thresholds
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, Law, Random, check, hold, least
from tacit.core.cost import BoundedRange, Parallel
from tacit.core.numbers.enclosures import log_lower
from tacit.learners.contract import AccuracyGrid, Dealt, Proper, Request, entry_of, finest
from tacit.learners.many_labels.covers_of_classes import HistogramCover, SyntheticCover, tabulated
from tacit.learners.many_labels.covers_of_points import SplitCover, points_of
from tacit.mechanisms import Exponential
from tacit.statistics import Counts, LabelCounts, ScoreProfile
from tacit.theory.enough.agnostic import AgnosticBound
from tacit.theory.enough.selection import SelectionBound, representation, tempered

NEARS = tuple(Fraction(part, 20) for part in (2, 4, 6, 8, 10, 12))
"""Which part of alpha the cover may use up."""
COVERED, DRAWN, CHOSEN = Fraction(1, 8), Fraction(1, 8), Fraction(3, 4)
"""How beta is divided between the cover, the rows that it is made from, and the choice."""
DEPTHS = range(2, 15)
"""Levels of the covers that are tried: each halves the intervals once more."""
HALF = Fraction(1, 2)
PoolCover = SplitCover | HistogramCover | SyntheticCover
FINEST = Fraction(1, 1 << 10)
"""No alpha is smaller: the covers of DEPTHS are not finer."""


@dataclass(frozen=True, slots=True)
class SanitizedLearner(Proper[ConceptClass[Any]], Dealt[Concept], AccuracyGrid):
    """Sanitize some rows' points, take a concept for each labelling, and choose by other rows.

    The rows are dealt to two pools. Of the first only the points are read, so it may as well be
    rows that nobody has labelled: `from_pools` takes both. The second is small, because the choice
    is among few concepts: of thresholds, whatever the domain.

    Guarantee:
        The pools are disjoint, so that the cost is the greater of the two, on every sample.
        Accurate, as in `Promising`, also on pools as large as `pools` says [BNS16 Thm 2.23].
        Proper.

    Exactness:
        As `Exponential`.

    Cost:
        `Parallel` of the cover's cost and `BoundedRange(epsilon)`; time linear in the rows, for
        each level of the cover.

    >>> goal = Accuracy(0.1, 0.05)
    >>> learner = SanitizedLearner.planned(Thresholds(64), epsilon=1, accuracy=goal)
    >>> learner.cover.depth, learner.pools(goal), learner.sample_size(goal)
    (5, (15455, 1454), 16909)
    >>> scarce = SanitizedLearner.planned(Thresholds(64), epsilon=1, accuracy=goal, dear=100)
    >>> scarce.cover.depth, scarce.pools(goal, dear=100)
    (6, (38223, 404))

    Proof: docs/proofs/sanitized.md
    """

    concepts: ConceptClass[Any]
    cover: PoolCover
    epsilon: Fraction
    share: Fraction
    agnostic: bool

    theorem: ClassVar[str] = "BNS16"
    largest_sample: ClassVar[int | None] = None
    grid: ClassVar[int] = 10**4

    def __init__(
        self, cover: PoolCover, *, epsilon: Exact, share: Exact, agnostic: bool = False
    ) -> None:
        hold(self, concepts=cover.concepts, cover=cover, agnostic=agnostic)
        hold(self).positive(epsilon=epsilon).probability(share=share)

    @classmethod
    def planned(
        cls,
        concepts: ConceptClass[Any],
        *,
        epsilon: Exact,
        accuracy: Accuracy,
        agnostic: bool = False,
        dear: Exact = 1,
    ) -> SanitizedLearner:
        """Return the learner of both pools within epsilon that needs the fewest rows in all.

        A labelled row counts for `dear` others.
        """
        epsilon, best = check.positive(epsilon=epsilon), None
        dear, price = check.positive(dear=dear), Fraction(0)
        for cover in _covers(concepts, epsilon):
            made = cls(cover, epsilon=epsilon, share=HALF, agnostic=agnostic)
            if not made._fine(accuracy):
                continue
            first, second = made.pools(accuracy, dear)
            if best is not None and first + dear * second >= price:
                break
            best, price = (cover, (first, second)), first + dear * second
        if best is None:
            raise InvalidArgument(f"alpha must be above {float(FINEST)} here, got {accuracy.alpha}")
        cover, (first, second) = best
        share = Fraction(first, first + second)
        return cls(cover, epsilon=epsilon, share=share, agnostic=agnostic)

    @property
    def cost(self) -> Parallel:
        return Parallel(self.cover.cost, BoundedRange(self.epsilon))

    def pools(self, accuracy: Accuracy, /, dear: Exact = 1) -> tuple[int, int]:
        """Return how many rows are enough, first without labels and then with them.

        Of several such pairs the one with the fewest rows, a labelled row counting for `dear`
        others; refuse what the cover is too coarse for.
        """
        self._refuse(accuracy)
        each = check.positive(dear=dear)
        beta, found = accuracy.beta, []
        for near in self._nears(accuracy.alpha):
            first = least(lambda n, near=near: self._near(n, near, beta), low=1)  # type: ignore[misc]
            second = least(lambda n, near=near: self._chooses(n, near, accuracy))  # type: ignore[misc]
            found.append((first, second))
        return min(found, key=lambda pair: pair[0] + each * pair[1])

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough; refuse what the cover is too coarse for."""
        self._refuse(accuracy)
        return least(lambda n: self.suffices(n, accuracy), low=1)

    def learn(self, blocks: Sequence[LabelCounts], *, rng: Random) -> Concept:
        """Learn from rows whose labels are not read, and from others."""
        unlabelled, labelled = blocks
        return self.from_pools(points_of(unlabelled), labelled, rng=rng)

    def from_pools(
        self, points: Counts[Any], sample: LabelCounts, /, *, label: int = 0, rng: Random
    ) -> Concept:
        """Learn one label from points without labels, and from other rows with labels."""
        chosen = self.cover(points, rng=rng)
        return Exponential(self.epsilon)(self._profile(chosen, sample, label), rng=rng)

    def blocks_law(self, blocks: Sequence[LabelCounts]) -> Law[Any]:
        """Return the exact law of what is learned from given blocks, for few points and rows."""
        unlabelled, labelled = blocks
        return self.law_of_pools(points_of(unlabelled), labelled).map(lambda told: told[1])

    def law_of_pools(
        self, points: Counts[Any], sample: LabelCounts, /, *, label: int = 0
    ) -> Law[Any]:
        """Return the exact law of the cover together with the hypothesis: both may be told."""
        choose = Exponential(self.epsilon)

        def choice(chosen: tuple[Concept, ...]) -> Law[Any]:
            law = choose.law(self._profile(chosen, sample, label))
            return law.map(lambda hypothesis: (chosen, hypothesis))

        return self.cover.law(points).then(choice)

    def _profile(
        self, chosen: tuple[Concept, ...], sample: LabelCounts, label: int
    ) -> ScoreProfile[Concept]:
        """Score the thresholds by their agreements."""
        points = self.concepts.clip(sample.points)
        each: Any = self.cover.gains
        gains = each(chosen, points, sample.gains(label)[:, None])[:, 0]
        return ScoreProfile.among(chosen, gains + sample.negatives(label))

    def block_sizes(self, n: int) -> tuple[int, int]:
        """Return how many of n rows are read without their labels, and how many with them."""
        first = int(self.share * n)
        return first, n - first

    def _nears(self, alpha: Fraction) -> list[Fraction]:
        return [part * alpha for part in NEARS if part * alpha > self.cover.coarsest]

    def _fine(self, accuracy: Accuracy) -> bool:
        return bool(self._nears(accuracy.alpha))

    def _refuse(self, accuracy: Accuracy) -> None:
        if not self._fine(accuracy):
            raise InvalidArgument(
                f"a cover as coarse as {float(self.cover.coarsest):.3g} promises no error of "
                f"{float(accuracy.alpha):.3g}, whatever n is: take a greater depth"
            )

    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        first, second = self.block_sizes(n)
        return any(
            self._near(first, near, accuracy.beta) and self._chooses(second, near, accuracy)
            for near in self._nears(accuracy.alpha)
        )

    def _near(self, n: int, near: Fraction, beta: Fraction) -> bool:
        """Whether n points lead to a threshold within `near` of any one that is fixed before."""
        rows = int(self.cover.rows(n, beta * COVERED))
        likely = self.cover.unseen_about(n, float(near), rows) <= float(beta * DRAWN)
        return likely and self.cover.unseen(n, near, rows) <= beta * DRAWN

    def _chooses(self, n: int, near: Fraction, accuracy: Accuracy) -> bool:
        """Whether n labelled rows are enough to choose, if some threshold is near enough."""
        size, beta = self.cover.most(n, accuracy.beta), accuracy.beta * CHOSEN
        if self.agnostic:
            rate = log_lower(1 / Decay.of(self.epsilon / 2).ratio)
            return AgnosticBound(size, rate).failure(n, accuracy.alpha - near) <= beta
        alpha, tempering = accuracy.alpha, tempered(self.epsilon, near / accuracy.alpha)
        single = SelectionBound(size, alpha - near, near, tempering)
        paired = representation(epsilon=self.epsilon, size=size, alpha=alpha, approximation=near)
        sure = beta / (1 + beta)
        return single.suffices(n, sure) or (beta <= HALF and paired.suffices(n, beta))


def _covers(concepts: ConceptClass[Any], epsilon: Fraction) -> Iterator[PoolCover]:
    """Yield covers of the first pool: splits of more and more levels, or that of a listed class."""
    if isinstance(concepts, Thresholds):
        for depth in DEPTHS:
            yield SplitCover(concepts, epsilon=epsilon / depth, depth=depth)
    else:
        yield HistogramCover(tabulated(concepts), epsilon=epsilon)


def _make(request: Request) -> SanitizedLearner:
    public: dict[str, Any] = {"epsilon": request.privacy.epsilon, "agnostic": request.agnostic}

    def planned(alpha: Fraction) -> tuple[int, SanitizedLearner]:
        goal = Accuracy(alpha, request.beta)
        learner = SanitizedLearner.planned(request.concepts, accuracy=goal, **public)
        return learner.sample_size(goal), learner

    return finest(planned, request, least=2 * FINEST)


ENTRY = entry_of(
    SanitizedLearner,
    "sanitized",
    "chosen by few labelled rows among concepts for sanitized points of many others",
    pure=True,
    make=_make,
    beaten_by="generic",
    slow=True,
)
