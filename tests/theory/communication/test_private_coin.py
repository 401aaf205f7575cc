"""Private coins for both: brackets against a grid of Bobs, known values, bad proofs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from tacit.core.errors import InvalidArgument, TooLarge
from tacit.theory.communication.conversions import fixed_representation, private_protocol
from tacit.theory.communication.one_way import PrivateCoins
from tacit.theory.communication.private_coin import check_tree, private_coin_value
from tacit.theory.communication.public_coin import public_coin_value

F = Fraction
CUBE = np.array(list(product((0, 1), repeat=2)))


def _two_messages(bob: np.ndarray, truth: np.ndarray) -> float:
    """Return the error for two messages: lines in one unknown, the upper envelope of each."""
    worst = 0.0
    for concept in truth:
        no, yes = (np.abs(line - concept) for line in bob)
        found = linprog([0, 1], np.c_[yes - no, -np.ones(len(no))], -no, bounds=[(0, 1), (0, 1)])
        worst = max(worst, found.fun)
    return worst


@pytest.mark.parametrize(
    "truth", [np.tri(3, 2, -1), np.array([[0, 1], [1, 0], [1, 1]]), np.array([[0], [1]])]
)
def test_no_bob_of_a_grid_is_better(truth: np.ndarray) -> None:
    found = private_coin_value(truth.astype(int), 2, gap="1/50", time_limit=600)
    assert found.upper - found.lower <= F(1, 50) + F(1, 10**6)
    grid = product((0, 1 / 3, 2 / 3, 1), repeat=2 * truth.shape[1])
    errors = [_two_messages(np.reshape(bob, (2, -1)), truth) for bob in grid]
    assert float(found.lower) <= min(errors) + 1e-9
    assert float(found.upper) <= min(errors) + 1 / 50  # their best Bobs are on the grid


@pytest.mark.parametrize(
    ("spec", "messages", "least"),
    [
        ("thresholds(values=3)", 2, 1 / 3),
        ("thresholds(values=4)", 2, (3 - 5**0.5) / 2),
        (CUBE, 3, 1 - 0.5**0.5),
        ("points(values=3)", 1, 1 / 2),
        ("points(values=3)", 3, 0),
        ("points(values=3)", 7, 0),
    ],
)
def test_known_values_lie_in_proved_brackets(
    spec: str | np.ndarray, messages: int, least: float
) -> None:
    found = private_coin_value(spec, messages, time_limit=600)
    assert float(found.lower) - 1e-9 <= least <= float(found.upper) + 1e-9
    assert found.upper - found.lower <= F(1, 100) + F(1, 10**6)
    assert check_tree(spec, messages, found.tree) == found.lower
    assert found.protocol.error == found.upper
    assert found.protocol.messages <= messages


@pytest.mark.parametrize("seed", range(3))
def test_between_public_coins_and_a_bob_without_any(seed: int) -> None:
    truth = np.unique(np.random.default_rng(seed).random((4, 3)) < 0.5, axis=0)
    found = private_coin_value(truth, 2, gap="1/5", time_limit=2)
    assert found.upper >= public_coin_value(truth, 2).lower
    functions = np.array(list(product((0, 1), repeat=3)), dtype=bool)
    pairs = ((a, b) for a in range(8) for b in range(a))
    plain = min(private_protocol(functions[list(pair)], truth).error for pair in pairs)
    assert found.lower <= plain
    if 2 * found.upper < 1:
        assert fixed_representation(found.protocol).approximation == 2 * found.upper


def test_when_time_is_up_there_is_a_bracket() -> None:
    found = private_coin_value("points(values=4)", 2, gap=0, time_limit=0.1)
    assert check_tree("points(values=4)", 2, found.tree) == found.lower < found.upper <= F(1, 2)


def test_bad_proofs_are_refused() -> None:
    spec = "thresholds(values=3)"
    found = private_coin_value(spec, 2)
    for bad, why in (
        ({"": 99}, "cannot be halved"),
        ({"": ((0, -1),)}, "at least 0"),
        ({"": ((10**6, 1),)}, "each of a row"),
    ):
        with pytest.raises(InvalidArgument, match=why):
            check_tree(spec, 2, bad)
    missing = {k: v for k, v in found.tree.items() if k != max(found.tree)}
    assert check_tree(spec, 2, missing) == check_tree(spec, 2, {}) == 0
    heavy = {k: v if isinstance(v, int) else ((0, 1 << 40),) for k, v in found.tree.items()}
    assert check_tree(spec, 2, heavy) <= found.upper
    with pytest.raises(TooLarge, match="at most 500"):
        private_coin_value("points(values=16)", 4)


def test_a_hypothesis_may_be_a_law() -> None:
    bob = np.array([[F(2, 3), F(1)], [F(0), F(1, 3)]])
    protocol = private_protocol(bob, np.array([[0, 0], [0, 1], [1, 1]]))
    assert isinstance(protocol, PrivateCoins)
    assert (protocol.error, protocol.bob_throws_no_coins) == (F(1, 3), False)


def test_hypotheses_are_over_the_points_of_the_class() -> None:
    with pytest.raises(InvalidArgument, match="column for each of 2 points"):
        private_protocol(np.zeros((2, 3), dtype=bool), CUBE.astype(bool))
