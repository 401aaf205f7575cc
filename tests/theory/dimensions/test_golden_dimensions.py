"""The specification's tables of dimensions, representations and protocols, by other ways.

Every number is computed, its witness is checked by its verifier, and what no witness can show is
refuted by a search or a program written here.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

from tacit.concepts.contract.specification import parse
from tacit.concepts.grid.balls import Balls
from tacit.concepts.grid.halfspaces import Halfspaces
from tacit.core.numbers.decay import Decay
from tacit.theory.communication.augmented_index import index_bits, threshold_coins
from tacit.theory.communication.bits import equality_value, line_bound
from tacit.theory.communication.greater_than import block_error, block_protocol
from tacit.theory.communication.public_coin import public_coin_value
from tacit.theory.dimensions.littlestone import is_mistake_tree, littlestone
from tacit.theory.dimensions.vc import is_shattered, vc
from tacit.theory.enough.selection import realisable
from tacit.theory.representations.bounds import separation_bound
from tacit.theory.representations.exact import exact_representation
from tacit.theory.representations.representation import Rows, represents
from tacit.theory.solving.class_table import sauer
from tacit.theory.solving.incidence import Incidence
from tacit.theory.solving.symmetry import Symmetry, symmetries_of
from tests.support.grid_oracles import littlestone_at_least, shatters_some

F = Fraction
Prior = NDArray[np.int64]


def points(m: int) -> Rows:
    return np.eye(m, dtype=np.bool_)


def thresholds(m: int) -> Rows:
    return np.arange(m)[None, :] >= np.arange(m)[:, None]


def monotone_conjunctions(d: int) -> Rows:
    """All of a set of columns must be 1."""
    masks = np.arange(1 << d)
    return (masks[None, :] & masks[:, None]) >= masks[:, None]


def family(spec: str) -> Rows:
    concepts = parse(spec)
    return np.array([concept(concepts.domain()) for concept in concepts.concepts()])


def boxes(b: int, d: int) -> tuple[str, Rows, int]:
    size = (2 ** (b - 1) * (2**b + 1)) ** d + 1
    return f"boxes {b} {d}", family(f"boxes(bits={b}, dims={d})"), size


CLASSES: list[tuple[str, Rows, int, int, int]] = [
    *[(f"point {m}", points(m), m, 1, 1) for m in (2, 3, 5, 8)],
    *[(f"threshold {2**b}", thresholds(2**b), 2**b, 1, b) for b in range(1, 7)],
    *[(f"threshold {m}", thresholds(m), m, 1, m.bit_length() - 1) for m in (3, 5, 7, 12)],
    *[
        (*boxes(b, d), shattered, depth)
        for b, d, shattered, depth in (
            (1, 1, 2, 2), (2, 1, 2, 3), (3, 1, 2, 4), (4, 1, 2, 6),
            (1, 2, 2, 3), (2, 2, 4, 6), (1, 3, 3, 4),
        )
    ],
    *[
        (f"halfspaces {b} {d}", family(f"halfspaces(bits={b}, dims={d})"), size, d + 1, depth)
        for b, d, size, depth in (
            (1, 1, 4, 2), (2, 1, 8, 3), (3, 1, 16, 4), (4, 1, 32, 5),
            (1, 2, 14, 3), (2, 2, 174, 7), (1, 3, 104, 6),
        )
    ],
    ("balls 2 2", family("balls(bits=2, dims=2)"), 524, 3, 8),
    *[(f"lines {p}", family(f"lines(p={p})"), p * p, 2, 2) for p in (2, 3, 5, 7)],
    *[(f"parities {d}", family(f"parities(dims={d})"), 2**d, d, d) for d in range(1, 5)],
    *[(f"monotone {d}", monotone_conjunctions(d), 2**d, d, d) for d in range(1, 5)],
    *[
        (f"conjunctions {d}", boxes(1, d)[1], 3**d + 1, max(d, 2), d + 1)
        for d in (1, 2, 3)
    ],
]  # fmt: skip
"""Name, table, size, VC and Littlestone dimension: section 3."""


@pytest.mark.parametrize(
    ("table", "size", "shattered", "depth"),
    [each[1:] for each in CLASSES],
    ids=[each[0] for each in CLASSES],
)
def test_sizes_and_dimensions(table: Rows, size: int, shattered: int, depth: int) -> None:
    concepts = Incidence.of(table)
    assert len(np.unique(table, axis=0)) == concepts.n == size
    set_found, tree_found = vc(concepts), littlestone(concepts)
    assert set_found.lower == set_found.upper == shattered
    assert is_shattered(concepts, set_found.points)
    assert not shatters_some(table, shattered + 1)
    assert tree_found.lower == tree_found.upper == tree_found.tree.depth == depth
    assert is_mistake_tree(concepts, tree_found.tree)
    assert not littlestone_at_least(table, depth + 1)
    assert shattered <= depth <= size.bit_length() - 1


@pytest.mark.parametrize(("b", "d"), [(1, 1), (3, 1), (1, 2), (2, 2), (1, 3)])
def test_halfspaces_are_as_many_as_cells_and_are_balls(b: int, d: int) -> None:
    """At most Cover's number, a tree of the explicit depth, and each is the ball of a formula."""
    concepts = Halfspaces(b, d)
    assert concepts.size <= 2 * sauer(d, 2 ** (b * d) - 1)
    assert concepts.littlestone.lower >= b + 1 + b * d * (d - 1) // 2
    domain = np.asarray(concepts.domain()).reshape(-1, d)
    reach = d * (2**b - 1) ** 2
    t = reach + 1
    for concept in concepts.concepts():
        w, theta = np.array(concept.weights), concept.threshold
        radius = t * t * int(w @ w) + reach - 2 * t * theta
        inside = ((domain - t * w) ** 2).sum(axis=1) <= radius
        assert (inside == concept(concepts.domain())).all() or not concept(concepts.domain()).any()
    if b == 1:
        assert Balls(b, d).size == concepts.size


