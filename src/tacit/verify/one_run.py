"""Auditing a whole pipeline by training it once: canaries that are in the data by coin.

Each canary is a row that is put in or replaced, by a fair coin. Whoever sees the trained model
guesses some of the coins; privacy bounds how many guesses can be right.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.line.thresholds import Thresholds
from tacit.core import Exact, InvalidArgument, Privacy, Random, check
from tacit.core.chance.permutation import permutation
from tacit.core.numbers.enclosures import exp_upper
from tacit.core.numbers.least import least_between
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.contract.entry import Request
from tacit.probability.binomial_masses import binomial_masses
from tacit.statistics import JointCounts

GUARD = 1 + 1e-9
"""Far above the relative error of a sum of masses."""
GRID = 1000
"""Epsilons are multiples of 1 / GRID."""
LARGEST = 50
"""No epsilon above this is looked for: so many canaries nobody has."""


class Estimator(Protocol):
    """Whatever has `fit` and `predict`, as scikit-learn means it."""

    def fit(self, points: NDArray[Any], labels: NDArray[Any], /) -> Any:
        """Train on rows."""

    def predict(self, points: NDArray[Any], /) -> Any:
        """Predict labels."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Points, one row each, and their 0/1 labels."""

    points: NDArray[Any]
    labels: NDArray[np.int64]

    def __post_init__(self) -> None:
        if len(self.points) != len(self.labels):
            raise InvalidArgument("there must be one label for each point")


@dataclass(frozen=True, slots=True)
class Guesses:
    """So many canaries, guesses and right guesses, of one training.

    >>> Guesses(canaries=100, guessed=100, right=100).epsilon_at_least(level=0.05)
    3.492
    """

    canaries: int
    guessed: int
    right: int

    def __post_init__(self) -> None:
        check.count(right=self.right)
        if not self.right <= self.guessed <= self.canaries:
            raise InvalidArgument("right guesses are guesses, and guesses are of canaries")

    def chance(self, epsilon: Exact, delta: Exact = 0) -> float:
        """Bound the probability of so many right guesses about an (epsilon, delta)-DP program.

        Guarantee:
            P[right >= v] <= P[B >= v] + 2 m delta max_i P[v - i <= B < v] / i for B binomial with
            r trials of chance e^epsilon / (1 + e^epsilon), m canaries and r guesses, r chosen
            before the training [SNJ23, Thm. 5.2].

        Exactness:
            The chance is rounded up to a rational, the binomial masses have a proved relative
            error, and the sums are multiplied by 1 + 1e-9.

        >>> Guesses(canaries=4, guessed=2, right=2).chance(0)
        0.25...
        """
        slack = float(check.small_probability(delta=delta))
        grown = exp_upper(check.nonnegative(epsilon=epsilon))
        masses = binomial_masses(self.guessed, _short(grown / (1 + grown)), self.guessed)
        above = math.fsum(masses[self.right :]) * GUARD
        below = np.cumsum(masses[: self.right][::-1]) * GUARD
        spread = float((below / np.arange(1, self.right + 1)).max(initial=0.0))
        return min(1.0, above + 2 * self.canaries * slack * spread)

    def epsilon_at_least(self, *, delta: Exact = 0, level: Exact = "1/1000") -> float:
        """Return an epsilon, a multiple of 1/1000, that the guesses refute; 0.0 if there is none.

        If the program was (epsilon, delta)-DP for this or a smaller epsilon, then so many guesses
        would be right with probability at most `level`.
        """
        wanted = float(check.probability(level=level))

        def open_to(place: int) -> bool:
            return self.chance(Fraction(place, GRID), delta) > wanted

        return max(0, least_between(-1, LARGEST * GRID, open_to) - 1) / GRID


