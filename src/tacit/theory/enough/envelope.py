"""How many rows suffice when the hypotheses to choose from are drawn by public coins.

The approximation that the coins find is random, and only its mean is known. Proof in
docs/proofs/envelope_bound.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import Decay, Exact, InvalidArgument, check, hold
from tacit.core.numbers.enclosures import Enclosure, real, round_up, upper
from tacit.core.numbers.least import least, least_near

BITS = 192
NEAR = Fraction(1, 1 << 100)
STEPS, TURNS = 40, 3
ULP = 2.0**-53


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
        hold(self, decay=decay).count(size=size, least=1).probability(alpha=alpha)
        hold(self).nonnegative(mean=mean)

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
        if n == 0:
            return True  # g does not rise before that
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
        touch = Fraction(_About(self).touch(n, float(slope), float(after), float(end)))
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
        about, goal = _About(self), float(beta)
        guess = least(lambda n: about.suffices(n, goal), low=1)
        return least_near(lambda n: self.suffices(n, beta), guess)

    def failure(self, n: int) -> Fraction:
        """Bound the probability that n rows lead to an error above alpha, rounded up."""
        low, high = Fraction(0), Fraction(1)
        for _ in range(STEPS):
            middle = round_up((low + high) / 2, STEPS)
            low, high = (low, middle) if self.suffices(n, middle) else (middle, high)
        return high

    def _odds(self, e: Fraction, n: int) -> Enclosure:
        q = self.decay.ratio
        return (self.size - 1) * real(1 - self.alpha * (1 - q) + e * (1 / q - 1)) ** n

    def _upper(self, e: Fraction, n: int) -> Fraction:
        """Return g(e), rounded up."""
        odds = upper(lambda: self._odds(e, n), BITS)
        return odds / (1 + odds)

    def _lower(self, e: Fraction, n: int) -> Fraction:
        """Return g(e), rounded down."""
        inverse = upper(lambda: 1 / self._odds(e, n), BITS)
        return 1 / (1 + inverse)

    def _rise(self, e: Fraction, n: int) -> Enclosure:
        """Return the slope of g at e."""
        q = self.decay.ratio
        each = n * (1 / q - 1) / (1 - self.alpha * (1 - q) + e * (1 / q - 1))
        odds = self._odds(e, n)
        return real(each) * odds / (1 + odds) ** 2

    def _tangent(self, touch: Fraction, e: Fraction, n: int) -> Fraction:
        """Return the value at e of the tangent to g at `touch`, rounded up."""
        return upper(
            lambda: 1 - 1 / (1 + self._odds(touch, n)) + self._rise(touch, n) * real(e - touch),
            BITS,
        )

    def _turn(self, n: int) -> Fraction:
        """Return about the error at which g turns from convex to concave: g = (1 - 1/n) / 2."""
        if n < 2:
            return Fraction(0)
        q = self.decay.ratio
        odds = Fraction(n - 1, (n + 1) * (self.size - 1))
        gap = upper(lambda: (real(odds).log() / n).exp() - real(1 - self.alpha * (1 - q)), BITS)
        return gap / (1 / q - 1)


class _About:
    """The same by floats: nothing that they say is promised.

    Small differences, such as 1 - q, are taken before they are rounded.
    """

    def __init__(self, bound: EnvelopeBound) -> None:
        q = bound.decay.ratio
        self.log_size = math.log(max(bound.size - 1, 1))
        self.gone, self.more = float(bound.alpha * (1 - q)), float(1 / q - 1)
        self.mean, self.edge = float(bound.mean), float(bound.alpha * q)
        self.single = bound.size == 1

    def suffices(self, n: int, beta: float) -> bool:
        """Whether about n rows suffice."""
        odds = 0.0 if self.single else self.odds(0.0, n)
        start = odds / (1 + odds)
        if self.single or not self.mean:
            return start < beta
        slope = (beta - start) / self.mean
        if slope <= 0 or 1 - start > slope * self.edge:
            return False
        turn = math.expm1((math.log1p(-2 / (n + 1)) - self.log_size) / n) if n > 1 else -1.0
        low = max((turn + self.gone) / self.more, 0.0)
        touch = self.touch(n, slope, low, (1 - start) / slope)
        odds = self.odds(touch, n)
        return odds / (1 + odds) <= start + slope * touch

    def odds(self, e: float, n: int) -> float:
        """Return the odds at e."""
        change = max(e * self.more - self.gone, -1.0 + ULP)
        return math.exp(min(700.0, self.log_size + n * math.log1p(change)))

    def touch(self, n: int, slope: float, low: float, high: float) -> float:
        """Return the error at which the concave part of g rises with this slope.

        There the odds w have w / (1 + w)^2 equal to the slope over the relative rise of w, which
        hardly depends on the error.
        """
        e = low
        for _ in range(TURNS):
            share = slope * (1 + e * self.more - self.gone) / (n * self.more)
            if 4 * share >= 1:
                return low
            odds = (1 - 2 * share + math.sqrt(1 - 4 * share)) / (2 * share)
            change = math.expm1((math.log(odds) - self.log_size) / n)
            e = min(max((change + self.gone) / self.more, low), high)
        return e
