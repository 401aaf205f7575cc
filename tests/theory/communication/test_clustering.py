"""All partitions of concepts, in integers of any length; and games from the inside, in floats."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tacit.kernels.deadline import Deadline
from tacit.kernels.interior_point_game import balanced
from tacit.theory.communication import clustering
from tacit.theory.communication.clustering import best_partition
from tacit.theory.solving.matrix_game import game_value, vertex, worst

LONG = 1 << 90


def _mistakes(truth: NDArray[np.bool_], prior: NDArray[Any], cells: tuple[int, ...]) -> int:
    """Return what messages err if each point gets the answer with more weight."""
    total = 0
    for cell in set(cells):
        inside = [c for c, name in enumerate(cells) if name == cell]
        for x in range(truth.shape[1]):
            yes = sum(int(prior[c, x]) for c in inside if truth[c, x])
            no = sum(int(prior[c, x]) for c in inside if not truth[c, x])
            total += min(yes, no)
    return total


def _instance(seed: int, *, long: bool) -> tuple[NDArray[np.bool_], NDArray[Any], int]:
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 6), rng.integers(1, 5)
    prior = rng.integers(0, 5, (n, m)).astype(object)
    if long:
        prior = prior * LONG + rng.integers(0, 3, (n, m)).astype(object)
    return rng.random((n, m)) < 0.5, prior, int(rng.integers(1, n + 2))


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_the_best_partition_against_all(seed: int, *, long: bool) -> None:
    truth, prior, messages = _instance(seed, long=long)
    found = best_partition(truth, prior, messages)
    assert found is not None
    assert found.exact
    assert found.least == _mistakes(truth, prior, tuple(found.cells.tolist()))
    everything = product(range(messages), repeat=len(truth))
    assert found.least == min(_mistakes(truth, prior, cells) for cells in everything)
    assert len(set(found.cells.tolist())) <= messages


def test_weights_that_are_too_long_to_tell_apart_leave_a_lower_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    truth, prior = np.eye(6, dtype=np.bool_), np.full((6, 6), LONG + 1, dtype=object)
    exact = best_partition(truth, prior, 3)
    monkeypatch.setattr(clustering, "LISTED", 1)
    found = best_partition(truth, prior, 3)
    assert exact is not None
    assert found is not None
    assert (exact.exact, found.exact) == (True, False)
    assert found.least < exact.least < found.least + 36 * (1 << 91 + 6 - clustering.BITS)


def test_there_is_no_partition_when_time_is_up() -> None:
    truth = np.random.default_rng(0).random((21, 21)) < 0.5
    prior = np.ones(truth.shape, dtype=np.int64)
    assert best_partition(truth, prior, 5, Deadline(-1.0)) is None


@pytest.mark.parametrize("seed", range(10))
def test_balanced_strategies_of_random_games(seed: int) -> None:
    rng = np.random.default_rng(seed)
    payoff = rng.integers(0, 5, (rng.integers(2, 30), rng.integers(2, 30)))
    columns = payoff.shape[1]
    exact = game_value(payoff)
    assert exact.lower == exact.upper
    paying, paid, upper, lower = balanced(payoff / 8, np.full(columns, 1 / columns), 1e-9)
    assert upper - lower < 1e-9
    assert lower <= float(exact.upper) / 8 + 1e-15
    assert upper >= float(exact.upper) / 8 - 1e-15
    assert paying.sum() == pytest.approx(1)
    assert paid.sum() == pytest.approx(1)
    assert (paying @ payoff).max() / 8 == pytest.approx(upper)
    assert (payoff @ paid).min() / 8 == pytest.approx(lower)


def test_a_corner_is_solved_for_in_rationals() -> None:
    payoff = [[Fraction(int(i == x)) for x in range(3)] for i in range(3)]
    corner = vertex(payoff, np.array([0.3333333333, 0.3333333333, 0.3333333334]))
    assert corner == (Fraction(1, 3),) * 3
    assert worst(payoff, corner) == game_value(payoff).upper
