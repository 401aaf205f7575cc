"""Canaries on a line: rows whose labels contradict the rule of all others, for any classifier."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.line.thresholds import Thresholds
from tacit.core import InvalidArgument, Privacy, Random, check
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.contract.entry import Request
from tacit.statistics import JointCounts
from tacit.verify.one_run import Estimator, Guesses, Rows, one_run

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
