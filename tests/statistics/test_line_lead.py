"""What positive rows agree on: against all lines one by one, and the promise of `Stable`."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.algebra.lines import Line, Lines
from tacit.concepts.algebra.lines_or_points import LinesOrPoints, PlanePoint
from tacit.concepts.contract.specification import parse_output
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.statistics import LabelCounts, Stable
from tacit.statistics.algebra.line_lead import line_lead, point_lead
from tacit.verify.cases.algebra import CROWD, counted, plane
from tacit.verify.enumeration import neighbours

Points = list[tuple[int, int]]


def _leads(p: int, positive: Points, most: int) -> list[tuple[Line, int]]:
    """Return the lines with s > o and their distances, by trying all lines."""
    found = []
    for line in Lines(p).concepts():
        on = [z for z in positive if (line.slope * z[0] + line.intercept) % p == z[1]]
        s = len(on) - max((on.count(z) for z in on), default=0)
        o = len(positive) - len(on)
        if s > o:
            found.append((line, min(-(-(s - o) // 2), most - o)))
    return found


@given(st.data(), st.sampled_from([2, 3, 5, 7]), st.integers(1, 6))
@settings(max_examples=400)
def test_the_line_is_the_one_found_by_trying_all(data: st.DataObject, p: int, most: int) -> None:
    pool = st.tuples(st.integers(0, p - 1), st.integers(0, p - 1))
    few = data.draw(st.lists(pool, min_size=1, max_size=6))
    positive = data.draw(st.lists(st.sampled_from(few), max_size=14))
    rows = [(z, (1,)) for z in positive] + [((0, 0), (0,))]
    leads = _leads(p, positive, most)
    assert len(leads) <= 1
    lead = line_lead(Lines(p), LabelCounts.of(rows, labels=1), most=most)
    expected = [(line, distance) for line, distance in leads if distance > 0]
    assert (lead.value, lead.distance) == (expected[0] if expected else (None, 0))


@pytest.mark.parametrize("spread", [1, 2, 40])
@pytest.mark.parametrize("off", [0, 9, 25, 60])
def test_a_large_plane(spread: int, off: int) -> None:
    """The line is found among many rows, few of them off it, whatever the multiplicities."""
    p, rng = 2**31 - 1, Seeded(spread)
    line, most = Line(123_456_789, 987_654_321, p), 30
    xs = [rng.below(p) for _ in range(400)]
    rows = [((x, (line.slope * x + line.intercept) % p), (1,)) for x in xs for _ in range(spread)]
    rows += [((rng.below(p), rng.below(p)), (1,)) for _ in range(off)]
    lead = line_lead(Lines(p), LabelCounts.of(rows, labels=1), most=most)
    distance = min(-(-(399 * spread - off) // 2), most - off)
    assert (lead.value, lead.distance) == ((line, distance) if distance > 0 else (None, 0))


def _stable(one: Stable[Any], other: Stable[Any]) -> bool:
    if one.value == other.value:
        return abs(one.distance - other.distance) <= 1
    return max(one.distance, other.distance) <= 1


@pytest.mark.parametrize(("p", "universe", "n"), [(2, plane(2), 4), (3, CROWD, 7)])
def test_the_promise_of_stable(p: int, universe: tuple[object, ...], n: int) -> None:
    names = {database: counted(database) for database in combinations_with_replacement(universe, n)}
    for most in (1, 2, 30, None):
        leads: dict[object, Any] = {
            database: line_lead(Lines(p), sample, most=most)
            if most
            else point_lead(Lines(p), sample)
            for database, sample in names.items()
        }
        assert any(lead.distance for lead in leads.values())
        for database, lead in leads.items():
            for other in neighbours(database, universe, symmetric=True):
                assert _stable(lead, leads[other])


def test_the_point_needs_a_lead_over_those_unseen() -> None:
    one = LabelCounts.of([((1, 2), (1,))], labels=1)
    assert point_lead(Lines(5), one).distance == 1
    tie = LabelCounts.of([((1, 2), (1,)), ((2, 2), (1,))], labels=1)
    assert point_lead(Lines(5), tie).value is None
    assert point_lead(Lines(5), LabelCounts.of([], labels=1)).value is None


def test_points_outside_are_clipped_and_merged() -> None:
    rows = [((-4, 9), (1,)), ((0, 4), (1,)), ((7, 1), (1,)), ((2, 0), (0,))]
    sample = LabelCounts.of(rows, labels=1)
    assert point_lead(Lines(5), sample).value == PlanePoint(0, 4)
    inside = LabelCounts.of([((0, 4), (1,)), ((0, 4), (1,)), ((4, 1), (1,))], labels=1)
    for other in (sample, inside):
        lead = line_lead(Lines(5), other, most=9)
        assert (lead.value, lead.distance) == (Line(3, 4, 5), 1)


def test_the_family_of_outputs() -> None:
    family = OrNever(LinesOrPoints(7))
    assert parse_output(str(family)) == family
    for hypothesis in (Line(3, 5, 7), PlanePoint(6, 0), NEVER):
        assert family.decode(family.encode(hypothesis)) == hypothesis
    assert PlanePoint(6, 0)(np.array([[6, 0], [0, 6]])).tolist() == [True, False]
    assert family.features == 2
    assert family.clip(np.array([[9, -1]])).tolist() == [[6, 0]]
    with pytest.raises(InvalidArgument, match="no hypothesis"):
        family.decode({"x": 7, "y": 0})
    with pytest.raises(InvalidArgument, match="prime"):
        LinesOrPoints(8)
