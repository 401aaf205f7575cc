"""Run a private procedure on rows drawn in secret: the secrecy of the sample.

Of the papers: BNS16 Lemma 2.25.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import perm
from typing import Generic, TypeVar

from tacit.core import Exact, InvalidArgument, Random, check, hold
from tacit.core.chance.law import Law, collect, product
from tacit.core.cost import Subsample
from tacit.core.numbers.enclosures import Enclosure, lower, real, upper
from tacit.mechanisms.mechanism import Mechanism

R = TypeVar("R", bound=Hashable)
T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Resample(Generic[R, T]):
    """Draw `drawn` of exactly `rows` rows uniformly and in secret, and run the base on them.

    With replacement the drawn rows are independent, so what the base promises for a random sample
    it promises for the empirical distribution of the rows. Without, they are distinct rows in a
    random order; were they handed on in their old order, one replaced row could shift the others
    and a base that works by position would not be private.

    Guarantee:
        Let the base be (e0, d0)-DP, n = drawn and m = rows. With replacement the whole is (e, d)-DP
        for e = n ln(1 + (e^e0 - 1) / m) and d = (d0 / m) (e^e - 1) / (e^(e / n) - 1); without, for
        e = ln(1 + (n / m)(e^e0 - 1)) and d = (n / m) d0. All four are attained.

    Exactness:
        The indices are drawn exactly; the law is exact if the base's is.

    Cost:
        `Subsample(base.cost, drawn, rows)`: a part of the base's cost as soon as
        rows >= `rows_needed`.

    >>> from tacit.core.cost import Pure
    >>> from tacit.core.chance.law import certain
    >>> from tacit.mechanisms.mechanism import Kernel
    >>> size = Kernel(Pure(0), lambda rows: certain(len(rows)))
    >>> Resample(size, drawn=2, rows=3).sample(("a", "a", "b"))["a", "b"]
    Fraction(2, 9)

    Proof: docs/proofs/resample.md
    """

    base: Mechanism[tuple[R, ...], T]
    drawn: int
    rows: int
    replacement: bool

    def __init__(
        self, base: Mechanism[tuple[R, ...], T], *, drawn: int, rows: int, replacement: bool = True
    ) -> None:
        cost = Subsample(base.cost, drawn, rows, replacement=replacement)
        hold(self, base=base, drawn=cost.drawn, rows=cost.rows, replacement=replacement)

    @property
    def cost(self) -> Subsample:
        return Subsample(self.base.cost, self.drawn, self.rows, replacement=self.replacement)

    def __call__(self, records: tuple[R, ...], *, rng: Random) -> T:
        left = list(self._checked(records))
        if self.replacement:
            return self.base(tuple(left[rng.below(self.rows)] for _ in range(self.drawn)), rng=rng)
        return self.base(
            tuple(
                left.pop(rng.below(size)) for size in range(self.rows, self.rows - self.drawn, -1)
            ),
            rng=rng,
        )

    def law(self, records: tuple[R, ...]) -> Law[T]:
        """Return the law of the output, by listing all draws."""
        return self.sample(records).then(self.base.law)

    def sample(self, records: tuple[R, ...]) -> Law[tuple[R, ...]]:
        """Return the exact law of the rows that the base gets to see."""
        one = Fraction(1, self.rows)
        if self.replacement:
            row = collect((record, one) for record in self._checked(records))
            return product([row] * self.drawn)
        each = Fraction(1, perm(self.rows, self.drawn))
        return collect((draw, each) for draw in permutations(self._checked(records), self.drawn))

    def failure(self, base_failure: Exact) -> Fraction:
        """Return the failure probability of the base, which is this one's, too.

        With replacement, and where success is a property of the output and of a distribution that
        the base's rows are drawn from: the rows of the database stand for that distribution.
        """
        if not self.replacement:
            raise InvalidArgument("without replacement the drawn rows are no random sample")
        return check.small_probability(base_failure=base_failure)

    def _checked(self, records: tuple[R, ...]) -> tuple[R, ...]:
        if len(records) != self.rows:
            raise InvalidArgument(f"rows={self.rows} was declared, got {len(records)} rows")
        return records


def rows_needed(epsilon: Exact, drawn: int) -> int:
    """Return the least number of rows for which a draw with replacement costs at most epsilon.

    It is ceil((e^epsilon - 1) / (e^(epsilon / drawn) - 1)) for an epsilon-DP base; delta does not
    grow either.

    >>> [rows_needed(1, drawn) for drawn in (1, 10, 100, 1000)]
    [1, 17, 171, 1718]
    """
    epsilon = check.positive(epsilon=epsilon)
    drawn = check.count(drawn=drawn, least=1)
    if drawn == 1:
        return 1

    def ratio() -> Enclosure:
        return real(epsilon).expm1() / real(epsilon / drawn).expm1()

    bits = 128
    while -(-lower(ratio, bits) // 1) != (needed := -(-upper(ratio, bits) // 1)):
        bits *= 2
    return needed
