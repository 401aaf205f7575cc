"""Recursion on the scale: everything told at every level, over all databases."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.concepts.line.thresholds import Thresholds
from tacit.core.chance.law import Law
from tacit.core.cost import Approximate
from tacit.core.numbers.exact import Exact, rational
from tacit.learners.thresholds.rec_concave_threshold import RecConcaveThresholdLearner
from tacit.mechanisms.choice.exponential import Exponential
from tacit.mechanisms.search.rec_concave import RecConcave
from tacit.statistics import LabelCounts
from tacit.statistics.counts.line_counts import LineCounts
from tacit.statistics.quasi_concave import depths
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

FEW = (3, 4, 12)
MANY = (0, 7, 8, 15)


def _search(
    bits: int, promise: int, delta: str, levels: int = 1, times: Exact = 1
) -> tuple[RecConcave, Approximate]:
    """Make a search with tiny bars, and what it claims: the sums of its parts."""
    scale, select, final = (rational(times) * Fraction(k, 20) for k in (4, 5, 6))
    share = Fraction(delta) / (2 * levels)
    search = RecConcave(bits, promise, 1, 0, select, share, final, Exponential(scale))
    epsilon = scale + 2 * select + final
    if levels == 2:
        inner = RecConcave(bits.bit_length(), 2, 1, 0, select, share, final, Exponential(scale))
        search = RecConcave(bits, promise, 1, 1, select, share, final, inner)
        epsilon += 2 * select + final
    return search, Approximate(epsilon, delta)


def _case(
    bits: int,
    n: int,
    promise: int,
    delta: str,
    universe: tuple[int, ...],
    levels: int = 1,
    times: Exact = 1,
) -> Case:
    search, claim = _search(bits, promise, delta, levels, times)

    def law(database: tuple[int, ...]) -> Law[Any]:
        return search.transcript(depths(LineCounts.of(database, bits=bits)))

    setting = f"median, {bits} bits, n={n}, levels={levels}, epsilon={claim.epsilon}, delta={delta}"
    drawn = Route(search, lambda rows: depths(LineCounts.of(rows, bits=bits)))
    return Case("rec-concave", setting, "mechanism", claim, universe, n, law, drawn=drawn)


def _learner_case(
    bits: int, n: int, delta: str, points: tuple[int, ...], way: str, times: Exact = 1
) -> Case:
    search, claim = _search(bits, 0, delta, times=times)
    learner = RecConcaveThresholdLearner(
        Thresholds(bits, "up" if way == "up" else "down"),
        epsilon=claim.epsilon,
        delta=delta,
        search=search,
    )
    universe = tuple((x, (y,)) for x in points for y in (0, 1))

    def law(database: tuple[Any, ...]) -> Law[Any]:
        return search.transcript(learner.scores(LabelCounts.of(database, labels=1)))

    setting = f"{learner.concepts}, n={n}, epsilon={claim.epsilon}, delta={delta}"
    target, drawn = "rec-concave-threshold-learner", Route(learner, labelled)
    return Case(target, setting, "learner", claim, universe, n, law, drawn=drawn)


CASES = (
    _case(4, 5, 3, "1/10", FEW),
    _case(5, 4, 2, "1/100", MANY),
    _case(4, 4, 2, "1/5", FEW, levels=2),
    _learner_case(4, 3, "1/10", FEW, "up"),
    _learner_case(5, 4, "1/100", FEW[:2], "down"),
    *(_case(4, 3, 2, "1/10", FEW, times=times) for times in ("1/3", 6)),
    *(_learner_case(4, 3, "1/10", FEW[:2], "up", times) for times in ("1/3", 6)),
)

PROBES = tuple(
    probe
    for times in ("1/5", 8)
    for probe in (
        Probe(_case(4, 1000, 40, "1/10", MANY, times=times), 300, neighbours=1),
        Probe(_learner_case(4, 1000, "1/10", FEW, "up", times), 300, neighbours=1),
    )
)
