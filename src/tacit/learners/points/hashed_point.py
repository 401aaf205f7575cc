"""Points of huge domains, with as many rows as for small ones: choose a bucket of a public hash.

Of the papers: BNS19 Ex 5, BNS19 Ex 6.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from tacit.concepts import Concept
from tacit.concepts.algebra.hashes import Hash, Hashes
from tacit.concepts.contract.hypothesis_set import Listed, Together
from tacit.concepts.outputs.bucket import Buckets
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, Random, check, hold
from tacit.core.chance.law import Law, mixture
from tacit.core.cost import BoundedRangeCost
from tacit.learners.contract import AccuracyGrid, Choice, Request, entry_of, thrifty
from tacit.statistics import LabelCounts
from tacit.theory.enough.envelope import EnvelopeBound

FINEST = Fraction(1, 1 << 24)
"""No alpha is smaller where none is asked for."""
WIDTHS = range(1, 65)
ROWS = 1000
"""So few rows are compared for all numbers of buckets."""
ENOUGH = tuple(Fraction(j, 2) for j in range(4, 17))


@dataclass(frozen=True, slots=True)
class HashedPointLearner(AccuracyGrid, BoundedRangeCost):
    """Draw a public hash, then choose one of its buckets, or `NEVER`, by agreements.

    The buckets that no row falls into share one score, so their number costs no time; and only its
    logarithm costs rows.

    Guarantee:
        epsilon-DP, and of bounded range epsilon given the hash, which is drawn before the rows are
        looked at. Accurate, as in `Promising` [BKN10]. n does not depend on the domain: 2^1024, or
        with `bits=None` all natural numbers (of at most 2^64 blocks of 520 bits). Improper: the
        hypothesis says yes to a share of about 1/buckets of the domain.

    Exactness:
        As `Exponential`; the collision probability of the hash is exact.

    Cost:
        `BoundedRange(epsilon)` a label; time O(n log n) whatever the domain and the buckets.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = HashedPointLearner.planned(1024, epsilon=1, accuracy=Accuracy(0.1, 0.05))
    >>> learner.buckets, learner.sample_size(Accuracy(0.1, 0.05))
    (1024, 266)
    >>> rows = [(7**200, (1,)), (7**201, (0,)), (3, (0,))] * 90
    >>> bucket = learner(LabelCounts.of(rows, labels=1), rng=Seeded(1))
    >>> bucket(LabelCounts.of(rows, labels=1).points).tolist()
    [True, False, False]

    Proof: docs/proofs/hashed_point.md
    """

    bits: int | None
    epsilon: Fraction
    buckets: int

    proper: ClassVar[bool] = False
    """Never: a bucket is no point."""
    agnostic: ClassVar[bool] = False
    """Never: the promise is for labels that a point explains."""
    theorem: ClassVar[str] = "BKN10"
    largest_sample: ClassVar[int | None] = None
    grid: ClassVar[int] = 1 << 24

    def __init__(self, bits: int | None, *, epsilon: Exact, buckets: int = 1024) -> None:
        outputs = Hashes(buckets, bits)
        hold(self, bits=outputs.bits, buckets=outputs.buckets).positive(epsilon=epsilon)

    @classmethod
    def planned(cls, bits: int | None, *, epsilon: Exact, accuracy: Accuracy) -> HashedPointLearner:
        """Return the learner that needs the fewest rows for this accuracy.

        The number of buckets is a power of two. Of a large epsilon only a part may be spent: more
        noise than epsilon asks for is better when the buckets hold other points.

        >>> large = HashedPointLearner.planned(64, epsilon=10, accuracy=Accuracy(0.1, 0.05))
        >>> large.epsilon, large.sample_size(Accuracy(0.1, 0.05))
        (Fraction(5, 1), 134)
        """
        epsilon = check.positive(epsilon=epsilon)
        best = _fewest_rows(cls(bits, epsilon=epsilon), accuracy)
        rows = best.sample_size(accuracy)
        for part in ENOUGH:
            if part < epsilon and _fewer(replace(best, epsilon=part), accuracy, rows):
                other = _fewest_rows(cls(bits, epsilon=part), accuracy)
                if (needed := other.sample_size(accuracy)) < rows:
                    best, rows = other, needed
        return best

    @property
    def hypotheses(self) -> OrNever:
        """Buckets of hashes, and the hypothesis that always says no."""
        return OrNever(self.outputs)

    @property
    def outputs(self) -> Hashes:
        """The family of hashes."""
        return Hashes(self.buckets, self.bits)

    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        return self.bound(accuracy.alpha).suffices(n, accuracy.beta)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n for which the bound keeps the promise, with this many buckets."""
        return self.bound(accuracy.alpha).sample_size(accuracy.beta)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Concept:
        return self.given(self.outputs.draw(rng=rng))(sample, label=label, rng=rng)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        laws = [self.given(drawn).law(sample, label=label) for drawn in self.outputs.seeds()]
        return mixture((Fraction(1, len(laws)), law) for law in laws)

    def given(self, drawn: Hash) -> Choice:
        """Return what is left to do once the hash is drawn."""
        return Choice(Together((Buckets(drawn), Listed([NEVER]))), self.outputs, self.epsilon)

    def bound(self, alpha: Exact) -> EnvelopeBound:
        """Return the bound behind the promise of an error of at most alpha."""
        size, mean = self.buckets + 1, self.outputs.collision
        return EnvelopeBound(size, alpha, mean, Decay.of(self.epsilon / 2))


