"""Laws of outcomes and the distances between them."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.chance.divergence import hockey_stick, max_ratio, ratio_range
from tacit.core.chance.law import Law, certain, mixture, product, proportional
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy

weights = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)


def law_of(masses: list[int]) -> Law[int]:
    return proportional({i: F(mass) for i, mass in enumerate(masses)})


@given(weights, weights, st.fractions(min_value=1, max_value=9))
def test_hockey_stick_is_the_worst_event(p: list[int], q: list[int], factor: F) -> None:
    first, second = law_of(p), law_of(q)
    events = [[i for i in range(3) if mask >> i & 1] for mask in range(8)]
    worst = max(sum((first[i] - factor * second[i] for i in event), F(0)) for event in events)
    assert hockey_stick(first, second, factor) == (worst, worst)


@given(weights, weights)
def test_the_largest_ratio_is_where_the_hockey_stick_vanishes(p: list[int], q: list[int]) -> None:
    first, second = law_of(p), law_of(q)
    ratio = max_ratio(first, second)
    if ratio.upper is None:
        assert any(p[i] and not q[i] for i in range(3))
        assert ratio.lower > 10**100
    else:
        assert ratio.lower == ratio.upper
        assert hockey_stick(first, second, ratio.upper).upper == 0
        assert ratio.upper == 1 or hockey_stick(first, second, ratio.upper * F(99, 100)).lower > 0


@given(weights, weights, weights, weights)
def test_slack_covers_every_law_so_near(
    p: list[int], seen_p: list[int], q: list[int], seen_q: list[int]
) -> None:
    (first, loose), (second, vague) = _near(p, seen_p), _near(q, seen_q)
    for factor in (F(1), F(3, 2), F(3)):
        true, known = hockey_stick(first, second, factor), hockey_stick(loose, vague, factor)
        assert known.upper is not None
        assert known.lower <= true.lower
        assert true.lower <= known.upper
    sharp, blunt = max_ratio(first, second), max_ratio(loose, vague)
    assert blunt.lower <= sharp.lower
    assert blunt.upper is None or (sharp.upper is not None and sharp.upper <= blunt.upper)


def _near(true: list[int], seen: list[int]) -> tuple[Law[int], Law[int]]:
    """Return a law, and another one with the slack that just covers the first."""
    law, other = law_of(true), law_of(seen)
    parts = {i: (9 * law[i] + other[i]) / 10 for i in range(3)}
    return law, Law(parts, sum((abs(parts[i] - law[i]) for i in range(3)), F(0)), complete=True)


def test_slack_is_passed_on() -> None:
    most = Law({"a": 1 + F(1, 10)}, F(1, 10))
    assert product([most, most]).slack == F(21, 100)
    assert mixture([(F(1, 4), most), (F(3, 4), certain("b"))]).slack == F(1, 40)
    assert certain(0).then(lambda _: most).slack == F(1, 10)
    assert most.widen(F(1, 5)).slack == F(3, 10)
    assert hockey_stick(certain("a"), most, F(2)).upper == F(1, 5)
    half = law_of([1, 1, 0])
    assert max_ratio(half, half.widen(F(1, 10))) == (1, F(5, 4))


def test_range_is_two_sided() -> None:
    p, q = law_of([1, 2, 3]), law_of([3, 2, 1])
    assert ratio_range(p, q) == (9, 9)
    assert ratio_range(p, law_of([0, 1, 1])).upper is None


@given(weights, weights)
def test_laws_add_up(p: list[int], q: list[int]) -> None:
    first, second = law_of(p), law_of(q)
    both = product([first, second])
    assert sum(both.probabilities.values()) == 1
    assert both.map(lambda pair: pair[0]).probabilities == first.probabilities
    mixed = mixture([(F(1, 3), first), (F(2, 3), second)])
    assert all(mixed[i] == first[i] / 3 + 2 * second[i] / 3 for i in range(3))
    assert first.then(lambda i: certain(i % 2))[1] == first[1]


def test_what_is_no_law_is_refused() -> None:
    for bad in ({0: F(1, 2)}, {0: F(3, 2), 1: F(-1, 2)}):
        with pytest.raises(InvalidArgument, match="law"):
            Law(bad)
    assert Law({0: F(1, 2)}, F(1, 2)).slack == F(1, 2)
    with pytest.raises(InvalidArgument, match="positive sum"):
        proportional({0: F(0)})


def test_privacy_is_ordered_in_both_parameters() -> None:
    assert Privacy(1, 0.1).implies(Privacy(1, 0.1))
    assert not Privacy(1, 0.1).implies(Privacy(2, 0.01))
    assert not Privacy(2).implies(Privacy(1, 0.5))
    for bad in ((-1, 0), (1, 1), (1, -0.1)):
        with pytest.raises(InvalidArgument):
            Privacy(*bad)


def test_a_second_draw_after_a_truncated_one_keeps_its_slack() -> None:
    tenth = F(1, 10)
    first = Law({"a": 1 - tenth}, slack=tenth)
    second = first.then(lambda _: Law({1: F(1, 2), 2: F(1, 2)}))
    assert second.slack == tenth
    assert sum(second.probabilities.values()) == 1 - tenth
    assert not second.complete