def one_run(
    make: Callable[[], Estimator],
    *,
    always: Rows,
    canaries: Rows,
    instead: Rows,
    guesses: int | None = None,
    rng: Random,
) -> Guesses:
    """Train once with each canary in by a fair coin, else its replacement; guess from the model.

    Canaries whose label the model finds likeliest are guessed in, those it finds unlikeliest out;
    half of `guesses`, fixed beforehand, are of either kind. Likely is what `predict_proba` says, or
    `predict` if there is nothing better; ties are broken by coin.

    >>> from tacit.core.chance.randomness import Seeded
    >>> class Rote:
    ...     def fit(self, points, labels):
    ...         self.known = dict(zip(points[:, 0].tolist(), labels.tolist()))
    ...     def predict(self, points):
    ...         return [self.known.get(x, 0) for x in points[:, 0].tolist()]
    >>> odd = Rows(np.arange(60)[:, None], np.ones(60, dtype=np.int64))
    >>> null = Rows(np.full((60, 1), 99), np.zeros(60, dtype=np.int64))
    >>> found = one_run(Rote, always=null, canaries=odd, instead=null, guesses=30, rng=Seeded(0))
    >>> found, found.epsilon_at_least()
    (Guesses(canaries=60, guessed=30, right=30), 1.35...)
    """
    m = len(canaries.labels)
    if len(instead.labels) != m:
        raise InvalidArgument("there must be one replacement for each canary")
    asked = m if guesses is None else check.count(guesses=guesses, least=2)
    if asked > m:
        raise InvalidArgument(f"of {m} canaries at most {m} can be guessed, not {asked}")
    coins = rng.words(m) >> np.uint64(63) == 1
    side = coins.reshape((-1, *(1,) * (canaries.points.ndim - 1)))
    points = np.concatenate((always.points, np.where(side, canaries.points, instead.points)))
    labels = np.concatenate((always.labels, np.where(coins, canaries.labels, instead.labels)))
    order = permutation(len(labels), rng=rng)
    model = make()
    model.fit(points[order], labels[order])
    scores = _likely(model, canaries)
    ranked = np.lexsort((rng.words(m), scores))
    out, into = ranked[: asked // 2], ranked[m - (asked - asked // 2) :]
    return Guesses(m, asked, int(coins[into].sum() + (~coins[out]).sum()))


def _likely(model: Any, rows: Rows) -> NDArray[np.float64]:
    """Return how likely a model finds each row's own label."""
    if hasattr(model, "predict_proba"):
        classes = np.asarray(model.classes_).tolist()
        found = np.asarray(model.predict_proba(rows.points), dtype=np.float64)
        own = [classes.index(y) if y in classes else -1 for y in rows.labels.tolist()]
        padded = np.column_stack((found, np.zeros(len(found))))
        return np.asarray(padded[np.arange(len(own)), own], dtype=np.float64)
    said = np.asarray(model.predict(rows.points)).astype(np.int64)
    return np.asarray(said == rows.labels, dtype=np.float64)


def _short(chance: Fraction) -> Fraction:
    """Round a probability up to 64 bits, so that it stays quick to compute with."""
    return Fraction(-(-(chance.numerator << 64) // chance.denominator), 1 << 64)


BITS = 16
TOP = (1 << BITS) - 1


def on_a_line(count: int) -> tuple[Rows, Rows, Rows]:
    """Return rows that follow a threshold, as many canaries that do not, and their replacements.

    Points lie in [-1, 1]; the rule is yes from 0 on. A canary has a point of its own and the wrong
    label, its replacement the same point and the right one.

    >>> always, canaries, instead = on_a_line(2)
    >>> canaries.labels.tolist(), instead.labels.tolist()
    ([1, 0], [0, 1])
    """
    check.count(canaries=count, least=2)
    places = (2 * np.arange(2 * count) + 1) / (2 * count) - 1
    right = (places >= 0).astype(np.int64)
    points = places[:, None]
    even, odd = slice(0, None, 2), slice(1, None, 2)
    return (
        Rows(points[even], right[even]),
        Rows(points[odd], 1 - right[odd]),
        Rows(points[odd], right[odd]),
    )


@dataclass(slots=True)
class CanaryLearner:
    """One of our learners as an estimator with `fit` and `predict`, for points in [-1, 1]."""

    name: str
    privacy: Privacy
    rng: Random
    hypothesis: Any = field(default=None, repr=False)

    def fit(self, points: NDArray[Any], labels: NDArray[Any], /) -> CanaryLearner:
        """Learn a threshold over 2^16 values."""
        listing = CATALOGUE[self.name]
        request = Request(
            Thresholds(BITS),
            self.privacy,
            len(labels),
            None,
            Fraction(1, 20),
            agnostic=listing.agnostic,
        )
        rows = ((int(x), (int(y),)) for x, y in zip(_codes(points), labels, strict=True))
        (self.hypothesis,) = listing(request)(JointCounts.of(rows, labels=1), rng=self.rng)
        return self

    def predict(self, points: NDArray[Any], /) -> NDArray[np.int64]:
        """Predict labels."""
        return np.asarray(self.hypothesis(_codes(points)), dtype=np.int64)


def audit_on_a_line(target: str, claim: Privacy, *, canaries: int, rng: Random) -> Guesses:
    """Audit one of our learners by name, or `module:factory` of anything with fit and predict.

    >>> from tacit.core.chance.randomness import Seeded
    >>> audit_on_a_line("generic", Privacy(1, 0), canaries=100, rng=Seeded(1)).epsilon_at_least()
    0.0
    """
    if target in CATALOGUE:
        ours = partial(CanaryLearner, target, claim, rng)
        return _guessed(ours, canaries, rng)
    make = _factory(target)
    try:
        return _guessed(make, canaries, rng)
    except Exception as error:
        raise InvalidArgument(f"{target} failed on the canaries: {error!r}") from error


def _guessed(make: Callable[[], Estimator], canaries: int, rng: Random) -> Guesses:
    """Guess nine of ten canaries: more than half of them may be in, or out."""
    always, odd, instead = on_a_line(canaries)
    return one_run(
        make, always=always, canaries=odd, instead=instead, guesses=canaries * 9 // 10, rng=rng
    )


def _factory(target: str) -> Callable[[], Estimator]:
    module, colon, name = target.partition(":")
    if not colon:
        raise InvalidArgument(
            f"target {target!r} is neither a learner (see: tacit learners) nor module:factory"
        )
    try:
        made: Callable[[], Estimator] = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise InvalidArgument(f"target {target!r} cannot be imported: {error}") from None
    return made


def _codes(points: NDArray[Any]) -> NDArray[np.int64]:
    scaled = (np.asarray(points, dtype=np.float64)[:, 0] + 1) / 2 * TOP
    return np.clip(np.rint(scaled), 0, TOP).astype(np.int64)