def _fewer(learner: HashedPointLearner, accuracy: Accuracy, rows: int) -> bool:
    """Whether fewer rows may be enough: with up to four times as many or few buckets they are."""
    if rows < ROWS:
        return True
    sizes = (learner.buckets * part // 4 for part in (4, 2, 8, 1, 16))
    tries = (replace(learner, buckets=size).bound(accuracy.alpha) for size in sizes if size > 1)
    return any(tried.suffices(rows - 1, accuracy.beta) for tried in tries)


def _fewest_rows(learner: HashedPointLearner, accuracy: Accuracy) -> HashedPointLearner:
    """Return the learner with as many buckets as need the fewest rows.

    Few buckets hold too many other points, many cost rows for their number: the rows needed fall,
    then rise, in the number of buckets.
    """
    best, rows = learner, None
    for width in WIDTHS:
        tried = replace(learner, buckets=1 << width)
        if not tried.bound(accuracy.alpha).possible(accuracy.beta):
            continue
        needed = tried.sample_size(accuracy)
        if rows is not None and needed > rows:
            break
        best, rows = tried, needed
    if rows is None:
        raise InvalidArgument(f"{accuracy} asks for more than 2^64 buckets")
    return best


def _for_rows(bits: int, epsilon: Fraction, n: int, beta: Fraction) -> HashedPointLearner:
    """Return the learner that promises about the least alpha on n rows, by halving alpha."""
    alpha, found = Fraction(1, 2), HashedPointLearner(bits, epsilon=epsilon)
    while alpha > FINEST:
        goal = Accuracy(alpha, beta)
        tried = HashedPointLearner.planned(bits, epsilon=epsilon, accuracy=goal)
        if tried.sample_size(goal) > n:
            break
        alpha, found = alpha / 2, tried
    return found


def _make(request: Request) -> HashedPointLearner:
    bits = max(1, (request.concepts.domain_size - 1).bit_length())
    epsilon, beta = request.privacy.epsilon, request.beta
    if request.alpha is None:
        return _for_rows(bits, epsilon, request.n, beta)
    goal = Accuracy(request.alpha, beta)

    def planned(spent: Fraction) -> tuple[int, HashedPointLearner]:
        learner = HashedPointLearner.planned(bits, epsilon=spent, accuracy=goal)
        return learner.sample_size(goal), learner

    return thrifty(planned, epsilon)


ENTRY = entry_of(
    HashedPointLearner,
    "hashed-point",
    "a bucket of a public hash: as many rows for 2^60 values as for 60",
    families=("points",),
    make=_make,
)
