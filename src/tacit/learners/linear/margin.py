"""Linear rules for tables of many columns: noisy gradient steps, in integers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isqrt, log, prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts import Halfspaces
from tacit.concepts.rules.scorecard import Scorecard
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Exact, InvalidArgument, Law, Privacy, Random, hold
from tacit.core.composition import calibrate
from tacit.core.cost import ZeroConcentrated
from tacit.learners.contract import Proper, Request, Unpromising, entry_of
from tacit.learners.linear.linear_frame import (
    LinearFrame,
    codes_of,
    framed,
    moments,
    moments_moved,
    norm_squared,
)
from tacit.learners.linear.written_card import written
from tacit.mechanisms import DiscreteGaussianVector
from tacit.mechanisms.noise.gaussian_arrays import noise_law
from tacit.statistics import LabelCounts

STEPS = 80
BITS = 10
FIRST = Fraction(1, 5)
"""The share of what is left of rho that goes to the centres and spreads."""

ONES = Fraction(3, 100)
"""The share of rho for the number of yes, or more; see `caution`."""

CAUTION = 3472
"""1 / (2 * 0.012^2): off by 1.2 % of n rows, the more frequent answer is missed at a mean cost of
at most 0.4 %; it takes this over n^2 of rho to know the number of yes so well."""

RATE = 2
RAREST = Fraction(1, 50)
"""The rate over the variance of the label, which counts as no less than this."""

CALM = Fraction(3, 5)
"""The rate is lowered until the noise of all steps moves no margin by more, about."""

FINER = 6
"""Weights have so many bits more than coordinates."""

HEAVIEST = 64
"""No weight is larger, in its own unit."""

SHRUNK = 6
"""Weights are shortened by this part of what the noise of all steps would have added to them."""

SURE = 8
"""Beyond so many logits a probability counts as that there."""

MOST_ROWS = 1 << 30

LISTED = 64
FINE = 80
"""How many bits a probability of noise has, and one of a hypothesis, in a law."""

Vector = tuple[int, ...]

State = tuple[Vector, Vector]
"""The weights, and the sum of the weights of the last steps."""


@dataclass(frozen=True, slots=True)
class MarginLearner(Proper[Scorecards], Unpromising):
    """Descend on the logistic loss, each gradient with discrete Gaussian noise.

    First the number of yes is told, then mean and spread of every column, with noise; then follow
    `steps` gradients over all rows, each row shortened, and the weights of the last quarter are
    averaged. Where noise may have made them they are shrunk, so that in the end the card says what
    is more frequent; where the number of yes alone takes twice of rho (`caution` over n^2), nothing
    else is asked. With more `bits` everything is rounded more finely.

    Guarantee:
        rho-zCDP on every sample [BS16; CKS20, Thm. 4]: every release is a vector of integers of
        proved sensitivity. Nothing is promised about the error: `accuracy` is None. Measured errors
        are in docs/learners/margin.md.

    Exactness:
        Integers throughout: coordinates, shortening, gradients and weights are exact, and the noise
        is drawn without error. Floats make a public table of probabilities, and nothing else.

    Cost:
        `ZeroConcentrated(rho)` for all releases; time O(steps * points * weights), whatever the
        domain.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = MarginLearner.within(Scorecards("s100xs100"), Privacy(1, "1e-6"))
    >>> rows = [((a, b), (a + 2 * b >= 150,)) for a in range(0, 100, 2) for b in range(0, 100, 2)]
    >>> card = learner(LabelCounts.of(rows, labels=1), rng=Seeded(1))
    >>> sum(bool(card(np.array([x]))[0]) != y[0] for x, y in rows) < 125
    True

    Proof: docs/proofs/margin.md
    """

    concepts: Scorecards
    rho: Fraction
    steps: int
    bits: int
    caution: int

    name: ClassVar[str] = "margin"
    theorem: ClassVar[str] = "BST14"
    """The key of the method; it has no constants that would be worth promising."""

    def __init__(
        self,
        concepts: Scorecards,
        *,
        rho: Exact,
        steps: int = STEPS,
        bits: int = BITS,
        caution: int = CAUTION,
    ) -> None:
        hold(self, concepts=concepts).positive(rho=rho).count(steps=steps, least=1)
        hold(self).count(bits=bits, caution=caution)
        if bits > BITS:
            raise InvalidArgument(f"bits must be at most {BITS}, got {bits}")

    @classmethod
    def within(cls, concepts: Scorecards, privacy: Privacy, *, steps: int = STEPS) -> MarginLearner:
        """Return the learner with the greatest rho, of five digits, that this promise allows."""
        rho = calibrate(privacy, ZeroConcentrated)
        return cls(concepts, rho=rho, steps=steps)

    @property
    def cost(self) -> ZeroConcentrated:
        """What learning one label costs."""
        return ZeroConcentrated(self.rho)

    @property
    def largest_sample(self) -> int | None:
        """So many rows that no sum overflows."""
        return MOST_ROWS

    def releases(
        self, n: int
    ) -> tuple[DiscreteGaussianVector, DiscreteGaussianVector, DiscreteGaussianVector]:
        """Return the noise on the number of yes, on the moments, and on each gradient of n rows.

        A row's gradient is a row times at most the unit, and may turn into its opposite.
        """
        ones = self._ones(n)
        rest = self.rho - ones or self.rho  # if nothing is left, nothing more is told
        moved = moments_moved(self.concepts, self._unit)
        turned = 4 * self._unit**2 * self._longest
        rates = ones, FIRST * rest, (1 - FIRST) * rest / self.steps
        first, second, third = (
            DiscreteGaussianVector(Fraction(far) / (2 * rate), far)
            for far, rate in zip((1, moved, turned), rates, strict=True)
        )
        return first, second, third

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Scorecard:
        """Learn one label."""
        n, (ones, first, noise) = sample.n, self.releases(sample.n)
        yes = int(ones([int(sample.positives[:, label].sum())], rng=rng)[0])
        if self._ones(n) == self.rho:
            return self._constant(yes, n)
        frame = self._framed(first(self._moments(sample), rng=rng).tolist(), n)
        rows, (rate, state) = self._rows(frame, sample), self._begun(yes, n)
        for step in range(self.steps):
            pull = noise(self._gradient(rows, sample, label, state[0]), rng=rng)
            state = self._moved(state, pull.tolist(), rate, step)
        return self._card(frame, state, rate, n)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Scorecard]:
        """Return the law of the hypothesis, for few `bits`, one step, and little noise.

        Probabilities are rounded down, so every outcome's is at most the true one, and the slack is
        what all of them together lack of 1.
        """
        n, (ones, first, _) = sample.n, self.releases(sample.n)
        if self._ones(n) == self.rho:
            alone = ones.law([int(sample.positives[:, label].sum())])
            return alone.map(lambda told: self._constant(told[0], n))
        frames: Counter[LinearFrame] = Counter()
        for told, weight in _told(first, self._moments(sample)):
            frames[self._framed(told, n)] += weight
        begun: Counter[tuple[Fraction, State]] = Counter()
        for (yes,), weight in _told(ones, [int(sample.positives[:, label].sum())]):
            begun[self._begun(yes, n)] += weight
        found: Counter[Scorecard] = Counter()
        for (frame, weight), ((rate, start), share) in product(frames.items(), begun.items()):
            rows = self._rows(frame, sample)
            for state, chance in self._descents(rows, sample, label, rate, start).items():
                found[self._card(frame, state, rate, n)] += weight * share * chance
        rest = LISTED * (1 + len(self._moments(sample)) + self.steps * len(self._nothing)) - FINE
        listed = {card: Fraction(w >> rest, 1 << FINE) for card, w in found.items()}
        return Law(listed, 1 - sum(listed.values(), Fraction(0)))

    def _descents(
        self, rows: NDArray[np.int64], sample: LabelCounts, label: int, rate: Fraction, start: State
    ) -> Counter[State]:
        states: Counter[State] = Counter({start: 1})
        noise = self.releases(sample.n)[2]
        for step in range(self.steps):
            later: Counter[State] = Counter()
            for state, weight in states.items():
                pull = self._gradient(rows, sample, label, state[0]).tolist()
                for told, share in _told(noise, pull):
                    later[self._moved(state, told, rate, step)] += weight * share
            states = later
        return states

    def _ones(self, n: int) -> Fraction:
        """Return how much of rho goes to the number of yes."""
        needed = Fraction(self.caution, max(n, 1) ** 2)
        if needed > 2 * self.rho:
            return self.rho
        return min(self.rho / 2, max(ONES * self.rho, needed))

    def _constant(self, yes: int, n: int) -> Scorecard:
        """Return the card without points that says what is more frequent."""
        nobody = np.zeros((0, self.concepts.features), dtype=np.int64)
        nothing = moments(self.concepts, self._unit, nobody, np.zeros(0, dtype=np.int64))
        frame = self._framed(nothing, n)
        return written(frame, self._begun(yes, n)[1][0], self._one)

    @property
    def _unit(self) -> int:
        return 1 << self.bits

    @property
    def _one(self) -> int:
        """The weight that counts as 1."""
        return self._unit << FINER

    @property
    def _longest(self) -> int:
        return norm_squared(self.concepts, self._unit)

    @property
    def _nothing(self) -> Vector:
        return (0,) * (1 + self.concepts.dims)

    def _begun(self, yes: int, n: int) -> tuple[Fraction, State]:
        """Return the rate, and no weights but a constant: the logit of the noisy share of yes.

        The rate is less where noise is large beside n rows.
        """
        rows = max(n, 1)
        share = Fraction(2 * max(0, min(rows, yes)) + 1, 2 * rows + 2)
        noise = self.steps * self.releases(n)[2].sigma_squared * self._longest
        calm = CALM * self._unit**2 / (isqrt(int(noise)) + 1)
        rate = min(RATE / max(share * (1 - share), RAREST) / (rows * self._unit), calm)
        logit = log(share / (1 - share)) * self._one * self._unit / max(self._unit // 2, 1)
        return rate, ((*self._nothing[1:], round(logit)), self._nothing)

    def _moments(self, sample: LabelCounts) -> list[int]:
        return moments(self.concepts, self._unit, sample.points, sample.totals)

    def _framed(self, told: Sequence[int], n: int) -> LinearFrame:
        blur = isqrt(int(self.releases(n)[1].sigma_squared))
        return framed(self.concepts, self._unit, told, n, blur)

    def _rows(self, frame: LinearFrame, sample: LabelCounts) -> NDArray[np.int64]:
        return frame.rows(codes_of(self.concepts, sample.points), self._longest)

    def _gradient(
        self, rows: NDArray[np.int64], sample: LabelCounts, label: int, weights: Sequence[int]
    ) -> NDArray[np.int64]:
        """Return the sum over all rows of (y - p) x, where p is the probability of yes."""
        unit, ones = self._unit, sample.positives[:, label]
        margins = rows @ np.array(weights, dtype=np.int64) >> (FINER + self.bits)
        chance = _chances(unit)[np.clip(margins, -SURE * unit, SURE * unit) + SURE * unit]
        return np.asarray((ones * unit - sample.totals * chance) @ rows, dtype=np.int64)

    def _moved(self, state: State, pull: Sequence[int], rate: Fraction, step: int) -> State:
        """Take one step; weights are cut to a public box, and those of the last quarter add up."""
        weights, total = state
        most = HEAVIEST * self._one
        moved = tuple(
            max(-most, min(most, w + (rate.numerator * g << FINER) // rate.denominator))
            for w, g in zip(weights, pull, strict=True)
        )
        if step < self.steps * 3 // 4:
            return moved, total
        return moved, tuple(t + w for t, w in zip(total, moved, strict=True))

    def _card(self, frame: LinearFrame, state: State, rate: Fraction, n: int) -> Scorecard:
        """Average and shrink the weights, column by column, and write them as points."""
        late = self.steps - self.steps * 3 // 4
        *weights, constant = (total // late for total in state[1])
        noise = rate * rate * self.releases(n)[2].sigma_squared * self.steps / SHRUNK
        each = int(noise * 4**FINER)
        kept: list[int] = []
        for _, own in frame.split(weights):
            square = sum(w * w for w in own)
            left = max(square - each * len(own), 0)
            kept.extend(w * left // max(square, 1) for w in own)
        return _written(frame, (*kept, constant), self._one)


_written = lru_cache(maxsize=1 << 15)(written)
"""A law asks for the same cards on every database."""


@lru_cache(maxsize=2)
def _chances(unit: int) -> NDArray[np.int64]:
    """Return `unit` times the probability of yes at each margin: a public table, in [0, unit]."""
    margins = np.arange(-SURE * unit, SURE * unit + 1)
    return np.rint(unit / (1 + np.exp(-margins / unit))).astype(np.int64)


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
