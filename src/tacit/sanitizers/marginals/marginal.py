"""Synthetic rows for conjunctions: measure the marginals that a model answers worst."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Exact, InvalidArgument, Privacy, Random, check, hold
from tacit.core.chance.law import Law, certain, product
from tacit.core.composition import calibrate
from tacit.core.cost import BoundedRange, Cost, Gaussian, Repeat, Sequential
from tacit.core.numbers.enclosures import lower, real, round_down
from tacit.mechanisms import DiscreteGaussian, DiscreteGaussianVector, Exponential
from tacit.mechanisms.noise.gaussian_arrays import noise_law
from tacit.sanitizers.contract.attributes import Attributes
from tacit.sanitizers.contract.rounding import simplex, whole
from tacit.sanitizers.contract.synthetic import Synthetic
from tacit.sanitizers.marginals.marginal_model import (
    SMALL,
    AttributeSet,
    MarginalModel,
    Told,
    scales,
)
from tacit.sanitizers.marginals.matched_rows import settled
from tacit.statistics import Counts, ScoreProfile

Transcript = tuple[Told, ...]
NOTHING: Transcript = ()
WIDTH = 3
FIRST, PARITIES = Fraction(1, 10), Fraction(7, 10)
"""The share of the first marginals in the budget, and that of parities, if there are rounds."""
CHECK, SELECT = Fraction(1, 20), Fraction(1, 5)
"""The share of the last measurement in the budget, and that of choosing in each round's."""
FINE = 128  # bits of each probability of noise in a law
MANY = 1 << 20  # rows up to which a table is matched value by value, in a second or two


