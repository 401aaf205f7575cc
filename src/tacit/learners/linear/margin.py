"""Linear rules for tables of many columns: noisy gradient steps, in integers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import isqrt, prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts import Halfspaces
from tacit.concepts.rules.scorecard import Scorecard
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Exact, InvalidArgument, Law, Privacy, Random, hold
from tacit.core.composition import calibrate
from tacit.core.cost import Repeat, Sequential, ZeroConcentrated
from tacit.learners.contract import Proper, Request, Unpromising, entry_of
from tacit.learners.linear.linear_frame import (
    LinearFrame,
    centre,
    moments,
    moments_moved,
    norm_squared,
    spread,
)
from tacit.mechanisms import DiscreteGaussianVector
from tacit.mechanisms.noise.gaussian_arrays import noise_law
from tacit.statistics import LabelCounts

STEPS = 20
BITS = 10
FIRST = Fraction(3, 20)
"""The share of rho that goes to the centres and spreads."""

RATE = 4
CALM = Fraction(3, 5)
"""The rate is lowered until the noise of all steps moves no margin by more, about."""

FINER = 6
"""Weights have so many bits more than coordinates."""

HEAVIEST = 64
"""No weight is larger, in its own unit."""

MOST_ROWS = 1 << 30

LISTED = 64
FINE = 80
"""How many bits a probability of noise has, and one of a hypothesis, in a law."""

Vector = tuple[int, ...]

State = tuple[Vector, Vector]
"""The weights, and the sum of the weights of the later steps."""


@dataclass(frozen=True, slots=True)
class MarginLearner(Proper[Scorecards], Unpromising):
    """Descend on a smooth hinge loss, each gradient with discrete Gaussian noise.

    First the mean and the spread of every coordinate are told, with noise; then follow `steps`
    gradients over all rows, each row clipped; the weights of the later half are averaged and
    written as a scorecard. With more `bits` everything is rounded more finely.

    Guarantee:
        rho-zCDP on every sample [BS16; CKS20, Thm. 4]: every release is a vector of integers of
        proved sensitivity. Nothing is promised about the error: `accuracy` is None. Measured errors
        are in docs/learners/margin.md.

    Exactness:
        Integers throughout: coordinates, clipping, gradients and weights are exact, and the noise
        is drawn without error.

    Cost:
        `Sequential` of rho-zCDP releases; time O(steps * points * weights), whatever the domain.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = MarginLearner.within(Scorecards("100x100"), Privacy(1, "1e-6"))
    >>> rows = [((a, b), (a + 2 * b >= 150,)) for a in range(0, 100, 2) for b in range(0, 100, 2)]
    >>> card = learner(LabelCounts.of(rows, labels=1), rng=Seeded(1))
    >>> sum(bool(card(np.array([x]))[0]) != y[0] for x, y in rows) < 50
    True

    Proof: docs/proofs/margin.md
    """

    concepts: Scorecards
    rho: Fraction
    steps: int
    bits: int

    name: ClassVar[str] = "margin"
    theorem: ClassVar[str] = "BST14"
    """The key of the method; it has no constants that would be worth promising."""

    def __init__(
        self, concepts: Scorecards, *, rho: Exact, steps: int = STEPS, bits: int = BITS
    ) -> None:
        hold(self, concepts=concepts).positive(rho=rho).count(steps=steps, least=1).count(bits=bits)
        if bits > BITS:
            raise InvalidArgument(f"bits must be at most {BITS}, got {bits}")

    @classmethod
    def within(cls, concepts: Scorecards, privacy: Privacy, *, steps: int = STEPS) -> MarginLearner:
        """Return the learner with the greatest rho, of five digits, that this promise allows."""
        rho = calibrate(privacy, ZeroConcentrated)
        return cls(concepts, rho=rho, steps=steps)

    @property
    def cost(self) -> Sequential:
        """What learning one label costs."""
        return Sequential(self._first.cost, Repeat(self._step.cost, self.steps))

    @property
    def largest_sample(self) -> int | None:
        """So many rows that no sum overflows."""
        return MOST_ROWS

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Scorecard:
        """Learn one label."""
        told = self._first(self._moments(sample), rng=rng)
        frame = self._framed(told.tolist(), sample.n)
        rows, state = frame.rows(sample.points), self._start
        noise, rate = self._step, self._rate(sample.n)
        for step in range(self.steps):
            pull = noise(self._gradient(rows, sample, label, state[0]), rng=rng)
            state = self._moved(state, pull.tolist(), rate, step)
        return frame.scorecard(state[1])

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Scorecard]:
        """Return the law of the hypothesis, for few `bits`, one step, and little noise.

        Probabilities are rounded down, so every outcome's is at most the true one, and the slack is
        what all of them together lack of 1.
        """
        found: Counter[Scorecard] = Counter()
        for frame, weight in self._frames(sample):
            rows = frame.rows(sample.points)
            for (_, total), share in self._descents(rows, sample, label).items():
                found[frame.scorecard(total)] += weight * share
        listed = {card: Fraction(w >> self._rest, 1 << FINE) for card, w in found.items()}
        return Law(listed, 1 - sum(listed.values(), Fraction(0)))

    def _frames(self, sample: LabelCounts) -> Iterator[tuple[LinearFrame, int]]:
        """Yield all frames that may be told; each coordinate is read off its own two moments."""
        told, unit, n, blur = self._moments(sample), self._unit, sample.n, self._blur
        read = []
        for mean, square in zip(told[: len(told) // 2], told[len(told) // 2 :], strict=True):
            pairs: Counter[tuple[int, int]] = Counter()
            centres: Counter[int] = Counter()
            for (m,), weight in _told(self._first, [mean]):
                centres[centre(m, unit, n)] += weight
            for (m,), weight in _told(self._first, [square]):
                for c, share in centres.items():
                    pairs[c, spread(m, c, unit, n, blur)] += weight * share
            read.append(pairs.items())
        for chosen in product(*read):
            centres_, spreads = zip(*(pair for pair, _ in chosen), strict=True)
            yield (
                LinearFrame(self.concepts, unit, centres_, spreads),
                prod(weight for _, weight in chosen),
            )

    def _descents(self, rows: NDArray[np.int64], sample: LabelCounts, label: int) -> Counter[State]:
        states: Counter[State] = Counter({self._start: 1})
        noise, rate = self._step, self._rate(sample.n)
        for step in range(self.steps):
            later: Counter[State] = Counter()
            for state, weight in states.items():
                pull = self._gradient(rows, sample, label, state[0]).tolist()
                for told, share in _told(noise, pull):
                    later[self._moved(state, told, rate, step)] += weight * share
            states = later
        return states

    @property
    def _rest(self) -> int:
        """How many bits the products of probabilities have beyond those that the law keeps."""
        drawn = 2 * self.concepts.dims + self.steps * (self.concepts.dims + 1)
        return LISTED * drawn - FINE

    @property
    def _unit(self) -> int:
        return 1 << self.bits

    @property
    def _first(self) -> DiscreteGaussianVector:
        moved = moments_moved(self.concepts, self._unit)
        return DiscreteGaussianVector(moved / (2 * FIRST * self.rho), moved)

    @property
    def _blur(self) -> int:
        """How far a moment is off, about."""
        return isqrt(int(self._first.sigma_squared))

    @property
    def _step(self) -> DiscreteGaussianVector:
        """A row's gradient is a row times at most the unit, and may turn into its opposite."""
        moved = 4 * self._unit**2 * norm_squared(self.concepts, self._unit)
        return DiscreteGaussianVector(moved * self.steps / (2 * (1 - FIRST) * self.rho), moved)

    @property
    def _start(self) -> State:
        nothing = (0,) * (self.concepts.dims + 1)
        return nothing, nothing

    def _rate(self, n: int) -> Fraction:
        """Return how far to follow a sum of gradients: less where noise is large beside n rows."""
        noise = self.steps * self._step.sigma_squared * norm_squared(self.concepts, self._unit)
        calm = CALM * self._unit**2 / (isqrt(int(noise)) + 1)
        return min(Fraction(RATE, max(n, 1) * self._unit), calm)

    def _moments(self, sample: LabelCounts) -> list[int]:
        return moments(self.concepts, self._unit, sample.points, sample.totals)

    def _framed(self, told: Sequence[int], n: int) -> LinearFrame:
        half, blur = len(told) // 2, self._blur
        centres = tuple(centre(m, self._unit, n) for m in told[:half])
        spreads = tuple(
            spread(m, c, self._unit, n, blur) for m, c in zip(told[half:], centres, strict=True)
        )
        return LinearFrame(self.concepts, self._unit, centres, spreads)

    def _gradient(
        self, rows: NDArray[np.int64], sample: LabelCounts, label: int, weights: Sequence[int]
    ) -> NDArray[np.int64]:
        """Return the sum over all rows of y c x, where c = (1 - y w.x) / 2 cut to [0, 1]."""
        unit, ones = self._unit, sample.positives[:, label]
        margins = rows @ np.array(weights, dtype=np.int64) >> (FINER + self.bits)
        yes = np.clip((unit - margins + 1) // 2, 0, unit)
        no = np.clip((unit + margins + 1) // 2, 0, unit)
        signed: NDArray[np.int64] = ones * yes - (sample.totals - ones) * no
        return np.asarray(signed @ rows, dtype=np.int64)

    def _moved(self, state: State, pull: Sequence[int], rate: Fraction, step: int) -> State:
        """Take one step; weights are cut to a public box, and the later half is added up."""
        weights, total = state
        most = HEAVIEST * self._unit << FINER
        moved = tuple(
            max(-most, min(most, w + (rate.numerator * g << FINER) // rate.denominator))
            for w, g in zip(weights, pull, strict=True)
        )
        if step < self.steps // 2:
            return moved, total
        return moved, tuple(t + w for t, w in zip(total, moved, strict=True))


def _told(noise: DiscreteGaussianVector, values: Sequence[int]) -> Iterator[tuple[Vector, int]]:
    """Yield what may be told in place of the values, with 2^LISTED times its probability each."""
    law = noise_law(noise.sigma_squared, LISTED).probabilities
    weights = [(z, int(p * (1 << LISTED))) for z, p in law.items() if p]
    for drawn in product(weights, repeat=len(values)):
        told = tuple(value + z for value, (z, _) in zip(values, drawn, strict=True))
        yield told, prod(weight for _, weight in drawn)


def columns_of(concepts: Halfspaces | Scorecards) -> Scorecards:
    """Return the scorecards over the columns of a class.

    >>> str(columns_of(Halfspaces(bits=3, dims=2)))
    'scorecards(values=8x8)'
    """
    if isinstance(concepts, Scorecards):
        return concepts
    return Scorecards("x".join([str(1 << concepts.bits)] * concepts.dims))


def _make(request: Request) -> MarginLearner:
    concepts: Any = request.concepts
    return MarginLearner.within(columns_of(concepts), request.privacy)


ENTRY = entry_of(
    MarginLearner,
    MarginLearner.name,
    "points for each column by noisy gradient steps; promises no error",
    families=("halfspaces", "scorecards"),
    make=_make,
)
