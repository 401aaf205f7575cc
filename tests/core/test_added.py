"""Costs of two relations: they never add silently, and convert on purpose only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tacit.core.composition import price
from tacit.core.cost import (
    Added,
    Approximate,
    BoundedRange,
    Parallel,
    Pure,
    Repeat,
    Sequential,
    Subsample,
    ZeroConcentrated,
)
from tacit.core.cost_json import decode_cost, encode_cost
from tacit.core.errors import InvalidArgument
from tacit.core.group_privacy import as_replaced
from tacit.core.unit import Neighbours, Unit

TREES = [
    Pure(1),
    Sequential(Pure("1/20"), Parallel(Repeat(BoundedRange("1/3"), 3), ZeroConcentrated("1/8"))),
]
SECRET: Any = Added(Pure(1))


@pytest.mark.parametrize(
    "mix",
    [
        lambda: Sequential(Pure(1), SECRET),
        lambda: Parallel(SECRET, SECRET),
        lambda: Repeat(SECRET, 3),
        lambda: Subsample(SECRET, 1, 2),
        lambda: Added(SECRET),
    ],
)
def test_a_release_for_added_records_stands_in_no_other(mix: Callable[[], Any]) -> None:
    with pytest.raises(InvalidArgument):
        mix()


def test_amplification_is_for_replaced_rows() -> None:
    inside = Sequential(Repeat(Parallel(Subsample(Pure(1), 1, 9)), 2))
    with pytest.raises(InvalidArgument, match="--neighbours"):
        Added(inside)


@pytest.mark.parametrize("tree", TREES)
def test_prices_are_those_of_the_tree_and_say_for_whom(tree: Any) -> None:
    plain, secret = price(tree, "1e-6"), price(Added(tree), "1e-6")
    assert secret.privacy == plain.privacy
    assert (plain.neighbours, secret.neighbours) == (Neighbours.REPLACED, Neighbours.ADDED)


@pytest.mark.parametrize("tree", TREES)
def test_json_brings_it_back(tree: Any) -> None:
    assert decode_cost(encode_cost(Added(tree))) == Added(tree)
    with pytest.raises(InvalidArgument):
        decode_cost({"sequential": [encode_cost(Added(tree))]})


def test_replaced_is_removed_and_added() -> None:
    told = as_replaced(Added(Sequential(BoundedRange(1), ZeroConcentrated("1/2"))))
    assert told == Sequential(BoundedRange(2), ZeroConcentrated(2))
    with pytest.raises(InvalidArgument):
        as_replaced(Added(Approximate(1, "1/10")))


@pytest.mark.parametrize("unit", [Unit(), Unit(["a"]), Unit(["a", "b"], "added")])
def test_units_are_read_back(unit: Unit) -> None:
    assert Unit.decode(unit.encode()) == unit


def test_what_is_no_unit_is_refused() -> None:
    for strange in ({"person": "a"}, {"person": [1]}, {}, {"person": [], "neighbours": "near"}):
        with pytest.raises(InvalidArgument):
            Unit.decode(strange)
