"""Points of a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tacit.concepts.contract.specification import parse
from tacit.concepts.line.points import Point, Points
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tests.support.concept_contract import check_contract


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
def test_small_classes_keep_the_contract(bits: int) -> None:
    check_contract(Points(bits))


@pytest.mark.parametrize("values", [2, 3, 7])
def test_a_line_may_have_any_length(values: int) -> None:
    check_contract(Points(values=values), samples=6)
    assert Points(values=8) == Points(3)


@pytest.mark.parametrize("bits", [64, 1024, 5000])
def test_a_vast_domain_has_one_cell_more_than_points(bits: int) -> None:
    concepts, top = Points(bits), (1 << bits) - 1
    points = np.array([top, 0, 5, 1], dtype=object)
    cells = concepts.cells(points, np.array([3, -1, 2, 0]))
    assert cells.gains.tolist() == [3, -1, 2, 0, 0]
    assert [int(m) for m in cells.multiplicities] == [1, 1, 1, 1, top - 3]
    assert [cells.member(c, 0).at for c in range(4)] == [top, 0, 5, 1]
    assert [cells.member(4, rank).at for rank in (0, 1, 2, 3, top - 4)] == [2, 3, 4, 6, top - 1]
    assert cells.member(0, 0)(points).tolist() == [True, False, False, False]
    assert len(concepts.dichotomies(points)) == 5
    assert 0 <= concepts.draw(rng=Seeded(0)).at <= top


def test_a_point_beyond_machine_integers_misses_all_machine_integers() -> None:
    assert Point(1 << 70)(np.array([0, 1 << 40])).tolist() == [False, False]


def test_the_whole_domain_leaves_no_other_point() -> None:
    cells = Points(3).cells(np.arange(8)[::-1], np.arange(8))
    assert cells.multiplicities.tolist() == [1] * 8 + [0]
    assert len(Points(3).dichotomies(np.arange(8))) == 8


def test_rules_and_columns() -> None:
    assert Point(7).rule(["x"]) == "x is 7"
    assert Point(7).sql(['say "x"']) == '("say ""x""" = 7)'


@pytest.mark.parametrize(
    ("attempt", "error", "words"),
    [
        (lambda: Points(0), InvalidArgument, "bits must be at least 1"),
        (lambda: parse("points(bits=2, dims=2)"), InvalidArgument, "takes bits"),
        (lambda: parse("points(bits=x)"), NotExact, "bits must be an integer"),
        (lambda: Points(2).decode({"at": 4}), InvalidArgument, "no concept"),
        (lambda: Points(2).decode({"at": -1}), InvalidArgument, "at least 0"),
        (lambda: Points(2).decode({"at": True}), NotExact, "integer"),
        (lambda: Points(2).decode({"is": 1}), InvalidArgument, "no concept"),
        (lambda: Points(64).domain(), TooLarge, "too many to list"),
        (lambda: Points(64).concepts(), TooLarge, "too many to list"),
    ],
)
def test_bad_arguments_are_refused(
    attempt: Callable[[], Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        attempt()


def test_any_number_of_rows_is_practical() -> None:
    assert Points(1024).largest_sample is None
