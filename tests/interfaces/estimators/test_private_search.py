"""Searches for the least integer: right, and in few steps even where a line leads nowhere."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tacit.core.numbers.least import least, least_near, near_root


@pytest.mark.parametrize("end", [0, 1, 7, 1000, 10**18])
@pytest.mark.parametrize("guess", [0, 3, 999, 10**17])
def test_the_guess_does_not_matter(end: int, guess: int) -> None:
    assert least(lambda n: n >= end) == least_near(lambda n: n >= end, guess) == end


def _line(m: int, end: int) -> float:
    return math.log(end / m)


def _step(m: int, end: int) -> float:
    return 1.0 if m < end else -1.0


@pytest.mark.parametrize("excess", [_line, _step])
@pytest.mark.parametrize("end", [50, 10**6, 10**18])
@pytest.mark.parametrize("slope", [-1e-6, -1.0, -1e6])
def test_a_step_is_found_as_well_as_a_line(
    excess: Callable[[int, int], float], end: int, slope: float
) -> None:
    asked: list[int] = []

    def counted(m: int) -> float:
        asked.append(m)
        return excess(m, end)

    assert end <= near_root(counted, 3, slope=slope) <= end * (1 + 2**-19)
    assert len(asked) < 700
