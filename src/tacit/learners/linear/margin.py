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

from tacit.concepts.rules.scorecard import Scorecard
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Exact, InvalidArgument, Law, Privacy, Random, hold
from tacit.core.composition import calibrate
from tacit.learners.contract import Proper, Request, Unpromising, entry_of
from tacit.learners.linear.linear_frame import (
    LinearFrame,
    codes_of,
    columns_of,
    framed,
    moments,
    shortened,
    wrapped,
)
from tacit.learners.linear.noisy_descent import CAUTION, NoisyDescent, cut_to
from tacit.learners.linear.written_card import ahead_of, written
from tacit.mechanisms import DiscreteGaussianVector
from tacit.mechanisms.noise.gaussian_arrays import noise_law
from tacit.statistics import LabelCounts

STEPS = 40
BITS = 10
RATE = 1
RAREST = Fraction(1, 50)
"""The rate over the variance of the label, which counts as no less than this. Twice the rate sways
back and forth where columns say the same, which ranked rare answers worse without any noise."""

WIDE = 16
"""A squared norm of rows, above which the rate is lowered in proportion for the same reason."""

LENGTH = Fraction(7, 10)
"""Of the first weights, where one answer has all rows; 0 where both have half of them."""

CALM = Fraction(3, 5)
"""The rate is lowered until the noise of all steps moves no margin by more, about."""

FINER = 6
"""Weights have so many bits more than coordinates."""

HEAVIEST = 64
"""No weight is larger, in its own unit."""

SHRUNK = 4
"""What a column learned is damped as if this part of the noise of all steps were in it."""

SURE = 8
"""Beyond so many logits a probability counts as that there."""

MOST_ROWS = 1 << 30
LISTED = 64
FINE = 80
"""How many bits a probability of noise has, and one of a hypothesis, in a law."""

Vector = tuple[int, ...]

State = tuple[Vector, Vector]
"""The weights, and the sum of the weights of the last steps."""

Both = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Rows as they are, which give the margins, and shortened, which are added up."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What the number of yes and the frame decide; noise adds `damped` to each weight's square."""

    rate: Fraction
    pull: int
    weights: Vector
    damped: int


