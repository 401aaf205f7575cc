"""Points of huge domains by the votes of positive rows for a bucket of a public hash."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy as np

from tacit.concepts.algebra.hashes import Hash, Hashes
from tacit.concepts.line.points import Points
from tacit.concepts.outputs.bucket import Bucket
from tacit.concepts.outputs.never import NEVER, Never, OrNever
from tacit.core import Accuracy, Exact, InvalidArgument, Random, check, hold, least
from tacit.core.chance.law import Law, mixture
from tacit.core.numbers.least import least_near
from tacit.learners.contract import Request, entry_of, finest
from tacit.learners.points.tally_point import FINE, ByTally, heavy_shares, rows_from
from tacit.mechanisms.choice.vote_tally import DISTINCT, missed_votes
from tacit.statistics import LabelCounts, Votes

FINEST = Fraction(1, 1 << 24)
"""No alpha is smaller where none is asked for."""
WIDTHS, LATER = range(1, 64), 2
"""Bits of a bucket's number; two more than the best are tried."""


@dataclass(frozen=True, slots=True)
class HashedTallyLearner(ByTally):
    """Draw a public hash; let positive rows vote for their buckets, and tell who has the votes.

    If nobody is told the answer is `NEVER`.

    Guarantee:
        epsilon-DP on every sample. Accurate, as in `Promising`, with an n that does not depend on
        the domain. Improper: the hypothesis says yes to a share of about 1/buckets of the domain.

    Exactness:
        As `VoteTally`; the collision probability of the hash is exact.

    Cost:
        `Pure(epsilon)`; time linear in the distinct points.

    >>> goal = Accuracy(0.1, 0.05)
    >>> learner = HashedTallyLearner.planned(Points(1024), epsilon=1, accuracy=goal)
    >>> learner.buckets, learner.sample_size(goal)
    (2048, 176)

    Proof: docs/proofs/tally_point.md
    """

    concepts: Points
    epsilon: Fraction
    buckets: int

    proper: ClassVar[bool] = False
    """Never: a bucket is no point."""

    def __init__(self, concepts: Points, *, epsilon: Exact, buckets: int = 1024) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).count(buckets=buckets, least=2)

    @classmethod
    def planned(cls, concepts: Points, *, epsilon: Exact, accuracy: Accuracy) -> HashedTallyLearner:
        """Return the learner that needs the fewest rows; the buckets are a power of two.

        Few buckets hold too many other points, many cost rows for their number.
        """
        return _fewest_rows(concepts, check.positive(epsilon=epsilon), accuracy)[1]

    @property
    def hypotheses(self) -> OrNever:
        """Buckets of hashes, and the hypothesis that always says no."""
        return OrNever(self.outputs)

    @property
    def outputs(self) -> Hashes:
        """The family of hashes."""
        return Hashes(self.buckets, max(1, (self.concepts.domain_size - 1).bit_length()))

    @property
    def candidates(self) -> int:
        return self.buckets

    def suffices(self, n: int, accuracy: Accuracy, /, distinct: int = DISTINCT) -> bool:
        tally, room, floor = self.tally(n), self._room(accuracy), accuracy.beta / (1 << FINE)
        if room <= floor:
            return False
        missed, wrong = missed_votes(tally, floor, distinct), tally.wrong
        return all(
            (share < 1 and share * wrong <= room) or missed.at_most(room / share - floor, n, mass)
            for mass, share in heavy_shares(accuracy.alpha, self.buckets - 1)
        )

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n that keeps the promise, as do all larger ones, with these buckets."""
        if not self.possible(accuracy):
            raise InvalidArgument(f"{self.buckets} buckets are too few for {accuracy}")
        return rows_from(self.suffices, accuracy)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Bucket | Never:
        drawn = self.outputs.draw(rng=rng)
        told = self.tally(sample.n)(self._votes(drawn, sample, label), rng=rng)
        return NEVER if told is None else Bucket(drawn, told)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Bucket | Never]:
        laws = [self.given(drawn, sample, label) for drawn in self.outputs.seeds()]
        return mixture((Fraction(1, len(laws)), law) for law in laws)

    def given(self, drawn: Hash, sample: LabelCounts, label: int = 0) -> Law[Bucket | Never]:
        """Return the exact law once the hash is drawn."""
        told = self.tally(sample.n).law(self._votes(drawn, sample, label))
        return told.map(lambda v: NEVER if v is None else Bucket(drawn, v))

    def _votes(self, drawn: Hash, sample: LabelCounts, label: int) -> Votes[int]:
        ones = sample.positives[:, label]
        values = drawn(self.concepts.clip(sample.points[ones > 0]))
        hit, where = np.unique(values, return_inverse=True)
        counts = np.zeros(len(hit), dtype=np.int64)
        np.add.at(counts, where, ones[ones > 0])
        table = dict(zip(map(int, hit), counts.tolist(), strict=True))
        return Votes(sample.n, switch=True, table=table)

    def _room(self, accuracy: Accuracy) -> Fraction:
        """Return what is left of beta once the target's own bucket may weigh too much."""
        return accuracy.beta - self.outputs.collision / accuracy.alpha

    def possible(self, accuracy: Accuracy) -> bool:
        """Whether a target that never occurs is no reason to fail, with any number of rows."""
        _, unlucky = heavy_shares(accuracy.alpha, self.buckets - 1)[0]
        return unlucky <= self._room(accuracy) * (1 - Fraction(1, 1 << FINE))


def _fewest_rows(
    concepts: Points, epsilon: Fraction, accuracy: Accuracy
) -> tuple[int, HashedTallyLearner]:
    """Return the learner with as many buckets as need the fewest rows, and about how many."""
    best: tuple[int, HashedTallyLearner] | None = None
    last = WIDTHS.stop
    for width in WIDTHS:
        tried = HashedTallyLearner(concepts, epsilon=epsilon, buckets=1 << width)
        if width > last:
            break
        if not tried.possible(accuracy):
            continue
        enough = partial(_enough, tried, accuracy)
        if best is None or enough(best[0] - 1):
            rows = least(enough) if best is None else least_near(enough, best[0] - 1)
            best, last = (rows, tried), width + LATER
    if best is None:
        raise InvalidArgument(f"{accuracy} asks for more than 2^{max(WIDTHS)} buckets")
    return best


def _enough(learner: HashedTallyLearner, accuracy: Accuracy, n: int) -> bool:
    return learner.suffices(n, accuracy)


def _make(request: Request) -> HashedTallyLearner:
    concepts: Any = request.concepts
    epsilon, beta = request.privacy.epsilon, request.beta
    return finest(
        lambda alpha: _fewest_rows(concepts, epsilon, Accuracy(alpha, beta)), request, least=FINEST
    )


ENTRY = entry_of(
    HashedTallyLearner,
    "hashed-tally",
    "the bucket of a public hash with the votes of positive rows; as many rows for any domain",
    families=("points",),
    make=_make,
)
