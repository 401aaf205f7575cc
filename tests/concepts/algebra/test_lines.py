"""Lines over a prime field: pencils, and lines that miss everything."""

from __future__ import annotations

from collections import Counter

import duckdb
import numpy as np
import pytest

from tacit.concepts.algebra.lines import Line, Lines, inverses
from tacit.core.errors import InvalidArgument, TooLarge
from tests.support.concept_contract import check_contract

MERSENNE = 2**31 - 1


@pytest.mark.parametrize("p", [2, 3, 5])
def test_small_classes_keep_the_contract(p: int) -> None:
    check_contract(Lines(p))


def test_sizes_and_dimensions() -> None:
    for p in (2, 7, MERSENNE):
        assert Lines(p).size == Lines(p).domain_size == p * p
        assert Lines(p).vc.lower == Lines(p).vc.upper == 2
        assert Lines(p).littlestone.lower == Lines(p).littlestone.upper == 2


@pytest.mark.parametrize(
    ("p", "m", "columns"),
    [(7, 6, 7), (7, 7, 7), (13, 12, 3), (31, 20, 31), (31, 30, 5), (31, 9, 1)],
)
def test_every_line_is_met_once(p: int, m: int, columns: int) -> None:
    """Points in few columns have many collinear triples; one column has no slopes at all."""
    rng = np.random.default_rng(p * m)
    concepts = Lines(p)
    allowed = concepts.domain()[: columns * p]
    points = allowed[rng.permutation(len(allowed))[:m]]
    gains = rng.integers(-4, 5, m)
    cells = concepts.cells(points, gains)
    seen: Counter[Line] = Counter()
    for cell, (gain, size) in enumerate(zip(cells.gains, cells.multiplicities, strict=True)):
        for rank in range(size):
            line = cells.member(cell, rank)
            assert int(gains[line(points)].sum()) == gain
            seen[line] += 1
    assert seen == Counter(concepts.concepts())
    made = {tuple(h(points).tolist()) for h in concepts.dichotomies(points)}
    assert made == {tuple(h(points).tolist()) for h in concepts.concepts()}
    assert len(made) == len(concepts.dichotomies(points))


def test_more_points_than_slopes() -> None:
    concepts = Lines(17)
    points, gains = concepts.domain(), np.random.default_rng(0).integers(-3, 4, 289)
    cells = concepts.cells(points, gains)
    for index, line in enumerate(concepts.concepts()):
        assert cells.member(index, 0) == line
        assert cells.gains[index] == gains[line(points)].sum()


def test_a_vast_plane() -> None:
    """Twenty points, nine of them on one line, near the largest coordinates there are."""
    p = MERSENNE
    rng = np.random.default_rng(1)
    x = np.concatenate([p - 1 - np.arange(9), rng.integers(0, p, 11)])
    steep = Line(p - 2, p - 1, p)
    y = np.concatenate([[(steep.slope * int(v) + steep.intercept) % p for v in x[:9]], x[9:] // 2])
    points = np.stack([x, y], axis=1)
    points[19, 0] = points[18, 0]
    gains = np.arange(1, 21)
    cells = Lines(p).cells(points, gains)
    assert sum(int(m) for m in cells.multiplicities) == p * p
    (cell,) = [c for c in range(len(cells.gains)) if cells.member(c, 0) == steep]
    assert cells.gains[cell] == 45
    assert steep(points).tolist() == [True] * 9 + [False] * 11
    for cell, (gain, size) in enumerate(zip(cells.gains, cells.multiplicities, strict=True)):
        ranks = {r for r in (0, size // 3, size // 2, size - 1) if 0 <= r < size}
        lines = [cells.member(cell, int(rank)) for rank in ranks]
        assert len(set(lines)) == len(ranks)
        assert all(int(gains[line(points)].sum()) == gain for line in lines)
    assert cells.member(len(cells.gains) - 1, int(cells.multiplicities[-1]) - 1).slope == p - 1
    labels = Lines(p).dichotomies(points)
    assert len(labels) == len(cells.gains)


def test_no_points_leave_one_cell() -> None:
    cells = Lines(MERSENNE).cells(np.empty((0, 2), dtype=np.int64), np.empty(0, dtype=np.int64))
    assert cells.gains.tolist() == [0]
    assert int(cells.multiplicities[0]) == MERSENNE**2
    assert cells.member(0, MERSENNE + 5) == Line(1, 5, MERSENNE)


def test_inverses() -> None:
    for p in (2, 3, 101):
        values = np.arange(1, p)
        assert (values * inverses(values, p) % p == 1).all()
    large = np.random.default_rng(0).integers(1, MERSENNE, 999)
    assert (large * inverses(large, MERSENNE) % MERSENNE == 1).all()
    assert len(inverses(np.empty(0, dtype=np.int64), 7)) == 0


def test_sql_does_not_overflow() -> None:
    line = Line(MERSENNE - 1, MERSENNE - 1, MERSENNE)
    x = MERSENNE - 1
    y = (line.slope * x + line.intercept) % MERSENNE
    query = f"SELECT {line.sql(['x', 'y'])} FROM (SELECT {x}::INTEGER AS x, {y}::INTEGER AS y)"
    assert duckdb.execute(query).fetchall() == [(True,)]
    assert line(np.array([[x, y], [x, y - 1]])).tolist() == [True, False]


def test_words() -> None:
    assert Line(0, 4, 7).rule(["x", "y"]) == "y equals 4"
    assert Line(2, 0, 7).rule(["x", "y"]) == "y equals 2 times x, modulo 7"


@pytest.mark.parametrize("p", [0, 1, 4, 9, 91, 2**31 + 11, 2**61 - 1])
def test_only_small_primes_are_taken(p: int) -> None:
    with pytest.raises(InvalidArgument, match="p must be"):
        Lines(p)


@pytest.mark.parametrize(("slope", "intercept"), [(7, 0), (0, 7), (-1, 0)])
def test_codes_of_other_classes_are_refused(slope: int, intercept: int) -> None:
    with pytest.raises(InvalidArgument):
        Lines(7).decode({"slope": slope, "intercept": intercept})
    with pytest.raises(TooLarge):
        Lines(MERSENNE).concepts()