@dataclass(frozen=True, slots=True)
class MarginalSanitizer:
    """Fit a distribution to noisy marginals, chosen where it is wrong, and say how wrong it is.

    All marginals of one attribute are measured first; or, if all attributes are bits, the parities
    of one, two and three, which a replaced row moves less than their marginals: these are then all
    that is asked for, up to width 3, and there are no rounds unless they are named. Each round
    chooses a set of at most `width` attributes by the exponential mechanism, by how far its
    marginal is from the model's beyond what noise would do, and measures it. At last the greatest
    error of the synthetic rows over all conjunctions, a number that one row moves by 1, is released
    with noise.
    The loop is that of [HLM12] and [MMSM22].

    Guarantee:
        rho-zCDP, in parts as `cost` lists them. With probability at least 1 - beta no conjunction
        of at most `width` attributes is off by more than `promised(synthetic, beta)`, for every
        database.

    Exactness:
        Noise as `DiscreteGaussian`, clipped to public ends, at last to 0 and n; scores are
        integers. The model is a function of what was released, and computed in floats.

    Cost:
        As the tree of `cost`; time, for each round, of a few passes over all cells.

    >>> from tacit.core.chance.randomness import Seeded
    >>> sanitizer = MarginalSanitizer(Attributes.binary(4), rho="1/50", rounds=4)
    >>> made = sanitizer(Counts.of([(0, 0, 1, 1), (1, 1, 0, 1)] * 5000), rng=Seeded(1))
    >>> made.n, float(sanitizer.promised(made, 0.05)) < 0.05
    (10000, True)

    Proof: docs/proofs/marginal_sanitizer.md
    """

    attributes: Attributes
    rho: Fraction
    rounds: int
    width: int
    copies: int
    first: Fraction

    def __init__(
        self,
        attributes: Attributes,
        *,
        rho: Exact,
        rounds: int | None = None,
        width: int | None = None,
        copies: int = 1,
        first: Exact | None = None,
    ) -> None:
        dims = len(attributes.shape)
        hold(self, attributes=attributes).positive(rho=rho)
        bits = set(attributes.shape) == {2}
        width = min(WIDTH, dims) if width is None else width
        hold(self).count(width=width, least=1)
        many = 2 * dims if not bits else dims if width > WIDTH else 0
        rounds = check.count(rounds=many if rounds is None else rounds)
        hold(self, rounds=rounds)
        usual = (PARITIES if bits else FIRST) if rounds else 1 - CHECK
        first = usual if first is None else first
        hold(self).count(copies=copies, least=1).small_probability(first=first)
        if self.width > dims:
            raise InvalidArgument(f"width must be at most {dims}, got {width}")
        if self.first + CHECK >= 1 and (self.rounds or self.first + CHECK > 1):
            raise InvalidArgument(f"first must leave a share for the rest, got {first}")

    @classmethod
    def within(
        cls,
        attributes: Attributes,
        privacy: Privacy,
        *,
        rounds: int | None = None,
        width: int | None = None,
        copies: int = 1,
    ) -> MarginalSanitizer:
        """Return the sanitizer with the greatest rho that keeps this promise; it needs a delta."""
        if not privacy.delta:
            raise InvalidArgument(
                "marginals are measured with Gaussian noise: give a delta above 0"
            )

        def made(rho: Fraction) -> MarginalSanitizer:
            return cls(attributes, rho=rho, rounds=rounds, width=width, copies=copies)

        return made(calibrate(privacy, lambda rho: made(rho).cost))

    @property
    def cost(self) -> Cost:
        parts: list[Cost] = [self._start.cost] if self.first else []
        if self.rounds:
            each = Sequential(BoundedRange(self._epsilon), self._noise.cost)
            parts.append(Repeat(each, self.rounds))
        return Sequential(*parts, Gaussian(self._check.sigma_squared))

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Synthetic:
        n, truth = counts.n, self._truth(counts)
        told: list[Told] = []
        for chosen, values in self._first(truth):
            seen = np.clip(self._start(values, rng=rng), *self._ends(chosen, n))
            told.append((chosen, tuple(seen.tolist()), float(self._start.sigma_squared)))
        model = _model(self.attributes, n, tuple(told)).copy()
        for _ in range(self.rounds):
            chosen = Exponential(self._epsilon)(self._profile(truth, model), rng=rng)
            noisy = self._told(self._noise, truth[chosen], n, rng)
            model.observe(chosen, noisy, float(self._noise.sigma_squared))
        made = _fitted(self.attributes, model.finished(), self.copies * n, self.width)
        off = self._check(self._largest(truth, made), rng=rng)
        return Synthetic.of(self.attributes.shape, made, [min(max(int(off), 0), n)])

    def law(self, counts: Counts[Any], /) -> Law[Synthetic]:
        """Return the law of the rows, on domains of few cells, rows and rounds.

        Its slack is what rounding the probabilities of Gaussian noise down left out.
        """
        n, truth, start = counts.n, self._truth(counts), self.started(counts)
        for _ in range(self.rounds):
            start = start.then(lambda told: self._round(told, truth, n))

        def checked(told: Transcript) -> Law[Synthetic]:
            made = np.array(_rows(self.attributes, n, told, self.copies, self.width))
            seen = clipped_law(self._check.sigma_squared, (self._largest(truth, made),), 0, n)
            return seen.map(lambda off: Synthetic.of(self.attributes.shape, made, off))

        return start.then(checked)

    def started(self, counts: Counts[Any], /) -> Law[Transcript]:
        """Return the law of what is measured first, with its slack."""
        n, law = counts.n, certain(NOTHING)
        for chosen, values in self._first(self._truth(counts)):
            noise = self._start.sigma_squared
            noisy = clipped_law(noise, tuple(values.tolist()), *self._ends(chosen, n))
            law = law.then(lambda told, c=chosen, v=noise, seen=noisy: _next(told, c, v, seen))  # type: ignore[misc]
        return law

    def _round(
        self, told: Transcript, truth: dict[AttributeSet, NDArray[np.int64]], n: int
    ) -> Law[Transcript]:
        """Return the law of the transcript after one more choice and measurement."""
        choice = Exponential(self._epsilon).law(
            self._profile(truth, _model(self.attributes, n, told))
        )
        noise = self._noise.sigma_squared
        return choice.then(
            lambda c: _next(told, c, noise, clipped_law(noise, tuple(truth[c].tolist()), -n, 2 * n))
        )

    def promised(self, synthetic: Synthetic, beta: Exact) -> Fraction:
        """Return the error that is promised for these rows: what was measured, and its noise.

        One row is added for rounding the answers of the synthetic rows.
        """
        n = synthetic.n // self.copies
        if n == 0:
            return Fraction(1)
        noise = self._check.deviation(beta)
        return min(Fraction(1), Fraction(max(0, synthetic.deviations[0]) + noise + 1, n))

    def _largest(
        self, truth: dict[AttributeSet, NDArray[np.int64]], made: NDArray[np.int64]
    ) -> int:
        """Return the greatest error of the rows over all conjunctions, in rows of the data."""
        answers = self.attributes.marginals(made, self.width)
        return max(
            int(abs(count - np.rint(answers[chosen] / self.copies).astype(np.int64)).max())
            for chosen, count in truth.items()
        )

    def _profile(
        self, truth: dict[AttributeSet, NDArray[np.int64]], model: MarginalModel
    ) -> ScoreProfile[AttributeSet]:
        """Score each set by the distance of its marginals, less what noise would add to it."""
        answers = self.attributes.marginals(model.cells, self.width)
        usual = math.sqrt(2 / math.pi * float(self._noise.sigma_squared))
        names = list(truth)
        scores = [
            int(abs(truth[name] - np.rint(answers[name]).astype(np.int64)).sum())
            - round(usual * len(truth[name]))
            for name in names
        ]
        return ScoreProfile.among(names, scores, sensitivity=2)

    def _truth(self, counts: Counts[Any]) -> dict[AttributeSet, NDArray[np.int64]]:
        marginals = self.attributes.marginals(self.attributes.histogram(counts), self.width)
        return {chosen: values for chosen, values in marginals.items() if chosen}

    @staticmethod
    def _told(
        noise: DiscreteGaussianVector, values: NDArray[np.int64], n: int, rng: Random
    ) -> NDArray[np.int64]:
        clipped: NDArray[np.int64] = np.clip(noise(values, rng=rng), -n, 2 * n).astype(np.int64)
        return clipped

    def _first(
        self, truth: dict[AttributeSet, NDArray[np.int64]]
    ) -> Iterator[tuple[AttributeSet, NDArray[np.int64]]]:
        """Yield what is measured first: marginals of one attribute, or parities as one number."""
        for chosen, values in truth.items() if self.first else ():
            if self._bits and len(chosen) <= len(self._scales):
                even = np.indices((2,) * len(chosen)).sum(axis=0).ravel() % 2 == 0
                yield chosen, self._scales[len(chosen) - 1] * values[even].sum(keepdims=True)
            elif len(chosen) == 1:
                yield chosen, values

    def _ends(self, chosen: AttributeSet, n: int) -> tuple[int, int]:
        """Return where noisy counts are clipped; those of parities at what they could be."""
        return (0, self._scales[len(chosen) - 1] * n) if self._bits else (-n, 2 * n)

    @property
    def _scales(self) -> tuple[int, ...]:
        return scales(self.width)

    @property
    def _bits(self) -> bool:
        return set(self.attributes.shape) == {2}

    @property
    def _start(self) -> DiscreteGaussianVector:
        """The noise of what is measured first.

        A replaced row moves two counts of each attribute by 1. If it flips h of d bits, it moves
        the parities of those sets which have an odd number of them, each by its scale.
        """
        dims = len(self.attributes.shape)
        squared = 2 * dims
        if self._bits:
            squared = max(
                sum(
                    scale**2 * math.comb(h, odd) * math.comb(dims - h, width - odd)
                    for width, scale in enumerate(self._scales, start=1)
                    for odd in range(1, width + 1, 2)
                )
                for h in range(dims + 1)
            )
        return DiscreteGaussianVector(squared / (2 * self.first * self.rho), squared)

    @property
    def _noise(self) -> DiscreteGaussianVector:
        return DiscreteGaussianVector(1 / ((1 - SELECT) * self._each), 2)

    @property
    def _check(self) -> DiscreteGaussian:
        return DiscreteGaussian(1 / (2 * CHECK * self.rho))

    @property
    def _epsilon(self) -> Fraction:
        """A bounded range of rate epsilon^2 / 8, at most what selection may have."""
        rate = 8 * SELECT * self._each
        return round_down(lower(lambda: real(rate).sqrt()), 20)

    @property
    def _each(self) -> Fraction:
        return (1 - self.first - CHECK) * self.rho / self.rounds


