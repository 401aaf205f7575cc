"""Searches for the least and the greatest integer, against going through all of them."""

from __future__ import annotations

import pytest

from tacit.core.numbers.least import greatest, least, least_near


@pytest.mark.parametrize("edge", range(1, 20))
def test_the_least_is_found_from_any_start_and_below_any_end(edge: int) -> None:
    for low in range(25):
        found = max(edge, low)
        assert least(lambda n: n >= edge, low) == found
        assert [least_near(lambda n: n >= edge, guess, low=low) for guess in range(30)] == (
            [found] * 30
        )
        for high in range(found, found + 6):
            assert least(lambda n: n >= edge, low, high) == found


@pytest.mark.parametrize("edge", range(1, 20))
def test_the_greatest_is_found_above_any_start_and_below_any_end(edge: int) -> None:
    for low in range(edge + 1):
        assert greatest(lambda n: n <= edge, low) == edge
        for high in range(low, edge + 6):
            assert greatest(lambda n: n <= edge, low, high) == min(edge, high)


def test_a_given_end_is_not_asked() -> None:
    asked: list[int] = []

    def holds(n: int) -> bool:
        asked.append(n)
        return n >= 7

    assert least(holds, 0, 7) == 7
    assert greatest(lambda n: not holds(n), 6, 9) == 6
    assert set(asked) <= {*range(7), 7, 8, 9}
    assert asked.count(7) == 1  # by the second search only