SMALL: dict[str, tuple[Rows, dict[str, int]]] = {
    "point 3": (points(3), {}),
    "point 4": (points(4), {}),
    "point 5": (points(5), {}),
    "threshold 3": (thresholds(3), {}),
    "threshold 4": (thresholds(4), {}),
    "threshold 5": (thresholds(5), {"1/3": 4, "2/5": 4, "49/100": 4}),
    "lines 2": (family("lines(p=2)"), {}),
    "parities 2": (family("parities(dims=2)"), {}),
}
"""Least representations are the class itself, but for these errors, and two constants at 1/2."""


@pytest.mark.parametrize("alpha", ["0", "1/8", "1/4", "1/3", "2/5", "49/100", "1/2"])
@pytest.mark.parametrize("name", SMALL)
def test_least_representations(name: str, alpha: str) -> None:
    concepts, fewer = SMALL[name]
    size = 2 if alpha == "1/2" else fewer.get(alpha, len(concepts))
    found = exact_representation(concepts, alpha)
    assert found.lower == len(found.hypotheses) == size
    assert represents(found.hypotheses, concepts, alpha)
    assert _program(concepts, float(F(alpha))) == size


def _program(concepts: Rows, alpha: float) -> int:
    """Return the fewest of all functions that represent a class, by an integer program."""
    n, m = concepts.shape
    everything = np.array(list(product((False, True), repeat=m)))
    k = len(everything)
    used = np.hstack((np.tile(-np.eye(k), (n, 1)), np.eye(n * k)))
    once = np.hstack((np.zeros((n, k)), np.kron(np.eye(n), np.ones(k))))
    wrong = np.zeros((n * m, k + n * k))
    for c, x in product(range(n), range(m)):
        wrong[c * m + x, k + c * k : k + (c + 1) * k] = everything[:, x] != concepts[c, x]
    solved = milp(
        np.append(np.ones(k), np.zeros(n * k)),
        constraints=[
            LinearConstraint(used, -np.inf, 0),
            LinearConstraint(once, 1, 1),
            LinearConstraint(wrong, -np.inf, alpha),
        ],
        integrality=np.append(np.ones(k), np.zeros(n * k)),
        bounds=Bounds(0, 1),
    )
    assert solved.status == 0
    return round(float(solved.fun))


