"""k labels of listed classes from sanitized points: promises, law, plans, and simulation."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, prod
from typing import Any

import numpy as np
import pytest

from tacit.concepts import Boxes, Intervals, Thresholds, parse
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.least import least
from tacit.core.privacy import Privacy
from tacit.learners import (
    CATALOGUE,
    DirectSum,
    GenericLearner,
    HistogramCover,
    SanitizedLearner,
    SharedCoverLearner,
    SyntheticCover,
)
from tacit.learners.many_labels import covers_of_classes
from tacit.mechanisms.noise.geometric import tail
from tacit.sanitizers.contract.queries import ListedQueries
from tacit.sanitizers.every_query import blr
from tacit.sanitizers.every_query.blr import BlrSanitizer
from tacit.sanitizers.every_query.multiplicative_weights import MultiplicativeWeights
from tacit.sanitizers.line.tree import TreeSanitizer
from tacit.statistics import Counts, LabelCounts
from tacit.verify.enough.simulation import alarm
from tacit.workflows.planning.plan import plan

GOAL, TOTAL = Accuracy("0.1", "0.05"), Privacy(1, "1e-6")
THREE = "halfspaces(bits=2, dims=2)", "conjunctions(dims=8, width=2)", "boxes(bits=2, dims=2)"


@cache
def _planned(
    spec: str, labels: int, total: Privacy = TOTAL, *, agnostic: bool = False
) -> tuple[SharedCoverLearner, int]:
    learner = SharedCoverLearner.planned(
        parse(spec), total, labels=labels, accuracy=GOAL, agnostic=agnostic, listed=True
    )
    return learner, learner.sample_size(GOAL)


def _one_by_one(spec: str, labels: int, total: Privacy, *, agnostic: bool) -> int:
    return DirectSum.within(
        total, labels, lambda e: GenericLearner(parse(spec), epsilon=e, agnostic=agnostic)
    ).sample_size(GOAL)


@pytest.mark.parametrize("agnostic", [False, True])
@pytest.mark.parametrize("spec", THREE)
def test_rows_grow_like_the_root_of_the_labels_and_come_near_one_by_one(
    spec: str, agnostic: bool
) -> None:
    needed = [_planned(spec, k, agnostic=agnostic)[1] for k in (1, 10, 100, 10_000)]
    assert needed[1] < 5 * needed[0]
    assert needed[2] < 5 * needed[1]
    assert needed[3] < 20 * needed[2]
    alone = [_one_by_one(spec, k, TOTAL, agnostic=agnostic) for k in (10, 10_000)]
    assert needed[1] > 1.5 * alone[0]
    assert alone[1] < needed[3] < 1.3 * alone[1]


@pytest.mark.parametrize(
    ("spec", "golden"),
    list(zip(THREE, [(831, 3042, 2456), (2897, 5718, 5060), (807, 2957, 2342)], strict=True)),
)
def test_rows_needed_are_golden(spec: str, golden: tuple[int, ...]) -> None:
    """Each failure has its own part of beta: the cover, the draw, and every label's choice."""
    needed = [_planned(spec, k, agnostic=a)[1] for k, a in ((1, False), (10, False), (1, True))]
    assert tuple(needed) == golden