@lru_cache(maxsize=1 << 10)
def clipped_law(
    noise: Fraction, values: tuple[int, ...], low: int, high: int
) -> Law[tuple[int, ...]]:
    """Return the law of values with noise, clipped."""
    each = noise_law(noise, FINE)
    return product(
        each.map(lambda z, v=v: min(max(v + z, low), high))  # type: ignore[misc]
        for v in values
    )


def _next(
    told: Transcript, chosen: AttributeSet, variance: Fraction, noisy: Law[tuple[int, ...]]
) -> Law[Transcript]:
    return noisy.map(lambda seen: (*told, (chosen, seen, float(variance))))


@lru_cache(maxsize=1 << 12)
def _model(attributes: Attributes, n: int, told: Transcript) -> MarginalModel:
    """Return the model after these observations; not to be changed."""
    model = MarginalModel(attributes, n)
    bits = set(attributes.shape) == {2}
    parities = [(chosen, seen[0]) for chosen, seen, _ in told if bits and len(seen) == 1]
    if parities:
        model.observe_parities(parities, told[0][2])
    for chosen, seen, variance in told[len(parities) :]:
        model.observe(chosen, np.array(seen), variance)
    return model


@lru_cache(maxsize=1 << 12)
def _rows(
    attributes: Attributes, n: int, told: Transcript, copies: int, width: int
) -> tuple[int, ...]:
    cells = _model(attributes, n, told).copy().finished()
    return tuple(_fitted(attributes, cells, copies * n, width).tolist())


def _fitted(
    attributes: Attributes, cells: NDArray[np.float64], total: int, width: int
) -> NDArray[np.int64]:
    """Round the model to so many rows, and settle their marginals if they are not too many."""
    made = whole(simplex(cells, round(cells.sum())), total)
    if not 0 < total < max(attributes.size, MANY):
        return made
    shape, scale = attributes.shape, total / max(cells.sum(), SMALL)
    answers = attributes.marginals(scale * cells, width).items()
    wanted = {chosen: table for chosen, table in answers if len(chosen) == width}
    rows = settled(Synthetic.of(shape, made).rows(), shape, wanted)
    return np.bincount(np.ravel_multi_index(tuple(rows.T), shape), minlength=attributes.size)