def test_points_must_be_told_apart() -> None:
    assert [separation_bound(1 << b, alpha="49/100") for b in (1, 8, 64)] == [1, 8, 64]
    assert [separation_bound(1 << 8, alpha=alpha) for alpha in ("1/2", "3/4")] == [1, 1]


VALUES = {
    "points(values=3)": ["1/2", "2/9", "0"],
    "points(values=4)": ["1/2", "3/13", "1/8", "0"],
    "points(values=5)": ["1/2", "4/15", "3/20", "2/25", "0"],
    "points(values=6)": ["1/2", "4/15", "2/13", "2/19", "1/18", "0"],
    "thresholds(values=3)": ["1/2", "1/5", "0"],
    "thresholds(values=4)": ["1/2", "1/4", "1/8", "0"],
    "thresholds(values=5)": ["1/2", "1/4", "1/6", "1/12", "0"],
    "thresholds(values=6)": ["1/2", "5/18", "3/16", "1/8", "1/16", "0"],
    "thresholds(values=8)": ["1/2", "19/64", "26/123", "1/6", "1/8", "1/12", "1/24", "0"],
    "lines(p=2)": ["1/2", "1/4", "1/8", "0"],
    "lines(p=3)": ["1/2", "26/81", "1/4"],
    "parities(dims=2)": ["1/2", "1/4", "1/6", "0"],
    "parities(dims=3)": ["1/2", "19/56", "2/7", "3/14", "5/28", "3/28", "1/14", "0"],
}
"""Least errors with 1, 2, ... messages: section 6."""


@pytest.mark.parametrize("spec", VALUES)
def test_least_errors_of_protocols(spec: str) -> None:
    concepts, truth = parse(spec), family(spec)
    table, symmetries = Incidence.of(truth), symmetries_of(concepts)
    depth = littlestone(table).lower
    for messages, value in enumerate(VALUES[spec], start=1):
        found = public_coin_value(table, messages, symmetries=symmetries)
        assert found.lower == found.upper == F(value)
        assert _least_error(truth, found.prior, messages) == F(value)
        assert _largest_error(truth, found.mixture, messages, symmetries) == F(value)
        assert float(index_bits(depth, value)) <= math.log2(messages) + 1e-9
        if spec.startswith("points"):
            assert equality_value(len(truth), messages) == F(value)


def _least_error(truth: Rows, prior: Prior, messages: int) -> Fraction:
    """Return the least error of a deterministic protocol under a prior: over all partitions."""
    n = len(truth)

    def cost(cell: int) -> int:
        inside = [c for c in range(n) if cell >> c & 1]
        yes = (prior * truth)[inside].sum(axis=0)
        return int(np.minimum(yes, prior[inside].sum(axis=0) - yes).sum())

    costs = [cost(cell) for cell in range(1 << n)]
    never = int(prior.sum()) + 1

    @cache
    def least(left: int, cells: int) -> int:
        if not left or not cells:
            return never if left else 0
        first = left & -left
        others = part = left ^ first
        best = costs[left]
        while part:
            part = (part - 1) & others
            best = min(best, costs[first | part] + least(others ^ part, cells - 1))
        return best

    return F(least((1 << n) - 1, messages), int(prior.sum()))


