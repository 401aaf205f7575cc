"""Noise on every cell of a small domain, then the nearest counts that could be."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Decay, Exact, InvalidArgument, PureCost, Random, check, hold
from tacit.core.chance.law import Law, certain
from tacit.mechanisms import DiscreteLaplace
from tacit.mechanisms.noise.geometric import tail_upper
from tacit.sanitizers.cells.smoothing import affordable, smoothed
from tacit.sanitizers.contract.attributes import Attributes
from tacit.sanitizers.contract.rounding import balanced, simplex, sum_deviation, whole
from tacit.sanitizers.contract.synthetic import Synthetic
from tacit.statistics import Counts

USUAL = Fraction(1, 20)
WIDTH = 3


@dataclass(frozen=True, slots=True)
class HistogramSanitizer(PureCost):
    """Release all cells with noise, and make rows that fit them.

    The rows come from the noisy counts and a model that fits them, where their answers are as near
    to the noisy ones as noise explains; and else from the nearest non-negative counts with the
    right sum.

    Guarantee:
        epsilon-DP: a replaced row moves two cells by 1, and the noise is two-sided geometric of
        rate epsilon / 2 [GRS12]; all the rest is post-processing. With probability at least 1 -
        beta no conjunction over at most `width` attributes is off by more than `promised(synthetic,
        beta)`, for every database.

    Exactness:
        Noise as `DiscreteLaplace`, clipped to -n and 2n. What follows is computed in floats from
        what is public by then.

    Cost:
        `Pure(epsilon)`; time linear in the number of cells and pairs of attributes.

    >>> from tacit.core.chance.randomness import Seeded
    >>> sanitizer = HistogramSanitizer(Attributes.binary(2), epsilon=2)
    >>> made = sanitizer(Counts.of([(0, 0)] * 400 + [(1, 1)] * 600), rng=Seeded(1))
    >>> made.table, float(sanitizer.promised(made, 0.05))
    (((0, 400), (3, 600)), 0.01)

    Proof: docs/proofs/histogram_sanitizer.md
    """

    attributes: Attributes
    epsilon: Fraction
    width: int

    def __init__(self, attributes: Attributes, *, epsilon: Exact, width: int | None = None) -> None:
        hold(self, attributes=attributes).positive(epsilon=epsilon)
        dims = len(attributes.shape)
        width = min(WIDTH, dims) if width is None else check.count(width=width, least=1)
        if width > dims:
            raise InvalidArgument(f"width must be at most {dims}, got {width}")
        hold(self, width=width)

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Synthetic:
        noisy = DiscreteLaplace(self.epsilon, 2)(self.attributes.histogram(counts), rng=rng)
        return self.made(np.clip(noisy, -counts.n, 2 * counts.n).astype(np.int64), counts.n)

    def law(self, counts: Counts[Any], /) -> Law[Synthetic]:
        n = counts.n
        if n == 0:
            return certain(Synthetic.of(self.attributes.shape, np.zeros(0)))
        values = self.attributes.histogram(counts).tolist()
        noisy = DiscreteLaplace(self.epsilon, 2).law(values, low=-n, high=2 * n)
        return noisy.map(lambda clipped: _remade(self, clipped, n))

    def promised(self, synthetic: Synthetic, beta: Exact, *, width: int | None = None) -> Fraction:
        """Bound the error of all conjunctions of one width, or of all, as a share of the rows.

        The bound holds for all widths at once with probability 1 - beta: it adds how far the
        answers are from the noisy ones, which is public, to how far those are from the truth.
        """
        n, each = synthetic.n, self.noise(synthetic.n, check.probability(beta=beta))
        if not n or each is None:
            return Fraction(1)
        errors = [Fraction(d + e, n) for d, e in zip(synthetic.deviations, each, strict=True)]
        return min(Fraction(1), max(errors) if width is None else errors[width - 1])

    def made(self, noisy: NDArray[np.int64], n: int) -> Synthetic:
        """Turn noisy counts into rows; a function of public things."""
        if n == 0:
            return Synthetic.of(self.attributes.shape, noisy[:0])
        shape = self.attributes.shape
        if affordable(shape):
            given = smoothed(noisy, shape, n, float(self._decay.ratio))
            fine = balanced(given, n, shape, self.width)
            off, limits = self._deviations(fine, noisy), self.noise(n, USUAL)
            if limits is not None and all(d <= most for d, most in zip(off, limits, strict=True)):
                return Synthetic.of(shape, fine, off)
        plain = whole(simplex(noisy, n), n)
        return Synthetic.of(shape, plain, self._deviations(plain, noisy))

    def _deviations(self, made: NDArray[np.int64], noisy: NDArray[np.int64]) -> list[int]:
        return [int(d) for d in self.attributes.deviations(made, noisy, self.width)]

    def noise(self, n: int, beta: Fraction) -> tuple[int, ...] | None:
        """Bound the noise of all answers of each width, but for probability beta; None if it clips.

        Only where noise is clipped, which counts as a failure, may a sum be off by more than noise.
        """
        clipped = 2 * self.attributes.size * tail_upper(self._decay, n + 1)
        if 2 * clipped > beta:
            return None
        return _bounds(self.attributes, self.width, self._decay, beta - clipped)

    @property
    def _decay(self) -> Decay:
        return Decay.of(self.epsilon / 2)


@lru_cache(maxsize=1 << 14)
def _remade(sanitizer: HistogramSanitizer, noisy: tuple[int, ...], n: int) -> Synthetic:
    return sanitizer.made(np.array(noisy), n)


@lru_cache(maxsize=64)
def _bounds(attributes: Attributes, width: int, decay: Decay, beta: Fraction) -> tuple[int, ...]:
    """Bound the noise of all answers, by width; beta is shared out over widths, then answers."""
    return tuple(
        sum_deviation(
            decay, attributes.largest_part(w), beta / (width * attributes.conjunctions(w))
        )
        - 1
        for w in range(1, width + 1)
    )
