"""Least lists against brute force over all lists, checks of many lists, certificates, time."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from tacit.core.errors import InvalidArgument, TooLarge
from tacit.theory.representations.exact import exact_representation, smallest_representation
from tacit.theory.representations.list_game import ListGame, exact_lottery, most_met
from tacit.theory.representations.representation import (
    ProbabilisticRepresentation,
    Rows,
    represents,
)
from tacit.theory.solving.hitting_sets import heaviest_union
from tests.support.least_lists import least_list, up_to_symmetry

QUARTER = Fraction(1, 4)


def _thresholds(n: int) -> Rows:
    return np.arange(n - 1)[None, :] >= np.arange(n)[:, None]


def _cube(n: int) -> Rows:
    return np.array(list(product((False, True), repeat=n)))


GOLDEN = [
    (np.eye(2, dtype=bool), 2),
    (_cube(2), 3),
    (_thresholds(4), 3),
    (np.vstack((np.eye(3, dtype=bool), np.zeros((1, 3), dtype=bool))), 3),
    (_cube(3), 6),
    (np.eye(4, dtype=bool), 3),
    (_thresholds(5), 4),
    (_cube(4), 6),
    (np.eye(5, dtype=bool), 4),
    (_thresholds(6), 5),
]


@pytest.mark.parametrize(("concepts", "size"), GOLDEN)
def test_golden_sizes_with_both_certificates(concepts: Rows, size: int) -> None:
    """The table of known values; one more or one less is refused by whoever checks."""
    found = exact_lottery(concepts, QUARTER, QUARTER)
    assert found.lower == found.size == size
    assert found.lottery.represents(concepts, QUARTER, QUARTER)
    shown = (concepts, QUARTER, found.challenges, found.weights)
    assert most_met(*shown, size - 1) < 1 - QUARTER
    assert most_met(*shown, len(concepts)) == 1


def test_a_spoiled_lottery_is_refused() -> None:
    concepts = _thresholds(5)
    found = exact_lottery(concepts, QUARTER, QUARTER).lottery
    fewer = tuple(rows[1:] for rows in found.sets)
    spoiled = ProbabilisticRepresentation(fewer, found.probabilities)
    assert not spoiled.represents(concepts, QUARTER, QUARTER)


CLASSES = [each for points in (2, 3, 4) for each in up_to_symmetry(points, 6)]


@pytest.mark.parametrize("concepts", CLASSES[::60])
def test_small_classes_against_all_lists(concepts: Rows) -> None:
    """A part; `make representations` goes through all of them."""
    assert exact_lottery(concepts, QUARTER, QUARTER).lower == least_list(concepts, QUARTER, QUARTER)


@pytest.mark.parametrize(("alpha", "beta"), [("1/3", "1/3"), ("1/8", "1/10"), ("2/5", "0")])
def test_other_accuracies_against_all_lists(alpha: str, beta: str) -> None:
    for concepts in (_thresholds(4), np.eye(3, dtype=bool), _cube(2)):
        found = exact_lottery(concepts, alpha, beta)
        assert found.lower == found.size == least_list(concepts, Fraction(alpha), Fraction(beta))


def test_lists_of_given_hypotheses() -> None:
    """Of points by points three quarters are needed [BNS19 Ex 10]; of nothing useful, no list."""
    for n, size in ((3, 3), (4, 3), (5, 4), (6, 5), (8, 6)):
        points = np.eye(n, dtype=bool)
        assert exact_lottery(points, QUARTER, QUARTER, among=points).lower == size
        assert len(smallest_representation(points, QUARTER, among=points)) == n
    never = np.zeros((1, 3), dtype=bool)
    with pytest.raises(InvalidArgument, match="no set of the given"):
        exact_lottery(np.eye(3, dtype=bool), QUARTER, QUARTER, among=never)
    with pytest.raises(InvalidArgument, match="table"):
        exact_lottery(np.zeros((0, 3), dtype=bool), QUARTER, QUARTER)
    with pytest.raises(TooLarge, match="among"):
        exact_lottery(np.eye(7, dtype=bool), QUARTER, QUARTER)


def test_fewest_given_hypotheses_against_all_sets() -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        concepts = np.unique(rng.random((4, 4)) < 0.5, axis=0)
        among = np.unique(np.vstack((concepts, rng.random((3, 4)) < 0.5)), axis=0)
        plain = next(
            size
            for size in range(1, len(among) + 1)
            for chosen in combinations(range(len(among)), size)
            if represents(among[list(chosen)], concepts, "1/3")
        )
        assert exact_representation(concepts, "1/3", among=among).lower == plain


def test_points_that_look_alike_count_once() -> None:
    concepts = _thresholds(5)[:, [0, 0, 1, 2, 2, 3, 3, 3]]
    found = exact_lottery(concepts, QUARTER, QUARTER)
    assert found.lower == found.size == 4
    assert found.lottery.represents(concepts, QUARTER, QUARTER)
    assert most_met(concepts, QUARTER, found.challenges, found.weights, 3) < 1 - QUARTER


def test_what_takes_too_long_says_what_is_certain() -> None:
    found = exact_lottery(_cube(5), QUARTER, QUARTER, time_limit=0.2)
    assert found.lower <= 7 <= found.size
    assert "stopped" in found.why


def _by_unions(drawn: ProbabilisticRepresentation, concept: Rows, alpha: Fraction) -> Fraction:
    """The definition: the heaviest family of sets whose union does not represent the concept."""
    worst, lists = Fraction(0), range(len(drawn.sets))
    for chosen in (c for size in lists for c in combinations(lists, size + 1)):
        mass = sum((drawn.probabilities[i] for i in chosen), Fraction(0))
        union = np.concatenate([drawn.sets[i] for i in chosen])
        if mass > worst and not represents(union, concept[None], alpha):
            worst = mass
    return worst


def test_failures_against_all_unions() -> None:
    for seed in range(15):
        rng = np.random.default_rng(seed)
        sets = tuple(rng.random((int(rng.integers(1, 4)), 4)) < 0.5 for _ in range(6))
        parts = rng.integers(1, 9, 6).tolist()
        chances = tuple(Fraction(part, sum(parts)) for part in parts)
        drawn, concept = ProbabilisticRepresentation(sets, chances), rng.random(4) < 0.5
        alpha = (Fraction(1, 4), Fraction(1, 3), Fraction(2, 5))[seed % 3]
        failure = drawn.failure(concept, alpha)
        assert failure == _by_unions(drawn, concept, alpha)
        assert failure == 1 or drawn.represents(concept[None], alpha, failure)
        assert not failure or not drawn.represents(
            concept[None], alpha, failure * Fraction(99, 100)
        )


def test_seventy_lists_are_checked() -> None:
    """Triples and fours of seven points: a point is missed by the lists without it."""
    points = np.eye(7, dtype=bool)
    lists = [list(c) for size in (3, 4) for c in combinations(range(7), size)]
    drawn = ProbabilisticRepresentation(
        tuple(points[each] for each in lists), (Fraction(1, len(lists)),) * len(lists)
    )
    assert len(lists) == 70
    assert [drawn.failure(point, 0) for point in points[:2]] == [Fraction(1, 2)] * 2


def test_heaviest_unions_against_all() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        sets, weights = rng.integers(0, 256, 9).tolist(), rng.integers(0, 9, 8).tolist()
        plain = max(
            sum(w for e, w in enumerate(weights) if any(s >> e & 1 for s in chosen))
            for chosen in combinations(sets, 3)
        )
        found = heaviest_union(sets, weights, 3, -1)
        assert found is not None
        assert found[0] == plain
        assert heaviest_union(sets, weights, 3, plain) is None


def test_the_value_of_a_game_rises_with_the_lists() -> None:
    game = ListGame(np.eye(4, dtype=bool), QUARTER)
    values = [1 - game.play(size)[2].upper for size in (1, 2, 3, 4)]
    assert values == [QUARTER, Fraction(1, 2), Fraction(3, 4), 1]