@dataclass(frozen=True, slots=True)
class MarginLearner(NoisyDescent, Proper[Scorecards], Unpromising):
    """Descend on the logistic loss, each gradient with discrete Gaussian noise.

    First the number of yes is told, then mean and spread of every column, with noise. The first
    weights say that what is rare goes with the rarer answer; then follow `steps` gradients over all
    rows, each row shortened and its pull cut where it is added up, and the weights of the last
    quarter are averaged.
    Where noise may have made them they are shrunk towards the first ones; where the number of yes
    alone takes twice of rho (`caution` over n^2), nothing else is asked. With more `bits`
    everything is rounded more finely. Where how many rows there are is secret, `public_n` stands
    for it, and noise is for added rows. Where a miss costs `odds` false alarms, scores are put
    ahead by their logarithm when the card is written.

    Guarantee:
        rho-zCDP on every sample [BS16; CKS20, Thm. 4]: every release is a vector of integers of
        proved sensitivity, for replaced rows, or with `public_n` for added ones (added.md). Nothing
        is promised about the error: `accuracy` is None. Measured errors: docs/learners/margin.md.

    Exactness:
        Integers throughout: coordinates, shortening, gradients and weights are exact, and the noise
        is drawn without error. Floats make a public table of probabilities, and nothing else.

    Cost:
        `NearGaussian` of rate rho for all releases, `ZeroConcentrated` where noise is very little;
        time O(steps * points * weights), whatever the domain.

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
    public_n: int | None
    odds: Fraction

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
        public_n: int | None = None,
        odds: Exact = 1,
    ) -> None:
        hold(self, concepts=concepts, public_n=public_n).positive(rho=rho, odds=odds)
        hold(self).count(steps=steps, least=1).count(bits=bits, caution=caution)
        if bits > BITS:
            raise InvalidArgument(f"bits must be at most {BITS}, got {bits}")

    @classmethod
    def within(cls, concepts: Scorecards, privacy: Privacy, *, steps: int = STEPS) -> MarginLearner:
        """Return the learner with the greatest rho, of five digits, that this promise allows."""
        rho = calibrate(privacy, lambda rho: cls(concepts, rho=rho, steps=steps).cost)
        return cls(concepts, rho=rho, steps=steps)

    @property
    def largest_sample(self) -> int | None:
        """So many rows that no sum overflows."""
        return MOST_ROWS

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Scorecard:
        """Learn one label."""
        n = self._many(sample)
        ones, first = self.releases(n)
        yes = int(ones([int(sample.positives[:, label].sum())], rng=rng)[0])
        if self.alone(n):
            return self._constant(yes, n)
        frame = self._framed(first(self._moments(sample), rng=rng).tolist(), n)
        rows, begun = self.rows(frame, sample.points), self._begun(yes, n, frame)
        noise, state = self.noise(begun.pull), (begun.weights, self._nothing)
        for step in range(self.steps):
            pull = noise(self._gradient(rows, sample, label, state[0], begun.pull), rng=rng)
            state = self._moved(state, wrapped(pull.tolist()), begun.rate, step)
        return self._card(frame, state, begun)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Scorecard]:
        """Return the law of the hypothesis, for few `bits`, one step, and little noise.

        Probabilities are rounded down, so every outcome's is at most the true one, and the slack is
        what all of them together lack of 1.
        """
        n = self._many(sample)
        ones, first = self.releases(n)
        if self.alone(n):
            alone = ones.law([int(sample.positives[:, label].sum())])
            return alone.map(lambda told: self._constant(told[0], n))
        frames: Counter[LinearFrame] = Counter()
        for told, weight in _told(first, self._moments(sample)):
            frames[self._framed(told, n)] += weight
        yes: Counter[int] = Counter()
        for (told_yes,), weight in _told(ones, [int(sample.positives[:, label].sum())]):
            yes[max(0, min(n, told_yes))] += weight
        found: Counter[Scorecard] = Counter()
        for (frame, weight), (many, share) in product(frames.items(), yes.items()):
            rows, begun = self.rows(frame, sample.points), self._begun(many, n, frame)
            for state, chance in self._descents(rows, sample, label, begun).items():
                found[self._card(frame, state, begun)] += weight * share * chance
        rest = LISTED * (1 + len(self._moments(sample)) + self.steps * len(self._nothing)) - FINE
        listed = {card: Fraction(w >> rest, 1 << FINE) for card, w in found.items()}
        return Law(listed, 1 - sum(listed.values(), Fraction(0)))

    def _descents(
        self, rows: Both, sample: LabelCounts, label: int, begun: Begun
    ) -> Counter[State]:
        states: Counter[State] = Counter({(begun.weights, self._nothing): 1})
        noise = self.noise(begun.pull)
        for step in range(self.steps):
            later: Counter[State] = Counter()
            for state, weight in states.items():
                pull = self._gradient(rows, sample, label, state[0], begun.pull).tolist()
                for told, share in _told(noise, pull):
                    later[self._moved(state, told, begun.rate, step)] += weight * share
            states = later
        return states

    def _many(self, sample: LabelCounts) -> int:
        """Return how many rows there are, as far as that is public."""
        return sample.n if self.public_n is None else self.public_n

    def _constant(self, yes: int, n: int) -> Scorecard:
        """Return the card without points that says what is more frequent."""
        nobody = np.zeros((0, self.concepts.features), dtype=np.int64)
        nothing = moments(self.concepts, self._unit, nobody, np.zeros(0, dtype=np.int64))
        weights = (*self._nothing[1:], self._logit(_share(yes, n)))
        return written(self._framed(nothing, n), weights, self._one, ahead_of(self.odds))

    @property
    def _one(self) -> int:
        """The weight that counts as 1."""
        return self._unit << FINER

    @property
    def _nothing(self) -> Vector:
        return (0,) * (1 + self.concepts.dims)

    def _logit(self, share: Fraction) -> int:
        """Return the weight of the constant at which all rows have this chance of yes."""
        return round(log(share / (1 - share)) * self._one * self._unit / max(self._unit // 2, 1))

    def _begun(self, yes: int, n: int, frame: LinearFrame) -> Begun:
        """Return where the descent starts, after so many noisy yes, and how it goes.

        The constant is the logit of the share of yes; all other weights together have the length
        `LENGTH` (1 - 2 share), and the direction away from the mean. The rate is less where noise
        is large beside n rows.
        """
        rows, share, unit = max(n, 1), _share(yes, n), self._unit
        pull = cut_to(max(share, 1 - share), unit)
        noise = self.steps * self.noise(pull).sigma_squared
        calm = CALM * unit**2 / (isqrt(int(noise * self._longest)) + 1)
        quick = RATE / max(Fraction(self._longest, WIDE * unit**2), Fraction(1))
        rate = min(quick / max(share * (1 - share), RAREST) / (rows * unit), calm)
        usual = [mean for column in frame.columns for mean in column.usual]
        length = isqrt(sum(mean * mean for mean in usual)) or 1
        rarely = LENGTH * (1 - 2 * share) * self._one / length
        first = (*(-int(rarely * mean) for mean in usual), self._logit(share))
        return Begun(rate, pull, first, int(rate**2 * noise / SHRUNK * 4**FINER))

    def _moments(self, sample: LabelCounts) -> list[int]:
        return moments(self.concepts, self._unit, sample.points, sample.totals)

    def _framed(self, told: Sequence[int], n: int) -> LinearFrame:
        blur = isqrt(int(self.releases(n)[1].sigma_squared))
        return framed(self.concepts, self._unit, told, n, blur)

    def rows(self, frame: LinearFrame, points: NDArray[Any]) -> Both:
        """Return points as rows of a frame."""
        rows = frame.rows(codes_of(self.concepts, points))
        return rows, shortened(rows, self._longest)

    def _gradient(
        self, rows: Both, sample: LabelCounts, label: int, weights: Sequence[int], pull: int
    ) -> NDArray[np.int64]:
        """Return the sum over all shortened rows of (y - p) x, with y - p cut to the pull.

        p is the probability of yes for the row as it is: shortened, a row far out would look like
        one of the middle, and where yes is rare the constant alone would speak for it.
        """
        unit, ones = self._unit, sample.positives[:, label]
        margins = rows[0] @ np.array(weights, dtype=np.int64) >> (FINER + self.bits)
        chance = _chances(unit)[np.clip(margins, -SURE * unit, SURE * unit) + SURE * unit]
        up, down = np.minimum(unit - chance, pull), np.minimum(chance, pull)
        return np.asarray((ones * up - (sample.totals - ones) * down) @ rows[1], dtype=np.int64)

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

    def _card(self, frame: LinearFrame, state: State, begun: Begun) -> Scorecard:
        """Average the weights, damp what each column learned, and write them as points."""
        late = self.steps - self.steps * 3 // 4
        *weights, constant = (total // late for total in state[1])
        kept: list[int] = []
        starts = frame.split(begun.weights)
        for (_, own), (_, first) in zip(frame.split(weights), starts, strict=True):
            learned = [w - f for w, f in zip(own, first, strict=True)]
            square = sum(w * w for w in learned)
            whole = max(square + begun.damped * len(own), 1)
            kept.extend(f + w * square // whole for w, f in zip(learned, first, strict=True))
        return _written(frame, (*kept, constant), self._one, ahead_of(self.odds))


_written = lru_cache(maxsize=1 << 15)(written)
"""A law asks for the same cards on every database."""


def _share(yes: int, n: int) -> Fraction:
    """Return the share of so many noisy yes, never 0 or 1."""
    return Fraction(2 * max(0, min(n, yes)) + 1, 2 * n + 2)


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
