"""Mechanisms that break where a verifier does not look: each was once taken for private.

A verifier that writes outputs down, believes a law without drawing from the sampler, and stays with
few rows, two labels and small budgets finds nothing wrong with any of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core import Pure, Random
from tacit.core.chance.law import Law, certain
from tacit.core.chance.law import product as jointly
from tacit.learners.every_class.generic import GenericLearner
from tacit.mechanisms import Exponential
from tacit.mechanisms.mechanism import draw
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.verify.broken.twin import Rows, twin
from tacit.verify.cases.statement import Audited, case, rows
from tacit.verify.enumeration import Case
from tacit.verify.route import labelled
from tacit.verify.sampling import Probe

POINTS = ("a", "b", "c")
LINE = Thresholds(1)
ONE = Fraction(1)


def _scores(database: Rows) -> ScoreProfile[int]:
    return ScoreProfile.of([database.count(letter) for letter in POINTS])


def _best(profile: ScoreProfile[int]) -> Law[int]:
    return certain(int(profile.scores.argmax()))


def _fast(profile: ScoreProfile[int]) -> Law[int]:
    """With many rows the best is so clear that it is just taken."""
    return _best(profile) if profile.scores.sum() > 50 else Exponential(ONE).law(profile)


@dataclass(frozen=True, slots=True)
class _Double:
    """A choice with the law that it admits, and one that its sampler follows."""

    law: Callable[[ScoreProfile[int]], Law[int]]
    drawn: Callable[[ScoreProfile[int]], Law[int]]

    def __call__(self, profile: ScoreProfile[int], *, rng: Random) -> int:
        return draw(self.drawn(profile), rng=rng)


def _double(admitted: Any, drawn: Any, epsilon: Fraction = ONE) -> Case:
    made, about = _Double(admitted, drawn), "most frequent of three"
    return case(made, 3, about, POINTS, _scores, claim=Pure(epsilon), kind="broken")


def sampler_apart_from_its_law() -> Audited:
    """The sampler takes ten times the budget that its law does."""
    found = _double(Exponential(ONE).law, Exponential(10 * ONE).law)
    return (found,), (Probe(found, neighbours=0),)


def no_noise_above_50_rows() -> Audited:
    """The law does not tell that with many rows the best is taken."""
    found = _double(Exponential(ONE).law, _fast)
    return (found,), (Probe(replace(found, n=1000)),)


def certain_above_50_rows() -> Audited:
    """The law tells that with many rows the best is taken: nobody looked at many rows."""
    found = _double(_fast, _fast)
    return (found,), (Probe(replace(found, n=1000)),)


def no_noise_above_epsilon_4() -> Audited:
    """Budgets above 4 say that noise is not wanted, so there is none."""
    honest = Exponential(ONE).law
    return (_double(honest, honest), _double(_best, _best, epsilon=Fraction(6))), ()


def budget_for_two_labels() -> Audited:
    """Divide the budget by the number of labels, up to two of them."""

    def divided(labels: int) -> Case:
        each = GenericLearner(LINE, epsilon=Fraction(1, min(labels, 2)))

        def law(database: Rows) -> Law[Any]:
            sample = LabelCounts.of(database, labels=labels)
            return jointly(each.law(sample, label=j) for j in range(labels))

        universe = ((x, (y,) * labels) for x, y in product((0, 1), (0, 1)))
        made = twin(Pure(1), universe, 7)(law)
        return replace(made, setting=f"{labels} labels, n=7", labels=labels)

    return (divided(2), divided(3)), ()


@dataclass(frozen=True, slots=True)
class _Annotated:
    """A threshold with what it was learned from, for debugging; nobody sees that in the output."""

    threshold: Threshold
    rows: Any = field(default=(), repr=False, compare=False)


@twin(Pure(1), rows((0, 1)))
def rows_outside_repr(database: Rows) -> Law[_Annotated]:
    """Hold the rows where neither `repr` nor a comparison looks."""
    law = GenericLearner(LINE, epsilon=1).law(labelled(database))
    return law.map(lambda threshold: _Annotated(threshold, tuple(sorted(database))))
