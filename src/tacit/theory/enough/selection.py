"""How many rows the exponential mechanism needs to learn: one bound with its exact constant.

Proof in docs/proofs/selection_bound.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from tacit.core import Accuracy, Decay, Exact, InvalidArgument, check
from tacit.core.numbers.enclosures import Enclosure, lower, real, upper

BITS = 192


@dataclass(frozen=True, slots=True)
class SelectionBound:
    """Choose among `size` hypotheses by agreements, with ratio q for each agreement lost.

    Suppose some hypothesis has error at most `approximation`; call one bad if its error exceeds
    that by more than `gap`. On n i.i.d. rows a bad one is chosen with probability at most
    w / (1 + w), w = (size - 1) M^n, with M = 1 - gap (1 - q) + b (q + 1/q - 2) and
    b = min(approximation, (1 - gap) / 2); if permute-and-flip chooses (`flipped`), with probability
    at most w / 2, which is less as long as w < 1.

    >>> realisable(Decay.of(Fraction(1, 2)), size=1024, alpha=0.1).sample_size(0.05)
    247
    """

    size: int
    gap: Fraction
    approximation: Fraction
    decay: Decay
    flipped: bool = False

    def __post_init__(self) -> None:
        check.count(size=self.size, least=1)
        check.probability(gap=self.gap)
        check.nonnegative(approximation=self.approximation)

    @property
    def factor(self) -> Fraction:
        """The number M by which the odds of a bad choice shrink with each row."""
        q = self.decay.ratio
        b = min(self.approximation, (1 - self.gap) / 2)
        return 1 - self.gap * (1 - q) + b * (q + 1 / q - 2)

    def suffices(self, n: int, beta: Exact) -> bool:
        """Whether n rows certainly keep the failure probability at or below beta."""
        odds = many(self.size, check.probability(beta=beta), flipped=self.flipped)
        if odds <= 1:
            return True
        if self.factor >= 1:
            return False
        need = lambda: real(odds).log() + n * real(self.factor).log()  # noqa: E731
        return upper(need, 192) <= 0

    def sample_size(self, beta: Exact) -> int:
        """Return the least n that suffices; refuse when no n does.

        >>> agnostic(epsilon=1, size=1024, alpha=0.1).sample_size(0.05)
        1966
        """
        odds = many(self.size, check.probability(beta=beta), flipped=self.flipped)
        if odds <= 1:
            return 0
        if self.factor >= 1:
            raise InvalidArgument(
                "the noise is too weak for so poor an approximation: no n suffices; "
                "use a smaller epsilon or a better representation"
            )
        n = max(0, math.ceil(lower(lambda: -real(odds).log() / real(self.factor).log(), 192)))
        while not self.suffices(n, beta):
            n += 1
        return n

    def failure(self, n: int) -> Fraction:
        """Bound the probability that n rows lead to a bad choice, rounded up."""
        if self.size == 1:
            return Fraction(0)
        factor = min(self.factor, Fraction(1))
        odds = upper(lambda: (self.size - 1) * real(factor) ** check.count(n=n), 192)
        return min(Fraction(1), odds / 2) if self.flipped else odds / (1 + odds)


def many(size: int, beta: Fraction, *, flipped: bool = False) -> Fraction:
    """Return how often M^n must be below 1 for a choice among so many to fail with at most beta.

    >>> many(2, Fraction(1, 20)), many(2, Fraction(1, 20), flipped=True)
    (Fraction(19, 1), Fraction(10, 1))
    """
    return (size - 1) / (2 * beta) if flipped else (size - 1) * (1 - beta) / beta


def realisable(decay: Decay, *, size: int, alpha: Exact) -> SelectionBound:
    """Return the bound when the target itself is among the hypotheses."""
    return SelectionBound(size, check.probability(alpha=alpha), Fraction(0), decay)


def representation(
    *, epsilon: Exact, size: int, alpha: Exact, approximation: Exact
) -> SelectionBound:
    """Return the bound when some hypothesis has error at most `approximation` < alpha.

    The ratio q is the best one between e^(-epsilon / 2) and e^(-epsilon / 4): a smaller q magnifies
    the approximation's own mistakes, so that a large epsilon is better not spent on a smaller q.
    For beta <= 1/2 the bound holds for the mechanism with all of epsilon, too; proof ibidem.

    >>> representation(epsilon=1, size=1024, alpha=0.1, approximation=0.05).sample_size(0.05)
    1147
    """
    alpha, near = check.probability(alpha=alpha), check.nonnegative(approximation=approximation)
    if near >= alpha:
        raise InvalidArgument(f"approximation must be below alpha={alpha}, got {near}")
    epsilon, best = check.positive(epsilon=epsilon), tempered(epsilon, near / alpha)
    half = Decay.of(epsilon / 4)
    return SelectionBound(size, alpha - near, near, min(best, half, key=lambda d: d.ratio))


def agnostic(*, epsilon: Exact, size: int, alpha: Exact) -> SelectionBound:
    """Return the bound against the best hypothesis, whatever the labels.

    >>> float(agnostic(epsilon=1, size=4, alpha=0.1).factor)
    0.99498...
    """
    alpha = check.probability(alpha=alpha)
    best = (1 - alpha) / (1 + alpha)
    return SelectionBound(size, alpha, Fraction(1), tempered(epsilon, best))


def tempered(epsilon: Exact, best_square: Fraction) -> Decay:
    """Return the larger of e^(-epsilon / 2) and the square root of `best_square`, rounded up."""
    floor = Decay.of(check.positive(epsilon=epsilon) / 2)
    root = upper(lambda: real(best_square).sqrt(), 128) if best_square else Fraction(0)
    return floor if root <= floor.ratio else Decay(root)


@dataclass(frozen=True, slots=True)
class PublicPointsBound:
    """Choose among one concept for each labelling of n points, losing one agreement costing e^rate.

    `vc` is at least the VC dimension, `size` the number of concepts, None if nobody counts them. If
    n rows are enough, more of them are. The domain plays no part. Proof in
    docs/proofs/label_private.md.

    >>> bound = PublicPointsBound(1, None, Fraction(1, 2), agnostic=False)
    >>> [bound.suffices(n, Accuracy("0.1", "0.05")) for n in (700, 800)]
    [False, True]
    """

    vc: int
    size: int | None
    rate: Fraction
    agnostic: bool

    def __post_init__(self) -> None:
        check.count(vc=self.vc)
        check.positive(rate=self.rate)

    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        """Whether n rows are certainly enough."""
        if self.size == 1 or n < max(self.vc, 1):
            return self.size == 1
        alpha, beta = accuracy.alpha, accuracy.beta
        room = alpha * n - 1
        if not self.agnostic and (room <= 0 or upper(lambda: self._lead(n, beta), BITS) >= room):
            return False
        missing = self._excess if self.agnostic else self._explained
        return upper(lambda: missing(n, alpha, beta), BITS) <= 0

    def _explained(self, n: int, alpha: Fraction, beta: Fraction) -> Enclosure:
        """Return ln of what a good score of a bad concept has of its share of beta."""
        r, g = real(alpha * n - 1), self._lead(n, beta)
        rare = r * (2 * r / (r + g)).log() + g * (2 * g / (r + g)).log()
        return real(4 / beta).log() + self._labellings(2 * n) - rare

    def _excess(self, n: int, alpha: Fraction, beta: Fraction) -> Enclosure:
        """Return by how much the excess may be above alpha."""
        quarter = real(4 / beta).log()
        short = 1 + ((n + 1) * (real(2).log() + self._labellings(2 * n) + quarter)).sqrt()
        return (self._lead(n, beta) + short) / n + (quarter / (2 * n)).sqrt() - real(alpha)

    def _lead(self, n: int, beta: Fraction) -> Enclosure:
        """Return how many mistakes more than the best the choice makes, but for beta / 2."""
        return (self._labellings(n) + real(2 / beta).log()) / real(self.rate)

    def _labellings(self, points: int) -> Enclosure:
        """Bound ln of the number of labellings."""
        d = max(self.vc, 1)
        sauer = d * (1 + real(Fraction(points, d)).log())
        return sauer if self.size is None else arb(sauer).min(real(self.size).log())
