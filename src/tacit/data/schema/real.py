"""Columns of real numbers on a public grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.dialect import DUCKDB, Dialect
from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold
from tacit.core.numbers.exact import Exact
from tacit.data.schema.cell import number
from tacit.data.schema.coded_column import CodedColumn, Outside, read_outside
from tacit.data.schema.sql import as_double

FINEST = 1 << 48


@dataclass(frozen=True, slots=True, init=False)
class Real(CodedColumn):
    """Reals from low to high; code i stands for the numbers from low + i step, up to the next.

    Exactness:
        Grid points are rationals. A float64 reaches a grid point if it is at least the float64
        nearest to it; so it is read by its shortest decimal, 0.3 reaches 3/10, and no rounding
        error moves a cell's edge (docs/data.md).

    >>> bmi = Real(10, 60, 0.1)
    >>> bmi.size, [bmi.code(v) for v in (10, 13.5, 13.49, "13.5", 99, float("nan"))]
    (501, [0, 35, 34, 35, 500, 0])
    >>> bmi.describe(35), bmi.decode(35), bmi.point(35)
    ('13.5', 13.5, Fraction(27, 2))
    """

    low: Fraction
    high: Fraction
    step: Fraction
    outside: Outside = "clip"

    def __init__(self, low: Exact, high: Exact, step: Exact, outside: Outside = "clip") -> None:
        hold(self, outside=read_outside(outside)).exact(low=low, high=high).positive(step=step)
        if self.high < self.low:
            raise InvalidArgument(f"high must be at least low = {low}, got {high}")
        if ((self.high - self.low) / self.step).denominator != 1:
            raise InvalidArgument(f"high - low must be a multiple of step = {step}; move high")
        start, stride, denominator = self._grid
        if max(abs(start), abs(start + stride * self._last), stride, denominator) > FINEST:
            raise InvalidArgument(
                "low, high and step must be multiples below 2^48 of one fraction: float64 tells no "
                "finer grid apart; choose a larger step or a smaller range"
            )

    @property
    def inside(self) -> int:
        """The number of values."""
        return self._last + 1

    @property
    def domain(self) -> str:
        """What the column may hold, in words."""
        return f"numbers from {written(self.low)} to {written(self.high)}"

    def code(self, value: object) -> int:
        """Map any value whatever to its code."""
        below, above = self.ends
        read = number(value)
        if read is None or read < float(self.low):
            return below
        if read > float(self.high):
            return above
        least = max(0, math.floor((Fraction(float(read)) - self.low) / self.step))
        return least + (float(self.low + (least + 1) * self.step) <= read)

    def codes(self, numbers: NDArray[Any]) -> NDArray[np.int64]:
        """Map each number of an array to its code: the nearest grid point, or the one before.

        Exactness:
            Below 2^48 a grid point's three integers, products and quotients are off by less than
            half a step, so the nearest point is at most one too far, which a comparison with the
            float64 nearest to the grid point finds out. Each operation is one of IEEE 754, rounded
            by itself.
        """
        below, above = self.ends
        read = numbers.astype(np.float64, copy=False)
        inside = (read >= float(self.low)) & (read <= float(self.high))
        start, stride, denominator = map(float, self._grid)
        held = np.where(inside, read, float(self.low))
        nearest = np.rint((held * denominator - start) / stride)
        reached = (start + nearest * stride) / denominator <= held
        codes = nearest.astype(np.int64) - ~reached
        codes[~inside] = below
        codes[read > float(self.high)] = above
        return codes

    def point(self, code: int) -> Fraction | None:
        """Return the grid point of a code, exactly; None for the null code."""
        return self.low + code * self.step if self.has_value(code) else None

    def decode(self, code: int) -> float | None:
        """Return the grid point of a code as a float; None for the null code."""
        return None if (point := self.point(code)) is None else float(point)

    def describe(self, code: int) -> str:
        """Write the grid point of a code, in decimals if it has them."""
        return "missing" if (point := self.point(code)) is None else written(point)

    def read_sql(self, column: str, dialect: Dialect = DUCKDB) -> str:
        """Write the text of a column as float64; NULL where it is no number."""
        return as_double(column, dialect)

    def coded_sql(self, read: str, dialect: Dialect = DUCKDB) -> str:
        """Write the code of what `read_sql` gives: the nearest grid point, or the one before.

        Every constant is an integer below 2^53, which all servers read exactly.
        """
        below, above = self.ends
        (a, p, _), last = self._grid, self._last
        numbers = (*self._grid, a + p * last)
        start, stride, q, end = (f"CAST({number} AS {dialect.real})" for number in numbers)
        low, high = f"({start} / {q})", f"({end} / {q})"
        nearest = f"round(({read} * {q} - {start}) / {stride})"
        reached = f"({start} + {nearest} * {stride}) / {q} <= {read}"
        return (
            f"CASE WHEN {read} >= {low} AND {read} <= {high} "
            f"THEN CAST({nearest} AS BIGINT) - CASE WHEN {reached} THEN 0 ELSE 1 END "
            f"WHEN {read} > {high} THEN {above} ELSE {below} END"
        )

    def table(self) -> dict[str, object]:
        """Return the column's table in a schema."""
        return {"type": "real", "low": self.low, "high": self.high, "step": self.step}

    @property
    def _last(self) -> int:
        return int((self.high - self.low) / self.step)

    @property
    def _grid(self) -> tuple[int, int, int]:
        """Integers a, p and q: grid point i is (a + i p) / q."""
        q = math.lcm(self.low.denominator, self.step.denominator)
        return int(self.low * q), int(self.step * q), q


def written(value: Fraction) -> str:
    """Write a rational as the decimal it is, or as a fraction.

    >>> written(Fraction(27, 2)), written(Fraction(1, 3)), written(Fraction(-5))
    ('13.5', '1/3', '-5')
    """
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1 or value.denominator == 1:
        return str(value)
    places = next(k for k in range(1, 60) if 10**k % value.denominator == 0)
    digits = str(abs(value.numerator) * 10**places // value.denominator).zfill(places + 1)
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
