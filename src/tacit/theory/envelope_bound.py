"""How many rows suffice when the hypotheses to choose from are drawn by public coins.

The approximation that the coins find is random, and only its mean is known. Proof in
docs/proofs/envelope_bound.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import check
from tacit.core.balls import Ball, ball, round_up, upper
from tacit.core.decay import Decay
from tacit.core.errors import InvalidArgument
from tacit.core.exact import Exact
from tacit.core.search import least, least_near

BITS = 192
NEAR = Fraction(1, 1 << 100)
STEPS = 40


@dataclass(frozen=True, slots=True)
class EnvelopeBound:
    """Choose among `size` hypotheses by agreements, with ratio q for each agreement lost.

    The hypotheses are drawn before the data, so that the least error e among them has mean at most
    `mean`. Given e, an error above alpha has probability at most g(e) = w / (1 + w) with
    w = (size - 1) (1 - alpha (1 - q) + e (1/q - 1))^n, and 1 for e >= alpha q. So it has at most
    the value of the least concave function above g, at the mean.

    >>> EnvelopeBound(1025, 0.1, Fraction(1, 1024), Decay.of(Fraction(1, 2))).sample_size(0.05)
    266
    """

    size: int
    alpha: Fraction
    mean: Fraction
    decay: Decay

    def __init__(self, size: int, alpha: Exact, mean: Exact, decay: Decay) -> None:
        object.__setattr__(self, "size", check.count(size=size, least=1))
        object.__setattr__(self, "alpha", check.probability(alpha=alpha))
        object.__setattr__(self, "mean", check.nonnegative(mean=mean))
        object.__setattr__(self, "decay", decay)

    def suffices(self, n: int, beta: Exact) -> bool:
        """Whether n rows certainly keep the failure probability at or below beta.

        The proof is a line from (0, g(0)) to (mean, beta) that lies above g: checked at the ends of
        the interval where g is convex, if any, by a tangent where it is concave, and across the
        small gap between the two by monotony.
        """
        beta, n = check.probability(beta=beta), check.count(n=n)
        if self.size == 1:
            return self.mean <= beta * self.alpha
        start = self._upper(Fraction(0), n)
        if start >= beta:
            return False
        if self.mean == 0:
            return True
        slope = (beta - start) / self.mean
        end = (1 - start) / slope  # from here on the line is above 1
        if end > self.alpha * self.decay.ratio:
            return False
        half, after = Fraction(n - 1, 2 * n), Fraction(0)
        if self._lower(after, n) < half:
            turn = self._turn(n)
            before, after = (min(max(turn * (1 + way), Fraction(0)), end) for way in (-NEAR, NEAR))
            if self._upper(before, n) > half or self._upper(after, n) > start + slope * before:
                return False
            if after >= end:
                return True
            if self._lower(after, n) < half:
                return False
        if upper(lambda: self._rise(after, n), BITS) <= slope:
            return True
        touch = self._touch(n, float(slope), float(after), float(end))
        return all(self._tangent(touch, e, n) <= start + slope * e for e in (after, end))

    def possible(self, beta: Exact) -> bool:
        """Whether some n suffices: an error of alpha q must be too rare to matter."""
        return self.mean < check.probability(beta=beta) * self.alpha * self.decay.ratio

    def sample_size(self, beta: Exact) -> int:
        """Return the least n that is certified; refuse when no n is.

        >>> EnvelopeBound(33, "1/4", "1/32", Decay.of(Fraction(1, 8))).sample_size("1/4")
        194
        """
        beta = check.probability(beta=beta)
        if not self.possible(beta):
            raise InvalidArgument(
                f"hypotheses with mean error {float(self.mean):.3g} cannot promise {beta} at "
                f"alpha = {self.alpha}: no n suffices; draw more of them"
            )
        guess = least(lambda n: self._likely(n, float(beta)), start=1)
        return least_near(lambda n: self.suffices(n, beta), guess)

    def failure(self, n: int) -> Fraction:
        """Bound the probability that n rows lead to an error above alpha, rounded up."""
        low, high = Fraction(0), Fraction(1)
        for _ in range(STEPS):
            middle = round_up((low + high) / 2, STEPS)
            low, high = (low, middle) if self.suffices(n, middle) else (middle, high)
        return high

    def _likely(self, n: int, beta: float) -> bool:
        """Whether about n rows suffice, by floats."""
        start = self._about(0.0, n) if self.size > 1 else 0.0
        if self.size == 1 or not self.mean:
            return start < beta
        slope = (beta - start) / float(self.mean)
        if slope <= 0 or 1 - start > slope * float(self.alpha * self.decay.ratio):
            return False
        touch = float(self._touch(n, slope, max(float(self._turn(n)), 0.0), (1 - start) / slope))
        return self._about(touch, n) <= start + slope * touch

    def _about(self, e: float, n: int) -> float:
        """Return about g(e)."""
        q = float(self.decay.ratio)
        gone = float(self.alpha) * (1 - q) - e * (1 / q - 1)
        odds = math.exp(min(700.0, math.log(self.size - 1) + n * math.log1p(-gone)))
        return odds / (1 + odds)

    def _odds(self, e: Fraction, n: int) -> Ball:
        q = self.decay.ratio
        return (self.size - 1) * ball(1 - self.alpha * (1 - q) + e * (1 / q - 1)) ** n

    def _upper(self, e: Fraction, n: int) -> Fraction:
        """Return g(e), rounded up."""
        odds = upper(lambda: self._odds(e, n), BITS)
        return odds / (1 + odds)

    def _lower(self, e: Fraction, n: int) -> Fraction:
        """Return g(e), rounded down."""
        inverse = upper(lambda: 1 / self._odds(e, n), BITS)
        return 1 / (1 + inverse)

    def _rise(self, e: Fraction, n: int) -> Ball:
        """Return the slope of g at e."""
        q = self.decay.ratio
        each = n * (1 / q - 1) / (1 - self.alpha * (1 - q) + e * (1 / q - 1))
        odds = self._odds(e, n)
        return ball(each) * odds / (1 + odds) ** 2

    def _tangent(self, touch: Fraction, e: Fraction, n: int) -> Fraction:
        """Return the value at e of the tangent to g at `touch`, rounded up."""
        return upper(
            lambda: 1 - 1 / (1 + self._odds(touch, n)) + self._rise(touch, n) * ball(e - touch),
            BITS,
        )

    def _turn(self, n: int) -> Fraction:
        """Return about the error at which g turns from convex to concave: g = (1 - 1/n) / 2."""
        if n < 2:
            return Fraction(0)
        q = self.decay.ratio
        odds = Fraction(n - 1, (n + 1) * (self.size - 1))
        gap = upper(lambda: (ball(odds).log() / n).exp() - ball(1 - self.alpha * (1 - q)), BITS)
        return gap / (1 / q - 1)

    def _touch(self, n: int, slope: float, low: float, high: float) -> Fraction:
        """Return about the error at which the concave part of g rises with this slope."""
        q, alpha = float(self.decay.ratio), float(self.alpha)
        for _ in range(STEPS):
            e = (low + high) / 2
            factor = 1 - alpha * (1 - q) + e * (1 / q - 1)
            odds = math.exp(min(700.0, math.log(self.size - 1) + n * math.log(factor)))
            rise = n * (1 / q - 1) / factor * odds / (1 + odds) ** 2 if odds < 1e150 else 0.0
            low, high = (e, high) if rise > slope else (low, e)
        return Fraction((low + high) / 2)
