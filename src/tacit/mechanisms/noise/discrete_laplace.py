"""Two-sided geometric noise on integers: the discrete Laplace mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, overload

from numpy.typing import NDArray

from tacit.core import check
from tacit.core.chance.law import Law, product
from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.frozen import hold
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import log_lower, log_upper
from tacit.core.numbers.exact import Exact
from tacit.core.own_cost import PureCost
from tacit.mechanisms.noise.additive import Vector, add, integers
from tacit.mechanisms.noise.geometric import tail, tail_upper, two_sided

WIDEST = 10_000


@dataclass(frozen=True, slots=True)
class DiscreteLaplace(PureCost):
    """Add noise Z, P[Z = z] = (1 - q) / (1 + q) * q^|z| with q = e^(-epsilon / sensitivity).

    The input is one integer, or integers in a sequence or array whose l1 distance between
    neighbouring databases is at most `sensitivity`; each gets noise of its own.

    Guarantee:
        epsilon-DP [GRS12]. An answer is off by `deviation` or more with probability exactly 2
        q^deviation / (1 + q).

    Exactness:
        q is a rational >= e^(-epsilon / sensitivity) within 2^-63 of it; the law with that q is
        sampled without error for every epsilon, and it is the one that is private.

    Cost:
        `Pure(epsilon)`; two 64-bit words a draw, at most five for epsilon >= 1e-9.

    >>> from tacit.core.chance.randomness import Seeded
    >>> DiscreteLaplace(50)(41, rng=Seeded(1))
    41
    >>> DiscreteLaplace(50, sensitivity=2)([3, 1, 4], rng=Seeded(1))
    array([3, 1, 4])

    Proof: docs/proofs/discrete_laplace.md
    """

    epsilon: Fraction
    sensitivity: int

    def __init__(self, epsilon: Exact, sensitivity: int = 1) -> None:
        hold(self).positive(epsilon=epsilon).count(sensitivity=sensitivity, least=1)

    @overload
    def __call__(self, value: int, *, rng: Random) -> int: ...
    @overload
    def __call__(self, value: Vector, *, rng: Random) -> NDArray[Any]: ...
    def __call__(self, value: int | Vector, *, rng: Random) -> int | NDArray[Any]:
        """Return the noisy integer, or integers in the shape they came in; they never wrap."""
        alone = not hasattr(value, "__len__")
        values = integers([value] if alone else value)  # type: ignore[list-item, arg-type]
        noise = two_sided(self._decay, values.size, rng=rng).reshape(values.shape)
        noisy = add(values, noise)
        return int(noisy[0]) if alone else noisy

    @overload
    def law(self, value: int, *, low: int, high: int) -> Law[int]: ...
    @overload
    def law(self, value: Sequence[int], *, low: int, high: int) -> Law[tuple[int, ...]]: ...
    def law(
        self, value: int | Sequence[int], *, low: int, high: int
    ) -> Law[int] | Law[tuple[int, ...]]:
        """Return the exact law of the answer, everything <= low told as low and >= high as high.

        Outside of [low, high] two laws whose true values lie inside have a constant ratio, so the
        two lumped symbols keep every divergence: nothing is lost, if all databases use the same
        cuts and their values lie between them (docs/proofs/discrete_laplace.md).

        >>> DiscreteLaplace(1).law(0, low=-1, high=1)[-1] == DiscreteLaplace(1).failure(1) / 2
        True
        """
        if check.count(high=high, least=low + 1) - low > WIDEST:
            raise TooLarge(f"high - low must be at most {WIDEST} for a law, got {high - low}")
        for item in value if isinstance(value, Sequence) else [value]:
            if not low <= item <= high:
                raise InvalidArgument("a law loses nothing only if low <= value <= high")
        if isinstance(value, Sequence):
            return product([self._law(item, low, high) for item in value])
        return self._law(value, low, high)

    def failure(self, deviation: int, *, size: int = 1) -> Fraction:
        """Bound the probability that one of `size` answers is off by `deviation` or more.

        Exact for one answer, except that powers of more than 2^16 bits are rounded up by a part
        in 2^127.

        >>> float(DiscreteLaplace(1).failure(5))
        0.00985...
        """
        size = check.count(size=size, least=1)
        if check.count(deviation=deviation) == 0:
            return Fraction(1)
        return min(Fraction(1), 2 * size * tail_upper(self._decay, deviation))

    def deviation(self, beta: Exact, *, size: int = 1) -> int:
        """Return the least deviation for which `failure` is at most beta.

        >>> DiscreteLaplace(1).deviation(0.05), DiscreteLaplace("1e-9").deviation(0.05)
        (4, 2995732275)
        """
        beta = check.probability(beta=beta)
        ratio = self._decay.ratio
        odds = log_lower(2 * check.count(size=size, least=1) / (beta * (1 + ratio)))
        rate = log_upper(1 / ratio, 512)
        least = max(1, int(odds / rate))
        while self.failure(least, size=size) > beta:
            least += 1
        return least

    @property
    def _decay(self) -> Decay:
        return Decay.of(self.epsilon / self.sensitivity)

    def _law(self, value: int, low: int, high: int) -> Law[int]:
        decay = self._decay
        at_zero = (1 - decay.ratio) / (1 + decay.ratio)
        inner = {z: at_zero * decay.power(abs(z - value)) for z in range(low + 1, high)}
        return Law({low: tail(decay, value - low), **inner, high: tail(decay, high - value)})
