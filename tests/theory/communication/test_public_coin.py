"""Public-coin values: the golden table as rationals, certificates from both sides, brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.theory.communication import public_coin
from tacit.theory.communication.augmented_index import index_error, index_messages
from tacit.theory.communication.public_coin import check_lower, check_upper, public_coin_value
from tacit.theory.solving.incidence import Incidence
from tacit.theory.solving.symmetry import Symmetry, orbits, symmetries_of

GOLDEN = {
    "point 3": ["1/2", "2/9", "0"],
    "point 4": ["1/2", "3/13", "1/8", "0"],
    "point 5": ["1/2", "4/15", "3/20", "2/25", "0"],
    "point 6": ["1/2", "4/15", "2/13", "2/19", "1/18", "0"],
    "threshold 3": ["1/2", "1/5", "0"],
    "threshold 4": ["1/2", "1/4", "1/8", "0"],
    "threshold 5": ["1/2", "1/4", "1/6", "1/12", "0"],
    "threshold 6": ["1/2", "5/18", "3/16", "1/8", "1/16", "0"],
    "threshold 8": ["1/2", "19/64", "26/123", "1/6", "1/8", "1/12", "1/24", "0"],
    "lines(p=2)": ["1/2", "1/4", "1/8", "0"],
    "lines(p=3)": ["1/2", "26/81", "1/4", "20/99", "16/99", "10/81", "8/99", "4/81", "0"],
    "parities(dims=2)": ["1/2", "1/4", "1/6", "0"],
    "parities(dims=3)": ["1/2", "19/56", "2/7", "3/14", "5/28", "3/28", "1/14", "0"],
    "parities(dims=4)": [
        "1/2",
        "3/8",
        "1/3",
        "3/10",
        "11/40",
        "1/4",
        "9/40",
        "1/5",
        "7/40",
        "3/20",
        "1/8",
        "1/10",
        "1/12",
        "1/20",
        "1/30",
        "0",
    ],
    "points(bits=4)": [
        "1/2",
        "77/257",
        "175/832",
        "7/45",
        "9/74",
        "7/72",
        "11/140",
        "9/151",
        "7/134",
        "7/156",
        "3/80",
        "5/166",
        "1/44",
        "3/196",
        "1/128",
        "0",
    ],
}

SIXTEEN_THRESHOLDS = {
    2: "0.333874",
    3: "0.266099",
    6: "2221207/13903051",
    7: "9/64",
    8: "1/8",
    12: "1/16",
    15: "1/64",
}
TWELVE_BY_TWELVE = {2: "0.343631", 4: "0.235533", 8: "0.114253"}


def _class(name: str) -> tuple[Incidence, tuple[Symmetry, ...]]:
    kind, _, size = name.partition(" ")
    if kind == "point":
        return Incidence.of(np.eye(int(size))), symmetries_of(parse(f"points(values={size})"))
    if kind == "threshold":
        n = int(size)
        table = Incidence.of(np.arange(n)[None, :] >= np.arange(n)[:, None])
        return table, symmetries_of(parse(f"thresholds(values={n})"))
    concepts = parse(name)
    return Incidence.of_class(concepts), symmetries_of(concepts)


@pytest.mark.parametrize(
    ("name", "messages", "value"),
    [(name, s, v) for name, values in GOLDEN.items() for s, v in enumerate(values, start=1)],
)
def test_the_golden_table(name: str, messages: int, value: str) -> None:
    _check(*_class(name), messages, value)


@pytest.mark.parametrize("messages", SIXTEEN_THRESHOLDS)
def test_sixteen_thresholds(messages: int) -> None:
    _check(*_class("thresholds(bits=4)"), messages, SIXTEEN_THRESHOLDS[messages])


@pytest.mark.parametrize("messages", TWELVE_BY_TWELVE)
def test_twelve_random_concepts(messages: int) -> None:
    table = Incidence.of(np.random.default_rng(0).random((12, 12)) < 0.5)
    _check(table, (), messages, TWELVE_BY_TWELVE[messages])


def _check(table: Incidence, symmetries: tuple[Symmetry, ...], messages: int, value: str) -> None:
    """Both ends are the value, given exactly or to six digits, and what shows them does."""
    found = public_coin_value(table, messages, symmetries=symmetries, time_limit=600)
    assert found.lower == found.upper
    assert (round(found.upper, 6) if "." in value else found.upper) == Fraction(value)
    assert check_lower(table, found.prior, messages) == found.lower
    used, error = check_upper(table, found.mixture, symmetries)
    assert used <= messages
    assert error == found.upper


def _plain(truth: NDArray[np.bool_], messages: int) -> float:
    """Solve the game over all deterministic protocols, listed."""
    n, m = truth.shape
    answers = list(product((False, True), repeat=m))
    columns = [
        np.not_equal(np.array([book[cell] for cell in cells]), truth).ravel()
        for book in product(answers, repeat=messages)
        for cells in product(range(messages), repeat=n)
    ]
    matrix = np.unique(np.array(columns, dtype=float), axis=0).T
    rows, count = matrix.shape
    solved = linprog(
        np.append(np.zeros(count), 1.0),
        A_ub=np.hstack((matrix, -np.ones((rows, 1)))),
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(count), 0.0)[None],
        b_eq=[1.0],
    )
    return float(solved.fun)


@pytest.mark.parametrize("seed", range(20))
def test_small_classes_against_all_protocols(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = np.unique(rng.random((4, 3)) < 0.5, axis=0)
    found = public_coin_value(Incidence.of(truth), 2)
    assert float(found.lower) == pytest.approx(_plain(truth, 2), abs=1e-8)
    assert found.lower == found.upper


@pytest.mark.parametrize(
    "spec", ["points(bits=2)", "thresholds(bits=3)", "parities(dims=3)", "lines(p=5)"]
)
def test_known_symmetries_keep_their_class(spec: str) -> None:
    concepts = parse(spec)
    points = concepts.domain()
    truth = np.array([concept(points) for concept in concepts.concepts()])
    assert all(symmetry.keeps(truth) for symmetry in symmetries_of(concepts))
    many = {"points(bits=2)": 2, "thresholds(bits=3)": 32, "parities(dims=3)": 2, "lines(p=5)": 2}
    assert orbits(truth, symmetries_of(concepts)).max() + 1 == many[spec]


def test_what_certifies_nothing_is_refused() -> None:
    table = Incidence.of(np.eye(3))
    wrong = Symmetry((1, 0, 2), (0, 1, 2), (False,) * 3)
    with pytest.raises(InvalidArgument, match="keep the class"):
        public_coin_value(table, 2, symmetries=(wrong,))
    for prior in (np.zeros((3, 3)), np.diag([-1, 5, 5]), np.ones((3, 2)), np.ones((4, 3))):
        with pytest.raises(InvalidArgument, match="prior"):
            check_lower(table, prior.astype(np.int64), 2)
    never = (0, 0, 0), np.zeros((1, 3), dtype=np.bool_)
    for chances in ((Fraction(1, 2),), (Fraction(3, 2), Fraction(-1, 2))):
        with pytest.raises(InvalidArgument, match="add up"):
            check_upper(table, tuple((p, *never) for p in chances))
    with pytest.raises(TooLarge, match="partitions"):
        public_coin_value(Incidence.of(np.eye(40)), 2)


def test_a_time_limit_leaves_true_bounds() -> None:
    rng = np.random.default_rng(0)
    table = Incidence.of(rng.random((6, 6)) < 0.5)
    quick = public_coin_value(table, 3, time_limit=0.01)
    exact = public_coin_value(table, 3)
    assert quick.lower <= exact.lower <= exact.upper <= quick.upper
    assert exact.lower == exact.upper


def test_a_game_too_large_for_interior_points_is_solved_from_corners(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(public_coin, "MOST_ORBITS", 0)
    _check(*_class("threshold 6"), 2, "5/18")


def test_any_shape_is_solved_exactly() -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        n, m, density = rng.integers(1, 8), rng.integers(1, 8), rng.choice([0.1, 0.5, 0.9])
        table = Incidence.of(rng.random((n, m)) < density)
        found = public_coin_value(table, int(rng.integers(1, n + 2)))
        assert found.lower == found.upper


def test_counting_mistakes_on_leaves_is_all_there_is_with_half_the_messages() -> None:
    for name, depth in (("threshold 4", 2), ("threshold 8", 3)):
        table, symmetries = _class(name)
        for messages in range(2, table.n):
            value = public_coin_value(table, messages, symmetries=symmetries).lower
            counted = index_error(depth, messages)
            assert counted == Fraction(table.n - messages, table.n * depth)
            assert value == counted if 2 * messages >= table.n else value > counted
            assert index_messages(depth, value) <= messages
            assert index_messages(depth, counted) == messages
