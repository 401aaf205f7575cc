"""Decision lists, which models of 0.1.0 hold: what they say, as SQL and as JSON."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pytest

from tacit.concepts import Conjunctions
from tacit.concepts.contract.specification import parse_output
from tacit.concepts.rules.conjunctions import Conjunction
from tacit.concepts.rules.decision_lists import DecisionList, DecisionLists
from tacit.core.errors import InvalidArgument

OLD, FIT = Conjunction(((0, 1),)), Conjunction(((1, 1),))


def test_sql_and_points_agree() -> None:
    listed = DecisionList(((OLD, 1), (FIT, 0)), 1)
    points = Conjunctions(2, 1).domain()
    table = ", ".join(f"({a}, {b})" for a, b in points.tolist())
    sql = f"SELECT {listed.sql(['a', 'b'])} FROM (VALUES {table}) t(a, b)"
    assert [row[0] for row in duckdb.sql(sql).fetchall()] == listed(points).tolist()
    assert DecisionList((), 1).sql([]) == "(1 = 1)"
    assert [DecisionList((), b).rule([]) for b in (0, 1)] == ["never", "always"]


def test_text_forms_come_back() -> None:
    lists = DecisionLists(Conjunctions(2, 1))
    assert parse_output(str(lists)) == lists
    assert lists.clip(np.array([[5, -1]])).tolist() == [[1, 0]]
    assert lists.features == 2
    listed = DecisionList(((OLD, 1), (FIT, 0)), 1)
    assert lists.decode(lists.encode(listed)) == listed
    one: dict[str, Any] = {"if": {"literals": []}}
    wrong: list[dict[str, Any]] = [
        {"rules": []},
        {"rules": [], "otherwise": 2},
        {"rules": [one], "otherwise": 1},
    ]
    for bad in wrong:
        with pytest.raises(InvalidArgument, match="is no"):
            lists.decode(bad)