def _largest_error(
    truth: Rows,
    mixture: tuple[tuple[Fraction, tuple[int, ...], Rows], ...],
    messages: int,
    symmetries: tuple[Symmetry, ...],
) -> Fraction:
    """Return the error of a mixture, turned by all symmetries alike: the mean over each orbit."""
    n, m = truth.shape
    errors = [[F(0)] * m for _ in range(n)]
    assert sum(p for p, _, _ in mixture) == 1
    for p, cells, answers in mixture:
        assert len(set(cells)) <= messages
        for c, x in product(range(n), range(m)):
            errors[c][x] += p * bool(answers[cells[c]][x] != truth[c, x])
    orbit = {(c, x): (c, x) for c, x in product(range(n), range(m))}

    def root(pair: tuple[int, int]) -> tuple[int, int]:
        while orbit[pair] != pair:
            pair = orbit[pair]
        return pair

    for each in symmetries:
        for c, x in product(range(n), range(m)):
            orbit[root((c, x))] = root((each.concepts[c], each.points[x]))
    members: dict[tuple[int, int], list[Fraction]] = {}
    for c, x in product(range(n), range(m)):
        members.setdefault(root((c, x)), []).append(errors[c][x])
    return max(sum(each, F(0)) / len(each) for each in members.values())


def test_one_concept_needs_no_message_and_two_need_one() -> None:
    assert public_coin_value(Incidence.of(np.ones((1, 3))), 1).upper == 0
    assert public_coin_value(Incidence.of(points(2)), 1).lower == F(1, 2)


def test_equality_beats_hashing_with_a_coin() -> None:
    """Say yes on equal hashes with probability N / (N + 1): both kinds of error are 1 / (N + 1)."""
    for m, messages in product((3, 8, 100, 1 << 64), (1, 2, 5, 30)):
        assert equality_value(m, min(m, messages)) <= F(1, messages + 1)


def test_choosing_from_all_points() -> None:
    golden = {8: 212, 16: 350, 32: 626, 64: 1179}
    for bits, rows in golden.items():
        bound = realisable(Decay.of(F(1, 2)), size=1 << bits, alpha="1/10")
        assert bound.sample_size("1/20") == rows


@pytest.mark.parametrize("m", [8, 16, 32])
@pytest.mark.parametrize("g", [2, 3, 4, 8])
def test_runs_of_thresholds(m: int, g: int) -> None:
    """What the coins do is counted here at each pair, not by the protocol's own sums."""
    protocol = block_protocol(m, g)
    assert protocol.messages <= -(-(m + g - 1) // g)
    worst = F(0)
    for z, y in product(range(m), repeat=2):
        doubts = 0
        for shift in range(g):
            run = (z + shift) // g
            first, last = max(0, run * g - shift), min(m - 1, run * g - shift + g - 1)
            doubts += first <= y < last
        worst = max(worst, F(doubts, 2 * g))
    assert worst == protocol.error == block_error(g) == F(g - 1, 2 * g)


def test_eight_thresholds_with_five_messages() -> None:
    """Runs of two have error 1/4; the best protocol half of that."""
    assert (block_protocol(8, 2).messages, block_error(2)) == (5, F(1, 4))
    assert VALUES["thresholds(values=8)"][4] == "1/8"


@pytest.mark.parametrize("bits", range(1, 7))
def test_coins_in_thresholds(bits: int) -> None:
    for coins in product((False, True), repeat=bits):
        z, asked = threshold_coins(coins)
        digits = [not coin for coin in coins]
        assert z == sum(digit << (bits - 1 - i) for i, digit in enumerate(digits))
        for i, y in enumerate(asked):
            known = sum(digit << (bits - 1 - j) for j, digit in enumerate(digits[:i]))
            assert y == known + (1 << (bits - 1 - i)) - 1
            assert (y >= z) == coins[i]


def test_lines_of_three_and_lines_of_many() -> None:
    """The bound meets 2 and 3 messages at 0.1938 and 1/8; and any number of bits at some prime."""
    assert line_bound(3, "0.1938") > 2 > line_bound(3, "0.1939")
    assert line_bound(3, "1/8") == 3
    for t, p in ((4, 41), (10, 2311), (20, 2359303)):
        assert line_bound(p, "1/3") >= 1 << t
        assert parse(f"lines(p={p})").littlestone.upper == 2
