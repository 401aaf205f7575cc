"""Synthetic rows for thresholds, from a tree and by halving: laws, golden sizes, promises."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.sanitizers import LineDomain, QuantileSanitizer, Synthetic, TreeSanitizer
from tacit.statistics import Counts
from tests.support.sanitized import counted, follows_its_law

F = Fraction


def _sup(rows: NDArray[np.int64], made: Synthetic) -> int:
    """Return by how many rows some threshold is off."""
    truth = np.sort(rows)
    points = np.array([point for point, _ in made.table])
    upto = np.concatenate([[0], np.cumsum([count for _, count in made.table])])
    at = np.concatenate([truth, points, points - 1])
    mine = upto[np.searchsorted(points, at, side="right")]
    return int(abs(np.searchsorted(truth, at, side="right") - mine).max())


SHAPES: list[Callable[[np.random.Generator, int], NDArray[np.int64]]] = [
    lambda floats, n: floats.integers(0, 1 << 16, n),
    lambda floats, n: (2 ** (16 * floats.random(n))).astype(np.int64) - 1,
    lambda floats, n: np.where(floats.random(n) < 0.5, 7, 40_000),
    lambda _, n: np.full(n, 65_535),
]


@pytest.mark.parametrize("seed", range(20))
def test_the_promises_hold_twenty_times(seed: int) -> None:
    floats, n = np.random.default_rng(seed), 20_000
    rows = SHAPES[seed % 4](floats, n)
    halving = QuantileSanitizer(LineDomain(1 << 16), epsilon="1/5", depth=5)
    for sanitizer in (TreeSanitizer(16, epsilon=1), halving):
        made = sanitizer(counted(rows), rng=Seeded(seed))
        assert made.n == n
        assert _sup(rows, made) <= n * sanitizer.promised(made, "0.01")


def test_golden_errors_of_the_tree() -> None:
    sizes = {10: 391, 16: 927}
    for bits, rows in sizes.items():
        assert TreeSanitizer(bits, epsilon=1).error(10**6, "0.05") == F(rows, 10**6)


def test_golden_sizes_of_halving() -> None:
    for bits, n in ((16, 28_853), (32, 40_703), (64, 64_162)):
        best = QuantileSanitizer(LineDomain(1 << bits), epsilon="1/5", depth=5)
        assert float(best.error(n, "0.05")) == pytest.approx(0.05, rel=2e-3)
    chosen = QuantileSanitizer.within(LineDomain(1 << 32), Privacy(1), n=40_703, beta="0.05")
    assert chosen == QuantileSanitizer(LineDomain(1 << 32), epsilon="1/5", depth=5)


def test_promises_count_clipped_noise_and_rounded_shares() -> None:
    """Where noise beyond n rows takes nearly half of beta; and where half a row is seen."""
    assert TreeSanitizer(2, epsilon=1).error(13, "1/2") == F(12, 13)
    assert QuantileSanitizer(LineDomain(2), epsilon=100, depth=1).error(40, "0.05") == F(11, 40)


def test_a_delta_makes_halving_better() -> None:
    line, n = LineDomain(1 << 32), 20_000
    pure = QuantileSanitizer.within(line, Privacy(1), n=n, beta="0.05")
    mild = QuantileSanitizer.within(line, Privacy(1, "1e-6"), n=n, beta="0.05")
    assert mild.error(n, "0.05") < pure.error(n, "0.05")
    assert price(mild.cost, "1e-6").privacy.epsilon <= 1


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
def test_a_replaced_row_moves_so_many_counts(bits: int) -> None:
    """The sensitivity of the tree, by enumeration: 2 bits - 1, and no less."""
    sanitizer = TreeSanitizer(bits, epsilon=1)
    halves = [sanitizer.halves(Counts.of([x])) for x in range(1 << bits)]
    moved = max(int(abs(a - b).sum()) for a, b in product(halves, repeat=2))
    assert moved == 2 * bits - 1


def test_answers_of_a_silent_tree_are_exact() -> None:
    rows = np.array([0, 3, 3, 9, 14, 15, 15, 15])
    sanitizer = TreeSanitizer(4, epsilon=1)
    made = sanitizer.made(sanitizer.halves(counted(rows)), len(rows))
    assert made.histogram().tolist() == np.bincount(rows, minlength=16).tolist()


def test_draws_follow_the_laws() -> None:
    counts = Counts.of([0, 1, 1])
    for bits in (1, 2):
        assert follows_its_law(TreeSanitizer(bits, epsilon=2), counts, runs=2000, seed=3)
    halving = QuantileSanitizer(LineDomain(3), epsilon=1, depth=2)
    assert follows_its_law(halving, counts, runs=2000, seed=4)


def test_the_law_of_one_split() -> None:
    """Two rows at 0 and 1 of {0, 1, 2}: places 0 and 2 of 0, ..., 5; scores by hand."""
    law = QuantileSanitizer(LineDomain(3), epsilon=1, depth=1).law(Counts.of([0, 1]))
    q = Decay.of(F(1, 4)).ratio
    weights = [F(1), F(1), q**2, q**2, q**2, q**2]
    total = sum(weights, F(0))
    for point in range(3):
        mass = sum(weights[2 * point : 2 * point + 2], F(0)) / total
        table: dict[int, Any] = {0: 1}
        for x, more in ((point, 1), (2, 0)):
            table[x] = table.get(x, 0) + more
        told = tuple(sorted((x, c) for x, c in table.items() if c))
        assert law.map(lambda made: made.table)[told] == mass


def test_lines_of_any_length() -> None:
    rows = Counts(3000, {3: 1500, 1 << 900: 1500})
    sanitizer = QuantileSanitizer(LineDomain(1 << 1000), epsilon=4, depth=3)
    made = sanitizer(rows, rng=Seeded(0))
    assert made.n == 3000
    low = sum(count for point, count in made.table if point <= 1 << 500)
    assert abs(low - 1500) <= 3000 * sanitizer.error(3000, "0.01") < 1500
