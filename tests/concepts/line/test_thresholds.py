"""Thresholds and finite matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacit.concepts.contract.finite import Finite
from tacit.concepts.contract.specification import parse
from tacit.concepts.line.thresholds import Direction, Threshold, Thresholds
from tacit.core.errors import InvalidArgument, TooLarge
from tests.support.concept_contract import check_contract


@pytest.mark.parametrize("bits", [1, 2, 3])
@pytest.mark.parametrize("direction", ["up", "down", "both"])
def test_small_classes_keep_the_contract(bits: int, direction: Direction) -> None:
    check_contract(Thresholds(bits, direction))


@pytest.mark.parametrize("values", [2, 3, 5, 6, 7, 9])
@pytest.mark.parametrize("direction", ["up", "down", "both"])
def test_a_line_may_have_any_length(values: int, direction: Direction) -> None:
    concepts = Thresholds(direction=direction, values=values)
    check_contract(concepts, samples=6)
    assert concepts.domain_size == values
    assert (Thresholds(3), Thresholds(values=8).bits) == (Thresholds(values=8), 3)


def test_a_vast_domain_has_as_many_cells_as_points() -> None:
    concepts = Thresholds(1024)
    points = np.array([5, 1 << 1000, (1 << 1024) - 1], dtype=object)
    cells = concepts.cells(points, np.array([1, -1, 1]))
    assert len(cells.gains) == 4
    assert cells.gains.tolist() == [1, 0, 1, 0]
    assert [int(m) for m in cells.multiplicities] == [
        6,
        (1 << 1000) - 5,
        (1 << 1024) - 1 - (1 << 1000),
        0,
    ]
    assert cells.member(2, 0) == Threshold((1 << 1000) + 1)
    assert cells.member(2, 0)(points).tolist() == [False, False, True]


def test_matrices_keep_the_contract(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    for shape in ((1, 1), (5, 3), (9, 6)):
        rows = {tuple(row) for row in rng.integers(0, 2, shape).tolist()}
        path = tmp_path / f"{shape[0]}.csv"
        path.write_text("\n".join(",".join(map(str, row)) for row in rows))
        check_contract(Finite.read(str(path)))


def test_large_matrices_give_brackets() -> None:
    large = Finite([[int(i >> j & 1) for j in range(14)] for i in range(100)])
    assert (large.vc.lower, large.vc.upper) == (1, 6)
    assert not large.littlestone.exact


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("thresholds", "must look like"),
        ("thresholds(bits=0)", "bits must be at least 1"),
        ("thresholds(bits=x)", "bits must be an integer"),
        ("thresholds()", "needs bits"),
        ("thresholds(bits=2, values=3)", "one of the two"),
        ("thresholds(values=1)", "values must be at least 2"),
        ("thresholds(size=3)", "takes bits, direction"),
        ("thresholds(bits=2, bits=3)", "takes bits, direction"),
        ("thresholds(bits=2, direction=left)", "direction must be"),
        ("__import__('os')", "not known"),
        ("matrix(no-such-file.csv)", "no-such-file.csv"),
    ],
)
def test_bad_specifications_are_refused(text: str, words: str) -> None:
    with pytest.raises((InvalidArgument, TypeError), match=words):
        parse(text)


@pytest.mark.parametrize("rows", [[], [[]], [[0, 1], [0]], [[0, 1], [0, 1]], [[2]]])
def test_bad_matrices_are_refused(rows: list[list[int]]) -> None:
    with pytest.raises(InvalidArgument, match="matrix"):
        Finite(rows)


def test_bad_files_and_codes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("0,1\n0,yes\n")
    with pytest.raises(InvalidArgument, match="0 or 1"):
        Finite.read(str(path))
    with pytest.raises(InvalidArgument, match="no concept"):
        Thresholds(2).decode({"at": 4, "up": True})
    with pytest.raises(InvalidArgument, match="no concept"):
        Thresholds(2).decode({"at": 1, "up": False})
    with pytest.raises(TooLarge, match="too many to list"):
        Thresholds(64).domain()
