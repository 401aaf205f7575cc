"""Costs: values with refusals, and their JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.cost import (
    Approximate,
    BoundedRange,
    Cost,
    Gaussian,
    Parallel,
    Pure,
    Repeat,
    Sequential,
    Subsample,
    ZeroConcentrated,
)
from tacit.core.cost_json import decode_cost, encode_cost
from tacit.core.errors import InvalidArgument

numbers = st.fractions(min_value=0, max_value=9)
leaves = st.one_of(
    numbers.map(Pure),
    numbers.map(BoundedRange),
    numbers.map(ZeroConcentrated),
    st.tuples(numbers, st.fractions(min_value=0, max_value=0.5)).map(lambda p: Approximate(*p)),
    st.tuples(st.integers(1, 9), st.integers(1, 3)).map(lambda p: Gaussian(*p)),
)


def _nodes(inner: st.SearchStrategy[Cost]) -> st.SearchStrategy[Cost]:
    several = st.lists(inner, max_size=3)
    return st.one_of(
        several.map(lambda parts: Sequential(*parts)),
        several.map(lambda parts: Parallel(*parts)),
        st.tuples(inner, st.integers(0, 5), st.booleans()).map(
            lambda p: Repeat(p[0], p[1], adaptive=p[2])
        ),
        st.tuples(inner, st.integers(0, 5), st.booleans()).map(
            lambda p: Subsample(p[0], p[1], 7, replacement=p[2])
        ),
    )


costs: st.SearchStrategy[Cost] = st.recursive(leaves, _nodes, max_leaves=6)


@given(costs)
def test_a_cost_survives_json(cost: Cost) -> None:
    assert decode_cost(json.loads(json.dumps(encode_cost(cost)))) == cost


@given(costs)
def test_costs_are_values(cost: Cost) -> None:
    assert hash(cost) == hash(decode_cost(encode_cost(cost)))


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"pure": {}},
        {"pure": {"epsilon": "-1"}},
        {"free": {}},
        {"pure": 1},
        [],
        {"repeat": {}, "times": 1, "adaptive": 1},
    ],
)
def test_what_is_no_cost_is_refused(bad: Any) -> None:
    with pytest.raises(InvalidArgument, match="cost"):
        decode_cost(bad)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: Pure(-1), "epsilon"),
        (lambda: Approximate(1, 1), "delta"),
        (lambda: ZeroConcentrated("-1/2"), "rho"),
        (lambda: Gaussian(0), "sigma_squared"),
        (lambda: Gaussian(1, 0), "sensitivity"),
        (lambda: Repeat(Pure(1), -1), "times"),
        (lambda: Subsample(Pure(1), 3, 0), "rows"),
        (lambda: Subsample(Pure(1), 3, 2, replacement=False), "drawn"),
        (lambda: BoundedRange("x"), "epsilon"),
    ],
)
def test_bad_costs_are_refused(make: Any, word: str) -> None:
    with pytest.raises(InvalidArgument, match=word):
        make()
