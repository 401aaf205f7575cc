"""Mechanisms that break where a verifier does not look: each was once taken for private.

A verifier that writes outputs down, believes a law without drawing from the sampler, and stays with
few rows, two labels and small budgets finds nothing wrong with any of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core.chance.law import Law, certain
from tacit.core.chance.law import product as jointly
from tacit.core.chance.randomness import Random
from tacit.core.cost import Pure
from tacit.learners.every_class.generic import GenericLearner
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int, ...]]
POINTS = ("a", "b", "c")
LINE = Thresholds(1)


def _scores(database: tuple[str, ...]) -> ScoreProfile[int]:
    return ScoreProfile.of([database.count(letter) for letter in POINTS])


@dataclass(frozen=True, slots=True)
class _Sharpened:
    """The exponential mechanism, but its sampler takes ten times the budget that its law does."""

    epsilon: Fraction

    def law(self, profile: ScoreProfile[int]) -> Law[int]:
        return Exponential(self.epsilon).law(profile)

    def __call__(self, profile: ScoreProfile[int], *, rng: Random) -> int:
        return Exponential(10 * self.epsilon)(profile, rng=rng)


@dataclass(frozen=True, slots=True)
class _FastPath:
    """The exponential mechanism, but with many rows the best is so clear that it is just taken."""

    epsilon: Fraction
    admitted: bool

    def law(self, profile: ScoreProfile[int]) -> Law[int]:
        if self.admitted and profile.scores.sum() > 50:
            return certain(int(profile.scores.argmax()))
        return Exponential(self.epsilon).law(profile)

    def __call__(self, profile: ScoreProfile[int], *, rng: Random) -> int:
        if profile.scores.sum() > 50:
            return int(profile.scores.argmax())
        return Exponential(self.epsilon)(profile, rng=rng)


@dataclass(frozen=True, slots=True)
class _Capped:
    """The exponential mechanism; budgets above 4 say that noise is not wanted, so there is none."""

    epsilon: Fraction

    def law(self, profile: ScoreProfile[int]) -> Law[int]:
        if self.epsilon > 4:
            return certain(int(profile.scores.argmax()))
        return Exponential(self.epsilon).law(profile)


@dataclass(frozen=True, slots=True)
class _Annotated:
    """A threshold with what it was learned from, for debugging; nobody sees that in the output."""

    threshold: Threshold
    rows: Any = field(default=(), repr=False, compare=False)


def _annotated(database: tuple[Row, ...]) -> Law[_Annotated]:
    law = GenericLearner(LINE, epsilon=1).law(labelled(database))
    return law.map(lambda threshold: _Annotated(threshold, tuple(sorted(database))))


def _divided(labels: int) -> Case:
    """Divide the budget by the number of labels, up to two of them."""
    each = GenericLearner(LINE, epsilon=Fraction(1, min(labels, 2)))

    def law(database: tuple[Row, ...]) -> Law[Any]:
        sample = LabelCounts.of(database, labels=labels)
        return jointly(each.law(sample, label=j) for j in range(labels))

    universe = tuple((x, (y,) * labels) for x, y in product((0, 1), (0, 1)))
    setting = f"{labels} labels, n=7, epsilon=1"
    target = "budget-for-two-labels"
    return Case(target, setting, "broken", Pure(1), universe, 7, law, labels=labels)


def _case(target: str, mechanism: Any, n: int) -> Case:
    setting = f"most frequent of three, n={n}, epsilon={mechanism.epsilon}"
    law = Route(mechanism, _scores)
    return Case(target, setting, "broken", Pure(mechanism.epsilon), POINTS, n, law)


ONE = Fraction(1)
SHARPENED = _case("sampler-apart-from-its-law", _Sharpened(ONE), 3)
UNSAID = _case("no-noise-above-50-rows", _FastPath(ONE, admitted=False), 3)
ADMITTED = _case("certain-above-50-rows", _FastPath(ONE, admitted=True), 3)

CASES: tuple[Case, ...] = (
    SHARPENED,
    UNSAID,
    ADMITTED,
    *(_divided(labels) for labels in (2, 3)),
    Case(
        "rows-outside-repr",
        "thresholds on 2 points, n=3, epsilon=1",
        "broken",
        Pure(1),
        tuple((x, (y,)) for x, y in product((0, 1), (0, 1))),
        3,
        _annotated,
    ),
    *(_case("no-noise-above-epsilon-4", _Capped(epsilon), 3) for epsilon in (ONE, Fraction(6))),
)

PROBES = (
    Probe(SHARPENED, neighbours=0),
    *(Probe(replace(case, n=1000)) for case in (UNSAID, ADMITTED)),
)
