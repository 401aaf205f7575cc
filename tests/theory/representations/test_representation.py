"""Representations against sampled distributions, golden sizes, and certified games."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from itertools import product
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.algebra.hashes import Hashes
from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument
from tacit.theory.representations.bounds import counting_bound, separation_bound, tree_bound
from tacit.theory.representations.exact import smallest_representation
from tacit.theory.representations.fractional import covered_share
from tacit.theory.representations.of_points import BucketedPoints
from tacit.theory.representations.representation import (
    ProbabilisticRepresentation,
    representation_value,
    represents,
)
from tacit.theory.representations.sizes import deterministic_size
from tacit.theory.solving.matrix_game import GameValue, game_value, worst


def _thresholds(n: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return np.arange(n - 1)[None, :] >= np.arange(n)[:, None]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=5))
def test_both_strategies_certify_the_value(payoff: list[list[int]]) -> None:
    exact = [[Fraction(e) for e in row] for row in payoff]
    value = game_value(exact)
    assert value.lower == value.upper
    assert sum(value.paying) == sum(value.paid) == 1
    assert worst(exact, value.paying) == value.upper
    turned = [[-e for e in column] for column in zip(*exact, strict=True)]
    assert -worst(turned, value.paid) == value.lower


def test_known_games() -> None:
    rock = [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
    assert game_value(np.array(rock)).paying == (Fraction(1, 3),) * 3
    with pytest.raises(InvalidArgument, match="choice"):
        game_value([])


@pytest.mark.parametrize(
    ("concepts", "alpha", "size"),
    [
        (np.eye(3, dtype=bool), "1/4", 3),
        (np.eye(3, dtype=bool), "0.49", 3),
        (_thresholds(3), "1/4", 3),
        (_thresholds(4), "1/3", 4),
        (_thresholds(4), "1/2", 2),
    ],
)
def test_golden_sizes(concepts: np.ndarray, alpha: str, size: int) -> None:
    found = smallest_representation(concepts, alpha)
    assert len(found) == size
    assert represents(found, concepts, alpha)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_no_distribution_beats_the_value(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hypotheses, concept = rng.random((4, 5)) < 0.5, rng.random(5) < 0.5
    value = representation_value(hypotheses, concept)
    errors = hypotheses != concept
    for weights in rng.dirichlet(np.ones(5), size=20):
        assert min(errors @ weights) <= float(value.upper) + 1e-9
    exact = [
        sum((p for p, e in zip(value.paid, row, strict=True) if e), Fraction(0)) for row in errors
    ]
    assert min(exact) == value.lower


def test_random_sets_fail_where_their_unions_do() -> None:
    everything = np.array(list(product((False, True), repeat=2)))
    concept = np.array([True, False])
    sets = (everything[:1], everything[2:3], everything[3:])
    drawn = ProbabilisticRepresentation(sets, (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)))
    # only the second set holds the concept itself; the other two together err 1/2 somewhere
    assert drawn.failure(concept, 0) == Fraction(3, 4)
    assert drawn.failure(concept, "1/2") == Fraction(1, 2)
    assert drawn.represents(concept[None], "1/2", "1/2")
    assert not drawn.represents(concept[None], "1/2", "0.4")
    with pytest.raises(InvalidArgument, match="add up"):
        ProbabilisticRepresentation(sets, (Fraction(1, 2),) * 3)


def test_what_is_not_certain_is_not_represented(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a game that is known between two ends only, the upper end counts."""
    open_game = GameValue(Fraction(1, 5), Fraction(1, 3), (Fraction(1),), (Fraction(1),))
    module = import_module("tacit.theory.representations.representation")
    monkeypatch.setattr(module, "representation_value", lambda *_: open_game)
    zero = np.zeros((1, 2), dtype=np.bool_)
    assert represents(zero, zero, "1/3")
    assert not represents(zero, zero, "1/4")


def test_bad_shapes_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="table"):
        representation_value(np.zeros((0, 2), dtype=bool), np.zeros(2, dtype=bool))
    with pytest.raises(InvalidArgument, match="no set"):
        smallest_representation(np.eye(3, dtype=bool), 0, among=np.zeros((1, 3), dtype=bool))


def test_no_point_stands_for_another() -> None:
    """Under all mass on a point every other point errs for sure: among points, all are needed."""
    for n in range(1, 6):
        points = np.eye(n, dtype=bool)
        for alpha in ("1/4", "9/10"):
            assert len(smallest_representation(points, alpha, among=points)) == n


@pytest.mark.parametrize("bits", [1, 2, 3, 8, 64])
@pytest.mark.parametrize(("near", "failure"), [("1/4", "1/4"), ("0.1", "0.05"), ("0.01", "0.01")])
def test_no_fewer_buckets_of_points_are_enough(bits: int, near: str, failure: str) -> None:
    found = BucketedPoints.least(bits, near, failure)
    assert found.failure <= Fraction(failure)
    for draws in range(1, 13):
        fewer = (found.size - 2) // draws
        if fewer >= 2:
            collision = Hashes(fewer, bits).collision
            missed = (1 - Fraction(near)) * collision / Fraction(near)
            assert missed**draws > Fraction(failure)


def test_a_class_represents_itself() -> None:
    """However small the failure, no more hypotheses are needed than there are concepts."""
    found = covered_share(np.eye(4, dtype=bool), "1/4")
    assert [found.sizes(beta)[1] for beta in ("1/4", "1/1000", "1e-30")] == [4, 4, 4]


@pytest.mark.parametrize("spec", ["halfspaces(bits=2, dims=4)", "balls(bits=2, dims=5)"])
def test_uncounted_classes_are_not_taken_for_all_functions(spec: str) -> None:
    """They have at most Cover's number of functions, and no counting can ask for more than that."""
    concepts, quarter, depth = parse(spec), Fraction(1, 4), 10
    found = deterministic_size(concepts, quarter, depth=depth)
    counted = counting_bound(concepts.most, concepts.domain_size, alpha=quarter)
    path = tree_bound(depth, alpha=quarter, beta=0)
    assert (
        exp(found.lower)
        <= max(counted, path, separation_bound(concepts.domain_size, alpha=quarter)) + 1e-6
    )