@pytest.mark.parametrize("agnostic", [False, True])
def test_enough_rows_are_enough_without_floats(
    agnostic: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Floats say no quickly; asked to say yes always, they leave the same answer to the bound."""
    cover, decay = HistogramCover(Boxes(2, 2), epsilon="1/5"), Decay.of(Fraction(1, 4))

    def enough(n: int) -> bool:
        return cover.chooses(n, GOAL, 40, decay, agnostic=agnostic)

    n = least(enough)
    monkeypatch.setattr(covers_of_classes, "SURE", np.inf)
    assert enough(n)
    assert not enough(n - 1)


@pytest.mark.parametrize("total", [TOTAL, Privacy(1), Privacy(8), Privacy("1/10", "1e-3")])
@pytest.mark.parametrize("spec", [*THREE, "intervals(bits=3)", "parities(dims=3)"])
def test_on_small_domains_it_is_beaten_as_its_entry_says(spec: str, total: Privacy) -> None:
    assert CATALOGUE["sanitized-classes"].beaten_by == "generic"
    for k, agnostic in ((1, False), (3, True), (1000, False), (1000, True)):
        needed = _planned(spec, k, total, agnostic=agnostic)[1]
        assert needed >= _one_by_one(spec, k, total, agnostic=agnostic)


def test_other_sanitizers_are_no_way_around_it() -> None:
    """Why plans take the histogram: docs/proofs/class_cover.md."""
    assert comb(22, 11) <= blr.LARGEST < comb(24, 12), "with fewer rows than points at most 11"
    assert min(blr._sampled(m + 1, m) for m in range(1, 12)) > Fraction(37, 100)
    square = parse("boxes(bits=2, dims=2)")
    told = ListedQueries.differences(np.array([c(square.domain()) for c in square.concepts()]))
    made = MultiplicativeWeights.within(told, Privacy("3/10"), n=10**6, beta="0.01", copies=1000)
    cover = SyntheticCover(square, made, unheld=1)
    rows = SharedCoverLearner(cover, labels=100, epsilon="7/1000").sample_size(GOAL)
    one_by_one = plan(square, alpha="0.1", epsilon=1, labels=100, among=["generic"]).answer
    assert isinstance(one_by_one, int)
    assert rows > 30 * one_by_one


@pytest.mark.parametrize("total", [TOTAL, Privacy(1)])
def test_the_budget_is_kept_and_hardly_wasted(total: Privacy) -> None:
    learner, _ = _planned(THREE[0], 10, total)
    spent = price(learner.cost, total.delta).privacy.epsilon
    assert Fraction(9, 10) * total.epsilon <= spent <= total.epsilon


@pytest.mark.parametrize("agnostic", [False, True])
def test_accuracy_turns_sample_size_around(agnostic: bool) -> None:
    learner, n = _planned(THREE[2], 10, agnostic=agnostic)
    promised, before = learner.accuracy(n, "0.05"), learner.accuracy(n - 1, "0.05")
    assert promised is not None
    assert before is not None
    assert promised.alpha <= GOAL.alpha < before.alpha


@pytest.mark.parametrize("counts", [(1,) * 6, (3,) * 6, (8,) * 6, (0, 1, 2, 5, 9, 20), (40,) * 6])
@pytest.mark.parametrize("beta", ["1/2", "1/20", "1/1000"])
def test_rows_at_points_that_are_not_told(counts: tuple[int, ...], beta: str) -> None:
    """The exact law of their number, by all sets that may be told, against the moment's bound."""
    epsilon = Fraction(1, 2)
    decay, n = Decay.of(epsilon / 2), sum(counts)
    cover = HistogramCover(Intervals(values=6), epsilon=epsilon)
    most, beyond = cover.rows(n, beta), Fraction(0)
    chances = [tail(decay, 1 - c) for c in counts]
    for told in np.ndindex(*(2,) * 6):
        if sum(c for c, t in zip(counts, told, strict=True) if not t) > most:
            beyond += prod(p if t else 1 - p for p, t in zip(chances, told, strict=True))
    assert beyond <= Fraction(beta)


def _differences(concepts: Any) -> ListedQueries:
    domain = concepts.domain()
    return ListedQueries.differences(np.array([c(domain) for c in concepts.concepts()]))


def _covers() -> list[tuple[Any, int]]:
    square, line = Boxes(1, 2), Intervals(values=8)
    weights = MultiplicativeWeights(_differences(square), epsilon="1/2", rounds=8)
    small = BlrSanitizer(_differences(line), epsilon=1, rows=4)
    return [
        (HistogramCover(Boxes(2, 2), epsilon="1/5"), 2000),
        (SyntheticCover(square, weights, unheld=4), 4000),
        (SyntheticCover(line, small, points=4), 2000),
        (SyntheticCover(Thresholds(6), TreeSanitizer(6, epsilon="1/10"), times=2), 20_000),
    ]


@pytest.mark.parametrize(("cover", "n"), _covers(), ids=["noise", "weights", "tables", "tree"])
def test_every_concept_has_one_near_it(cover: Any, n: int) -> None:
    """At a random database: the promise on the rows, and the number of representatives."""
    concepts, rng, beta, runs, failed = cover.concepts, Seeded(3), Fraction(1, 10), 12, 0
    domain = concepts.domain()
    said = np.array([c(domain) for c in concepts.concepts()])
    for _ in range(runs):
        weights = (rng.words(len(domain)) % np.uint64(7)).astype(np.int64)
        rows = weights * n // weights.sum()
        rows[0] += n - rows.sum()
        points = domain.tolist()
        keys = [x if isinstance(x, int) else tuple(x) for x in points]
        chosen = cover(Counts(n, dict(zip(keys, rows.tolist(), strict=True))), rng=rng)
        assert len(chosen) <= cover.most(n, beta)
        among = np.array([c(domain) for c in chosen])
        apart = (said[:, None, :] != among[None, :, :]) @ rows
        failed += int(apart.min(axis=1).max()) > cover.rows(n, beta)
    assert cover.rows(n, beta) < n
    assert failed < alarm(runs, beta)


def test_rows_that_are_rounded_away_are_counted() -> None:
    exact = SyntheticCover(Thresholds(6), TreeSanitizer(6, epsilon=1), times=2)
    rounded = SyntheticCover(Thresholds(6), TreeSanitizer(6, epsilon=1), times=2, unheld=7)
    assert rounded.rows(20_000, "0.05") == exact.rows(20_000, "0.05") + 7


def test_points_outside_are_counted_where_they_are_moved_to() -> None:
    line, square = (
        HistogramCover(Intervals(values=3), epsilon=1),
        HistogramCover(Boxes(1, 2), epsilon=1),
    )
    inside = line.law(Counts.of([0, 0, 2, 2, 2]))
    assert line.law(Counts.of([-1, 0, 2, 7, 9])).probabilities == inside.probabilities
    inside = square.law(Counts.of([(0, 1), (0, 1), (1, 1)]))
    moved = square.law(Counts.of([(-3, 1), (0, 5), (1, 1)]))
    assert moved.probabilities == inside.probabilities


def _failures(learner: Any, n: int, runs: int) -> int:
    """Count runs with an error above alpha: most rows at one point, the rest all over the others.

    Targets differ, so that some label errs wherever labels are mistaken.
    """
    concepts, rng, failed = learner.concepts, Seeded(7), 0
    domain = concepts.domain()
    targets = [
        concepts.nth(concepts.size * (2 * j + 1) // (2 * learner.labels))
        for j in range(learner.labels)
    ]
    truth = np.array([c(domain) for c in targets])
    mass = np.full(len(domain), 0.3 / (len(domain) - 1))
    mass[0] = 0.7
    for _ in range(runs):
        at = np.searchsorted(np.cumsum(mass), rng.words(n) / 2.0**64).clip(max=len(domain) - 1)
        totals = np.bincount(at, minlength=len(domain))
        sample = LabelCounts(n, learner.labels, domain, totals, (truth * totals).T)
        wrong = np.array([h(domain) for h in learner(sample, rng=rng)]) != truth
        failed += bool((wrong @ mass > float(GOAL.alpha)).any())
    return failed


@pytest.mark.parametrize("spec", THREE)
def test_failures_stay_below_beta(spec: str) -> None:
    learner, n = _planned(spec, 10)
    assert _failures(learner, n, 20) < alarm(20, GOAL.beta)


def test_plans_know_it() -> None:
    found = plan(THREE[0], alpha="0.1", epsilon=1, delta="1e-6", labels=10)
    names = [offer.name for offer in found.offers]
    assert names.index("generic") < names.index("sanitized-classes")
    large = plan("halfspaces(bits=8, dims=2)", alpha="0.1", epsilon=1)
    assert "sanitized-classes" not in [offer.name for offer in large.offers]


def test_one_label_with_pools_of_their_own() -> None:
    """Theorem 2.23 beyond thresholds: the labels of few rows, among concepts of many others."""
    learner = SanitizedLearner.planned(parse(THREE[2]), epsilon=1, accuracy=GOAL)
    first, second = learner.pools(GOAL)
    assert second < first
    assert learner.sample_size(GOAL) <= first + second + 2
    assert price(learner.cost).privacy == Privacy(1)


def test_what_is_refused() -> None:
    with pytest.raises(TooLarge, match="values of all concepts"):
        covers_of_classes.tabulated(parse("halfspaces(bits=8, dims=2)"))
    with pytest.raises(InvalidArgument, match="times"):
        SyntheticCover(Thresholds(6), TreeSanitizer(6, epsilon=1), times=0)
