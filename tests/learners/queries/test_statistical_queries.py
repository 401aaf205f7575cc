"""Statistical queries: any valid answers will do; private answers keep their tolerance."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.line.points import Point, Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.concepts.outputs.never import NEVER
from tacit.concepts.rules.conjunctions import Conjunctions
from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.learners import PrivateQueries
from tacit.learners.contract.dealt import deals
from tacit.learners.queries.statistical_queries import (
    ConjunctionQueries,
    PointQueries,
    Query,
    ThresholdQueries,
    ZeroQueries,
    law_of,
)
from tacit.probability.noisy_mean import NoisyMean
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm

F = Fraction
FALSE_ALARM = 1e-9


def _populations(concepts: ConceptClass[Any], parts: int) -> Iterator[tuple[Any, Population]]:
    """Yield all targets with all masses that are multiples of 1 / parts on up to three points."""
    domain = concepts.domain()
    for target in concepts.concepts():
        for at in combinations(range(len(domain)), min(3, len(domain))):
            for cuts in product(range(parts + 1), repeat=len(at) - 1):
                if sum(cuts) > parts:
                    continue
                masses = tuple(F(c, parts) for c in (*cuts, parts - sum(cuts)))
                points = domain[list(at)]
                truth = tuple(F(int(yes)) for yes in target(points))
                yield target, Population(points, masses, truth)


def _share(population: Population, query: Query) -> Fraction:
    """Return the probability of a query."""
    yes = np.ones(len(population.points), dtype=np.bool_)
    rows = zip(population.masses, population.positive, strict=True)
    held = zip(query(population.points, yes), query(population.points, ~yes), strict=True)
    return sum(
        (
            m * (p * bool(one) + (1 - p) * bool(none))
            for (m, p), (one, none) in zip(rows, held, strict=True)
        ),
        F(0),
    )


def _answered(
    algorithm: ZeroQueries, population: Population, tolerance: Fraction, off: Fraction
) -> Law[Any]:
    """Return the law of what is learned if each answer is moved by -off, 0, or off, in all ways."""

    known: dict[int, Law[Fraction]] = {}

    def answers(i: int, query: Query) -> Law[Fraction]:
        if algorithm.adaptive or i not in known:
            p = _share(population, query)
            known[i] = Law({p + way * off: F(1, 3) for way in (-1, 0, 1)})
        return known[i]

    return law_of(lambda: algorithm.run(tolerance), answers)


ALGORITHMS = [
    (PointQueries(4), Points(2)),
    (ThresholdQueries(4), Thresholds(2)),
    (ThresholdQueries(3), Thresholds(values=3)),
    (ThresholdQueries(4, "down"), Thresholds(2, "down")),
    (ThresholdQueries(2, "both"), Thresholds(1, "both")),
    (ConjunctionQueries(1), Conjunctions(1, 1)),
    (ConjunctionQueries(2), Conjunctions(2, 2)),
]


@pytest.mark.parametrize(("algorithm", "concepts"), ALGORITHMS, ids=str)
def test_all_valid_answers_give_accurate_hypotheses(
    algorithm: ZeroQueries, concepts: ConceptClass[Any]
) -> None:
    """Every target, a grid of masses, and every way to move answers by the tolerance."""
    alpha, tried, wrong = F(1, 2), 0, False
    tolerance = algorithm.tolerance(alpha)
    for _, population in _populations(concepts, 6 if concepts.domain_size < 4 else 4):
        law = _answered(algorithm, population, tolerance, tolerance)
        tried += len(law.probabilities)
        for hypothesis in law.probabilities:
            assert population.error(hypothesis) <= alpha
            encoded = algorithm.hypotheses.encode(hypothesis)
            assert algorithm.hypotheses.decode(encoded) == hypothesis
        if not wrong:
            worse = _answered(algorithm, population, tolerance, tolerance * 2)
            wrong = any(population.error(h) > alpha for h in worse.probabilities)
    assert tried > 20
    assert wrong, "with twice the tolerance some answers must mislead"


def test_monotone_conjunctions() -> None:
    algorithm, alpha = ConjunctionQueries(2, monotone=True), F(1, 3)
    tolerance = algorithm.tolerance(alpha)
    assert (algorithm.queries, algorithm.gap(alpha)) == (2, alpha / 2)
    for target, population in _populations(Conjunctions(2, 2), 6):
        if all(value for _, value in target.literals):
            law = _answered(algorithm, population, tolerance, tolerance)
            assert all(population.error(h) <= alpha for h in law.probabilities)


def test_the_numbers_of_queries() -> None:
    assert [algorithm.queries for algorithm, _ in ALGORITHMS] == [4, 2, 2, 2, 3, 2, 4]
    assert [algorithm.gap(F(1, 2)) for algorithm, _ in ALGORITHMS] == [
        *[F(1, 2)] * 4,
        F(1, 4),
        F(1, 4),
        F(1, 4),
    ]


def test_answers_within_a_tolerance() -> None:
    private = PrivateQueries(ThresholdQueries(16), tolerance="0.1", epsilon=1)
    n = private.sample_size("0.2")
    assert n % 4 == 0
    assert private.failure(n, "0.2") <= F(1, 5)
    assert private.failure(3, "0.2") == 1
    each = NoisyMean(Decay.of(F(1))).chernoff(273, "0.1")
    assert private.failure(4 * 273, "0.04") == 4 * each <= F(4, 100)
    whole = PrivateQueries(PointQueries(4), tolerance="0.1", epsilon=1)
    assert whole.sample_size("0.2") < 4 * n
    assert whole.sample_size("0.2") == NoisyMean(Decay.of(F(1, 4))).size("0.1", F(1, 20))


@pytest.mark.parametrize("share", [F(0), F(1, 10), F(1, 2), F(1)])
def test_answers_keep_their_tolerance(share: Fraction) -> None:
    """The answers themselves at the printed number of rows: p in {0, tolerance, 1/2, 1}."""

    class Asks:
        queries, adaptive = 2, True
        hypotheses = Thresholds(1)

        def tolerance(self, alpha: Fraction) -> Fraction:
            return alpha

        def run(self, tolerance: Fraction) -> Generator[Query, Fraction, bool]:
            first = yield lambda points, labels: labels
            second = yield lambda points, labels: labels
            return max(abs(first - share), abs(second - share)) > tolerance

    private = PrivateQueries(Asks(), tolerance="0.1", epsilon=1)
    n, rng, runs = private.sample_size("0.1"), Seeded(5), 600
    population = Population(np.array([0]), (F(1),), (share,))
    failed = sum(private(population.draw(n, rng=rng), rng=rng) for _ in range(runs))
    assert failed < alarm(runs, F(1, 10))
    few = sum(private(population.draw(n // 4, rng=rng), rng=rng) for _ in range(runs))
    assert share != F(1, 2) or few >= alarm(runs, F(1, 10))


def test_private_answers_follow_their_law() -> None:
    private = PrivateQueries(PointQueries(2), tolerance="0.3", epsilon=2)
    sample = LabelCounts.of([(0, (1,)), (1, (1,)), (1, (1,)), (0, (0,))], labels=1)
    law, rng, runs = private.law(sample), Seeded(2), 4000
    seen = [private(sample, rng=rng) for _ in range(runs)]
    outcomes = [Point(0), Point(1), NEVER]
    counts = [seen.count(h) for h in outcomes]
    assert chisquare(counts, [runs * float(law[h]) for h in outcomes]).pvalue > FALSE_ALARM
    empty = LabelCounts.of([], labels=1)
    assert private.law(empty)[NEVER] == 1
    assert private(empty, rng=Seeded(0)) == NEVER


def test_dealing_is_what_split_does() -> None:
    sample = LabelCounts.of([(1, (1,)), (1, (1,)), (2, (0,)), (3, (1,))], labels=1)
    sample = LabelCounts(5, 1, sample.points, sample.totals, sample.positives)

    def seen(blocks: tuple[LabelCounts, ...]) -> tuple[Any, ...]:
        return tuple((b.n, b.points.tolist(), b.totals.tolist()) for b in blocks)

    law: dict[str, Fraction] = {}
    for weight, blocks in deals(sample, [2, 1]):
        law[repr(seen(blocks))] = law.get(repr(seen(blocks)), F(0)) + weight
    assert sum(law.values()) == 1
    rng, runs = Seeded(1), 4000
    counts = dict.fromkeys(law, 0)
    for _ in range(runs):
        counts[repr(seen(sample.split([2, 1], rng=rng)))] += 1
    expected = [runs * float(p) for p in law.values()]
    assert chisquare(list(counts.values()), expected).pvalue > FALSE_ALARM


def test_bad_tolerances() -> None:
    with pytest.raises(InvalidArgument, match="tolerance"):
        PrivateQueries(PointQueries(4), tolerance=0, epsilon=1)
