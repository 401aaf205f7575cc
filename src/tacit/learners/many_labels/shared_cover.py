"""k labels chosen from one cover of the points, which is paid for once.

Of the papers: BNS16 Thm 1.1, BNS16 Thm 3.1, BNS16 Lemma 3.6, BNS16 Lemma 3.7, BNS16 Cor 3.9, BNS16
Cor 3.10, BNS16 Alg 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any, ClassVar

from tacit.concepts import Concept, ConceptClass
from tacit.core import Accuracy, Decay, Exact, Privacy, Random, check, hold
from tacit.core.chance.law import Law, product
from tacit.core.cost import BoundedRange, Repeat, Sequential
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.enclosures import round_up
from tacit.core.numbers.least import least, least_near
from tacit.learners.contract import Proper, Request, entry_of, least_accuracy
from tacit.learners.many_labels.covers_of_classes import ClassCover, HistogramCover, SyntheticCover
from tacit.learners.many_labels.covers_of_points import (
    PrefixCover,
    SplitCover,
    ToldCover,
    points_of,
)
from tacit.learners.many_labels.shares_of_budget import affordable, plans
from tacit.mechanisms import Exponential
from tacit.probability.shortfall import about, shortfall
from tacit.probability.uniform_deviation import few_about
from tacit.statistics import JointCounts, LabelCounts, ScoreProfile

Cover = SplitCover | PrefixCover | ToldCover | HistogramCover | SyntheticCover
SHARES = tuple(
    (Fraction(cover, 20), Fraction(choice, 20), Fraction(20 - cover - choice, 20))
    for cover, choice in ((5, 10), (2, 16), (10, 5), (2, 8))
)
"""How beta may be divided between the cover, the choices, and the draw of the rows."""
COVERED = tuple(Fraction(part, 20) for part in (1, 4, 10))
"""How much of beta a cover may have if the choices get all the rest."""
GRID = 10**7
"""Steps of alpha between 0 and 1 in which a promise is rounded up."""
DOUBLINGS = 128
"""How often the number of rows is doubled before no cover is held to be fine enough."""
Shares = tuple[tuple[Fraction, Fraction, Fraction], ...]


@dataclass(frozen=True, slots=True)
class SharedCoverLearner(Proper[ConceptClass[Any]]):
    """Tell a few points privately, take one concept for each way to label them, and choose k times.

    The cover looks at the points only and is made once; each label is then chosen among as many
    concepts as the cover has, instead of among the whole class.

    Guarantee:
        On every sample the cover and the k choices together cost `cost`. Accurate, as in
        `Promising`, on n = `sample_size` rows [BNS16 Lemma 3.7]. Proper. Counts are integers, so a
        few rows more may be promised a little less: `accuracy` says what any n has.

    Exactness:
        As `Exponential`, and as the cover's own mechanism.

    Cost:
        The cover's, then k choices of bounded range that do not wait for each other; time linear
        in the rows, for each level of the cover and each label.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> total, goal = Privacy(1, "1e-6"), Accuracy(0.1, 0.05)
    >>> learner = SharedCoverLearner.planned(Thresholds(256), total, labels=100, accuracy=goal)
    >>> float(learner.cover.epsilon), float(learner.epsilon), learner.sample_size(goal)
    (0.3, 0.0316..., 13488)

    Proof: docs/proofs/shared_cover.md
    """

    concepts: ConceptClass[Any]
    labels: int
    cover: Cover
    epsilon: Fraction
    agnostic: bool

    theorem: ClassVar[str] = "BNS16"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self, cover: Cover, *, labels: int, epsilon: Exact, agnostic: bool = False
    ) -> None:
        hold(self, concepts=cover.concepts, cover=cover, agnostic=agnostic)
        hold(self).count(labels=labels, least=1).positive(epsilon=epsilon)

    @classmethod
    def within(
        cls,
        concepts: ConceptClass[Any],
        total: Privacy,
        *,
        labels: int,
        n: int,
        beta: Exact,
        agnostic: bool = False,
        listed: bool = False,
    ) -> SharedCoverLearner:
        """Return about the best division of the budget between cover and choices for n rows.

        Divisions are compared by what n rows are off by on the rows themselves; the choices then
        get all that the cover leaves. If `listed`, the cover is that of a listed class.
        """
        beta = check.probability(beta=beta)
        made = [
            cls(cover, labels=labels, epsilon=guess, agnostic=agnostic)
            for cover, guess in plans(concepts, total, labels=labels, n=n, listed=listed)
        ]
        best = min(made, key=lambda plan: plan._about(n, float(beta)))  # noqa: SLF001
        each = affordable(total, best.cover.cost, times=labels)
        return cls(best.cover, labels=labels, epsilon=each, agnostic=agnostic)

    @classmethod
    def planned(
        cls,
        concepts: ConceptClass[Any],
        total: Privacy,
        *,
        labels: int,
        accuracy: Accuracy,
        agnostic: bool = False,
        listed: bool = False,
    ) -> SharedCoverLearner:
        """Return about the division of the budget that needs the fewest rows for this accuracy."""

        public: dict[str, Any] = {"labels": labels, "agnostic": agnostic, "listed": listed}

        @cache
        def within(n: int) -> SharedCoverLearner:
            return cls.within(concepts, total, n=n, beta=accuracy.beta, **public)

        n = int(64 / accuracy.alpha)
        doublings = least(
            lambda i: i >= DOUBLINGS or within(n << i).cover.coarsest * 2 <= accuracy.alpha
        )
        if doublings >= DOUBLINGS:
            raise TooLarge(
                f"no cover is fine enough for alpha={float(accuracy.alpha):.3g}: "
                "choose another learner"
            )
        best = within(n << doublings)
        needed = best.sample_size(accuracy)
        while (better := within(needed)) != best and better.sample_size(accuracy) < needed:
            best, needed = better, better.sample_size(accuracy)
        return best

    @property
    def cost(self) -> Sequential:
        choices = Repeat(BoundedRange(self.epsilon), self.labels, adaptive=False)
        return Sequential(self.cover.cost, choices)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough; refuse what the cover is too coarse for."""
        if self.cover.coarsest >= accuracy.alpha:
            raise InvalidArgument(
                f"a cover as coarse as {float(self.cover.coarsest):.3g} promises no error of "
                f"{float(accuracy.alpha):.3g}, whatever n is: take a greater depth"
            )
        guess = least(lambda n: self._likely(n, accuracy), low=1)
        return least_near(lambda n: self._suffices(n, accuracy), guess, low=1)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta, n = check.probability(beta=beta), check.count(n=n)
        if n == 0:
            return None
        if self.agnostic and not isinstance(self.cover, ClassCover):
            alpha = round_up(min(self._excess(n, beta, share) for share in SHARES) / n, 24)
            return Accuracy(alpha, beta) if alpha < 1 else None
        return least_accuracy(lambda goal: self._suffices(n, goal), beta, steps=GRID)

    def __call__(self, sample: JointCounts | LabelCounts, /, *, rng: Random) -> tuple[Concept, ...]:
        counts = sample.marginal()
        chosen = self.cover(points_of(counts), rng=rng)
        choose = Exponential(self.epsilon)
        return tuple(choose(profile, rng=rng) for profile in self._profiles(chosen, counts))

    def law(self, sample: JointCounts | LabelCounts, /) -> Law[Any]:
        return self.law_with_cover(sample).map(lambda told: told[1])

    def law_with_cover(self, sample: JointCounts | LabelCounts, /) -> Law[Any]:
        """Return the exact law of the cover together with the hypotheses: both may be told."""
        counts = sample.marginal()
        choose = Exponential(self.epsilon)

        def choices(chosen: tuple[Any, ...]) -> Law[Any]:
            laws = (choose.law(profile) for profile in self._profiles(chosen, counts))
            return product(laws).map(lambda hypotheses: (chosen, hypotheses))

        return self.cover.law(points_of(counts)).then(choices)

    def _profiles(self, chosen: tuple[Any, ...], sample: LabelCounts) -> list[ScoreProfile[Any]]:
        """Score the cover's concepts by their agreements, label by label."""
        points = self.concepts.clip(sample.points)
        gains = self.cover.gains(chosen, points, 2 * sample.positives - sample.totals[:, None])
        return [
            ScoreProfile.among(chosen, gains[:, j] + sample.negatives(j))
            for j in range(self.labels)
        ]

    def _about(self, n: int, beta: float, shares: Shares = SHARES[:2]) -> float:
        """Return about the least `_missed` of some divisions of beta, for comparisons."""
        rate = float(min(self.epsilon, Fraction(GRID))) / 2

        def chosen(cover: float, choice: float) -> float:
            size = self.cover.most(n, cover)
            return self.cover.about(n, cover) + about(rate, size=size, beta=choice / self.labels)

        return min(chosen(beta * float(share[0]), beta * float(share[1])) for share in shares)

    def _likely(self, n: int, accuracy: Accuracy) -> bool:
        """Whether about n rows suffice."""
        alpha, beta = float(accuracy.alpha), float(accuracy.beta)
        for share in SHARES:
            left, missed = beta * float(share[2]), self._about(n, beta, (share,))
            if self.agnostic:
                enough = missed + self.cover.deviation_about(n, left / self.labels) <= alpha * n
            else:
                left /= float(self.cover.targets(self.labels))
                enough = missed < n and self.cover.unseen_about(n, alpha, int(missed)) <= left
            if enough:
                return True
        return self._singly(n, accuracy)

    def _missed(self, n: int, beta: Fraction, share: tuple[Fraction, ...]) -> Fraction:
        """Return by how many rows the chosen concepts err more than the best, on the rows."""
        each = shortfall(
            Decay.of(self.epsilon / 2),
            size=self.cover.most(n, beta * share[0]),
            beta=beta * share[1] / self.labels,
        )
        return self.cover.rows(n, beta * share[0]) + each - 1

    def _excess(self, n: int, beta: Fraction, share: tuple[Fraction, ...]) -> Fraction:
        """Return by how many of n rows an excess is promised, for arbitrary labels."""
        drawn = self.cover.deviation(n, beta * share[2] / self.labels)
        return self._missed(n, beta, share) + drawn

    def _explained(self, n: int, accuracy: Accuracy) -> bool:
        """Whether n rows are enough if concepts explain the labels: all bad ones err on n rows."""
        for share in SHARES:
            missed = int(self._missed(n, accuracy.beta, share))
            left = accuracy.beta * share[2] / self.cover.targets(self.labels)
            likely = few_about(n, float(accuracy.alpha), missed) <= float(left)
            if likely and self.cover.unseen(n, accuracy.alpha, missed) <= left:
                return True
        return False

    def _singly(self, n: int, accuracy: Accuracy) -> bool:
        """Whether n rows are enough by a look at each concept of a listed class by itself."""
        if not isinstance(self.cover, ClassCover):
            return False
        beta, decay = accuracy.beta, Decay.of(self.epsilon / 2)
        for share in COVERED:
            goal = Accuracy(accuracy.alpha, beta * (1 - share) / self.labels)
            rows = int(self.cover.rows(n, beta * share))
            if self.cover.chooses(n, goal, rows, decay, agnostic=self.agnostic):
                return True
        return False

    def _suffices(self, n: int, accuracy: Accuracy) -> bool:
        if self._singly(n, accuracy):
            return True
        if not self.agnostic:
            return self._explained(n, accuracy)
        most = accuracy.alpha * n
        return any(self._excess(n, accuracy.beta, share) <= most for share in SHARES)


def _make(request: Request, *, listed: bool = False) -> SharedCoverLearner:
    public: dict[str, Any] = {"labels": request.labels, "agnostic": request.agnostic}
    beta, known = min(request.beta, Fraction(1, 2)), (request.concepts, request.privacy)
    if request.alpha is None:
        return SharedCoverLearner.within(*known, n=request.n, beta=beta, listed=listed, **public)
    goal = Accuracy(request.alpha, beta)
    return SharedCoverLearner.planned(*known, accuracy=goal, listed=listed, **public)


ENTRY = entry_of(
    SharedCoverLearner,
    "shared-cover",
    "k labels chosen from one cover of the points; for very large domains and many labels",
    families=("thresholds", "points"),
    pure=True,
    make_jointly=_make,
    slow=True,
)
CLASSES = entry_of(
    SharedCoverLearner,
    "sanitized-classes",
    "k labels, each chosen among one concept for each labelling of sanitized points",
    pure=True,
    make_jointly=partial(_make, listed=True),
    beaten_by="generic",
)
