"""The optimum: numbers of the spec, both certificates, brute force over neighbours, symmetry."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest

from tacit.concepts.contract.finite import Finite
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tacit.core.numbers.enclosures import exp_upper
from tacit.core.privacy import Privacy
from tacit.theory.optimum.certificates import check_law, check_prior
from tacit.theory.optimum.databases import class_program
from tacit.theory.optimum.optimum import ClassOptimum, Optimum, optimum, votes
from tacit.theory.optimum.proposal import dual_prior, private_law, propose
from tacit.theory.optimum.votes import read_votes

NEAR = Fraction(1, 10**7)


def thresholds(m: int) -> Finite:
    """All m + 1 thresholds on m points, both constants among them."""
    return Finite(tuple(tuple(x >= t for x in range(m)) for t in range(m + 1)))


@pytest.mark.parametrize(
    ("m", "n", "epsilon", "least"),
    [(2, 8, "0.5", 0.1430), (2, 8, "2", 0.0280), (3, 4, "1", 0.1647), (6, 2, "2", 0.1612)],
)
def test_the_worst_excess_error_of_thresholds(m: int, n: int, epsilon: str, least: float) -> None:
    best = optimum(thresholds(m), n=n, epsilon=epsilon, proper=True, agnostic=True)
    assert best.lower <= best.upper <= best.lower + NEAR
    assert abs(float(best.lower) - least) < 6e-5
    assert best.verify()


@pytest.mark.parametrize(
    ("candidates", "n", "epsilon", "least"),
    [(64, 12, 1, 0.0098), (10**4, 12, 2, 0.00026), (10**6, 14, 2, 0.00029), (10**8, 10, 3, 0.0015)],
)
def test_votes(candidates: int, n: int, epsilon: int, least: float) -> None:
    best = votes(candidates, n=n, epsilon=epsilon)
    assert best.lower <= best.upper <= best.lower + NEAR
    assert abs(float(best.lower) / least - 1) < 0.02
    assert best.verify()


def test_votes_for_2_to_the_32_candidates() -> None:
    best = votes(1 << 32, n=16, epsilon=2)
    assert best.verify()
    assert best.upper - best.lower < NEAR
    assert 0.00255 < best.lower < 0.00256


@pytest.mark.parametrize(("n", "failure"), [(14, 0.0208), (12, 0.0776), (11, 0.1434)])
def test_points_are_votes_with_abstentions(n: int, failure: float) -> None:
    """A million points, of which the target has mass 0.8: 12 rows fail less than one in ten."""
    best = votes(10**6, n=n, epsilon=2, mass="0.8")
    assert abs(float(best.upper) - failure) < 1e-4
    assert best.upper - best.lower < NEAR


def two_concepts(n: int, alpha: Fraction, epsilon: float, delta: float) -> float:
    """The least failure of two concepts that differ at a point of mass alpha, in closed form."""
    total = 0.0
    for k in range(n + 1):
        g = 0.5 if k % 2 == 0 else (1 - delta) / (1 + math.exp(epsilon))
        for _ in range(k // 2):
            g = max(0.0, (g - delta) / math.exp(epsilon))
        total += comb(n, k) * float(alpha) ** k * float(1 - alpha) ** (n - k) * g
    return total


@pytest.mark.parametrize("delta", ["0", "0.01"])
def test_two_concepts_are_as_hard_as_their_closed_form_says(delta: str) -> None:
    pair, alpha = Finite(((False, False), (True, False))), Fraction(1, 5)
    best = optimum(pair, n=6, epsilon=1, delta=delta, alpha=alpha)
    assert abs(float(best.lower) - two_concepts(6, alpha, 1.0, float(delta))) < 1e-9
    assert best.upper - best.lower < NEAR


@pytest.mark.parametrize("delta", ["0", "0.01"])
@pytest.mark.parametrize("mass", ["1", "1/3"])
def test_two_candidates_are_two_concepts(mass: str, delta: str) -> None:
    """A row at the point where they differ is a vote, one where they agree is none."""
    best = votes(2, n=5, epsilon=1, delta=delta, mass=mass)
    assert abs(float(best.lower) - two_concepts(5, Fraction(mass), 1.0, float(delta))) < 1e-9
    assert best.upper - best.lower < NEAR


@pytest.mark.parametrize("delta", ["0", "0.01"])
def test_labels_of_a_point_are_votes(delta: str) -> None:
    """Two concepts that differ at a point of mass alpha: of two labels there are four kinds."""
    pair, asked = Finite(((False, False), (True, False))), {"n": 4, "epsilon": 1, "delta": delta}
    best = optimum(pair, **asked, alpha="1/5", labels=2)
    counted = votes(4, **asked, mass="1/5")
    unanimous = votes(4, **asked)
    assert abs(best.lower - max(counted.lower, unanimous.lower)) < NEAR


@pytest.mark.parametrize("agnostic", [False, True])
def test_a_second_label_never_helps_and_two_may_be_learned_apart(agnostic: bool) -> None:
    """Not below one label alone; not above two learners, each with half of the budget."""

    def best(labels: int, epsilon: str) -> ClassOptimum:
        return optimum(
            thresholds(2), n=2, epsilon=epsilon, alpha="0.3", agnostic=agnostic, labels=labels
        )

    one, half, both = best(1, "2"), best(1, "1"), best(2, "2")
    assert one.lower <= both.upper
    assert both.lower <= 1 - (1 - half.upper) ** 2


def test_errors_of_several_labels_are_counted_row_by_row() -> None:
    """Against brute force: all histograms of two rows, all pairs of rules."""
    listing = class_program(
        np.array([[0, 0], [0, 1], [1, 1]], dtype=bool),
        n=2,
        alpha=None,
        proper=False,
        agnostic=True,
        pure=True,
        labels=2,
    )
    for rows, judgement in zip(
        listing.databases.histograms.tolist(), listing.judgements, strict=True
    ):
        records = [
            (c // 4, (c // 2 % 2, c % 2)) for c, many in enumerate(rows) for _ in range(many)
        ]

        def wrong(rule: Any, j: int, records: Any = records) -> int:
            return sum(rule[x] != said[j] for x, said in records)

        best = [min(wrong(rule, j) for rule in ((0, 0), (0, 1), (1, 1))) for j in (0, 1)]
        for h, loss in zip(listing.hypotheses.astype(int).tolist(), judgement.losses, strict=True):
            assert loss == max(wrong(h[:2], 0) - best[0], wrong(h[2:], 1) - best[1])


def neighbours(histogram: tuple[int, ...]) -> list[tuple[int, ...]]:
    found = []
    for p, q in product(range(len(histogram)), repeat=2):
        if p != q and histogram[p]:
            moved = list(histogram)
            moved[p] -= 1
            moved[q] += 1
            found.append(tuple(moved))
    return found


@pytest.mark.parametrize(
    "asked",
    [
        {"n": 4, "epsilon": 1, "proper": True, "agnostic": True},
        {"n": 3, "epsilon": "1/2", "delta": "0.02"},
        {"n": 3, "epsilon": 1, "alpha": "1/4"},
        {"n": 3, "epsilon": 1, "alpha": "1/4", "delta": "0.001", "agnostic": True},
        {"n": 2, "epsilon": 1, "alpha": "1/4", "labels": 2, "agnostic": True},
        {"n": 2, "epsilon": 1, "delta": "0.02", "labels": 2, "proper": True},
    ],
)
@pytest.mark.parametrize("rows", [((0, 0), (0, 1), (1, 1)), ((1, 0), (0, 1)), ((0, 1), (1, 1))])
def test_the_law_is_private_on_all_neighbours(rows: Any, asked: dict[str, Any]) -> None:
    """Unfolded: each database, each neighbour, each hypothesis, with no symmetry and no hub."""
    concepts = Finite(tuple(tuple(map(bool, row)) for row in rows))
    best = optimum(concepts, **asked)
    most, delta = exp_upper(best.privacy.epsilon), best.privacy.delta
    laws = {tuple(d): best.on(tuple(d)) for d in best.listing.databases.histograms.tolist()}
    for histogram, law in laws.items():
        assert sum(law.probabilities.values()) == 1
        for other in neighbours(histogram):
            above = (p - most * laws[other][h] for h, p in law.probabilities.items())
            assert sum(excess for excess in above if excess > 0) <= delta
    numbers = list(laws)
    assert best.listing.worst(lambda s: laws[numbers[s]]) <= best.upper


@pytest.mark.parametrize("seed", range(8))
def test_symmetry_hubs_and_pairs_change_nothing(seed: int) -> None:
    """The same optimum without symmetry, and by all pairs of neighbours instead of hubs."""
    rng = np.random.default_rng(seed)
    table = np.unique(rng.random((4, 2 + seed % 2)) < 0.5, axis=0)
    asked: dict[str, Any] = {"n": 3, "proper": bool(seed % 3), "agnostic": seed > 2}
    asked["alpha"] = Fraction(1, 4) if seed % 2 else None
    if seed > 5:
        table = table[:, :2] if seed > 6 else np.array([[0, 0], [0, 1], [1, 0]], dtype=bool)
        table = np.unique(table, axis=0)
        asked |= {"n": 2, "labels": 2}
    values: list[float] = []
    for privacy, symmetric in ((Privacy(1), True), (Privacy(1), False), (Privacy(1, 0), True)):
        pure = len(values) < 2
        program = class_program(table, **asked, pure=pure, symmetric=symmetric).program
        proposal = propose(program, privacy)
        assert proposal is not None
        law, prior = private_law(program, proposal, privacy), dual_prior(program, proposal)
        upper, lower = check_law(program, law, privacy), check_prior(program, prior, privacy)
        assert 0 <= upper - lower <= NEAR
        values.append(float(upper))
    assert max(values) - min(values) < 1e-7


def tampered(best: Optimum) -> list[Optimum]:
    masses, flows = list(best.law.masses), list(best.prior.flows)
    more = masses.copy()
    more[0] += 1  # adds up to more than 1
    negative = masses.copy()
    negative[0] -= best.law.whole
    others = [v for v, s in enumerate(best.program.unknowns.states.tolist()) if s == 0]
    steep = masses.copy()  # all mass of one state on one hypothesis
    for v in others:
        steep[v] = 0
    many = best.program.unknowns.multiplicities[others[0]]
    steep[others[0]] = best.law.whole // many
    heavier = [w + best.prior.unit for w in flows]
    below = [-1, *flows[1:]]
    return [
        replace(best, law=replace(best.law, masses=tuple(more))),
        replace(best, law=replace(best.law, masses=tuple(negative))),
        replace(best, law=replace(best.law, masses=tuple(steep))),
        replace(best, law=replace(best.law, masses=tuple(masses[:-1]))),
        replace(best, law=replace(best.law, whole=best.law.whole * 2)),
        replace(best, upper=best.upper - NEAR),
        replace(best, lower=best.lower + NEAR),
        replace(best, prior=replace(best.prior, flows=tuple(heavier))),
        replace(best, prior=replace(best.prior, flows=tuple(below))),
        replace(best, prior=replace(best.prior, flows=tuple(flows[1:]))),
        replace(best, prior=replace(best.prior, flows=(0,) * len(flows))),
        replace(best, prior=replace(best.prior, weights=(0,) * len(best.prior.weights))),
        replace(best, prior=replace(best.prior, unit=best.prior.unit * 2)),
        replace(best, privacy=Privacy(best.privacy.epsilon / 2, best.privacy.delta / 2)),
    ]


@pytest.mark.parametrize("delta", ["0", "0.01"])
def test_a_broken_certificate_is_refused(delta: str) -> None:
    best = optimum(thresholds(2), n=3, epsilon=1, delta=delta, agnostic=True, proper=True)
    assert best.verify()
    assert [broken.verify() for broken in tampered(best)] == [False] * 14
    counted = votes(100, n=5, epsilon=1, delta=delta)
    assert counted.verify()
    assert not any(broken.verify() for broken in tampered(counted))


def test_a_steeper_law_than_epsilon_allows_is_refused() -> None:
    """The best law at epsilon is not private at any smaller one; the prior proves more there."""
    best = optimum(thresholds(2), n=3, epsilon=1)
    nearly = Privacy(Fraction(999999, 1000000))
    with pytest.raises(InvalidArgument, match="not private"):
        check_law(best.program, best.law, nearly)
    assert check_prior(best.program, best.prior, nearly) >= best.lower


def test_more_freedom_never_costs() -> None:
    def best(**asked: Any) -> ClassOptimum:
        return optimum(thresholds(2), **{"n": 4, "epsilon": 1, "proper": True} | asked)

    usual = best()
    assert best(proper=False).lower <= usual.upper
    assert best(epsilon=2).upper < usual.lower
    assert best(delta="0.01").upper < usual.lower
    assert best(n=5).upper < usual.lower
    assert best(agnostic=True).upper >= usual.lower
    assert best(alpha="0.2").lower > best(alpha="0.3").upper


def test_the_trivial_is_known() -> None:
    one = optimum(Finite(((True, False),)), n=2, epsilon=1)
    assert one.verify()
    assert -NEAR < one.lower <= 0 <= one.upper < NEAR
    assert votes(1, n=3, epsilon=1).upper == 0


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"n": 0}, "n must be at least 1"),
        ({"epsilon": 0}, "epsilon must be greater than 0"),
        ({"epsilon": 31}, "epsilon must lie between 1e-6 and 30"),
        ({"delta": 1}, "delta must be at least 0"),
        ({"alpha": 1}, "alpha must lie"),
        ({"alpha": "1e-9"}, "alpha must be at least 1e-6"),
        ({"n": 2.5}, "n must be an integer"),
        ({"labels": 0}, "labels must be at least 1"),
        ({"labels": 9}, "smaller n"),
        ({"concepts": "thresholds(bits=32)"}, "smaller ones, such as"),
        ({"concepts": "thresholds(values=14)"}, "--proper"),
        ({"n": 40, "concepts": "thresholds(values=4)"}, "smaller n"),
        ({"n": 14, "concepts": "thresholds(values=3)"}, "smaller n"),
        ({"concepts": "nosuch(values=4)"}, "not known"),
    ],
)
def test_what_cannot_be_solved_is_refused_at_once(asked: dict[str, Any], told: str) -> None:
    with pytest.raises((InvalidArgument, NotExact, TooLarge), match=told):
        optimum(**{"concepts": "thresholds(values=2)", "n": 3, "epsilon": 1} | asked)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"candidates": 0}, "candidates must be at least 1"),
        ({"candidates": 1 << 63}, "candidates must be at most"),
        ({"n": 25}, "n must be at most 24"),
        ({"mass": 2}, "mass must be at most 1"),
    ],
)
def test_votes_that_cannot_be_counted_are_refused(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidArgument, match=told):
        votes(**{"candidates": 4, "n": 3, "epsilon": 1} | asked)


@pytest.mark.parametrize("delta", ["0", "0.02"])
def test_the_law_of_votes_is_private_on_all_neighbours(delta: str) -> None:
    """Unfolded for three candidates, four rows, abstentions: each vote replaced by each other."""
    best = votes(3, n=4, epsilon=1, delta=delta, mass="1/2")
    most = exp_upper(Fraction(1))

    def law(rows: tuple[int, ...]) -> list[Fraction]:
        counts = [rows.count(c) for c in range(3)]
        known = best.on(tuple(sorted(filter(None, counts), reverse=True)))
        return [known[k] for k in counts]

    for rows in product(range(4), repeat=4):  # 3 abstains
        here = law(rows)
        assert sum(here) == 1
        for other in range(4):
            above = (p - most * q for p, q in zip(here, law((other, *rows[1:])), strict=True))
            assert sum(excess for excess in above if excess > 0) <= Fraction(delta)
    with pytest.raises(InvalidArgument, match="counts"):
        best.on((9,))


def test_votes_are_read() -> None:
    assert read_votes("votes(candidates = 10)") == 10
    assert (read_votes("votes(candidates=2^999999999999)") or 0) > 1 << 62
    with pytest.raises(InvalidArgument, match="look like"):
        read_votes("votes(candidates=two)")
