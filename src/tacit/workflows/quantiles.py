"""From a column of a table to one of its quantiles: check what is public, count, choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import integers
from tacit.core import Exact, InvalidArgument, Privacy, Random
from tacit.core.budget import read_budget, read_share
from tacit.core.composition import price
from tacit.core.cost import Added, ReleaseCost
from tacit.core.unit import ROWS, Neighbours, Unit, check_declared
from tacit.data.reading.coding import Coding
from tacit.data.reading.source import Source
from tacit.data.schema.integer import Integer
from tacit.data.schema.real import Real
from tacit.data.schema.schema import Schema
from tacit.mechanisms import PrefixQuantile, PrivateQuantile
from tacit.statistics import Counts
from tacit.statistics.counts.line_counts import LineCounts
from tacit.workflows.charging import Charge, Prepared, released
from tacit.workflows.counting.bins import numbers_of
from tacit.workflows.counting.units import count_units, of_units, told_unit

RANKS, INTERIOR = "exponential", "interior-point"


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile of a column, what it cost, and by how many ranks it may be off.

    n is None where it is secret.

    With probability at least 1 - beta at most `rank_error` of the n rows would have to change for
    `value` to be the exact quantile.
    """

    column: str
    level: Fraction
    value: int | float
    told: str
    n: int | None
    method: str
    rank_error: int
    beta: Fraction
    cost: ReleaseCost
    privacy: Privacy
    secure: bool
    unit: Unit = ROWS

    def describe(self) -> dict[str, Any]:
        """Return a JSON object; exact numbers are strings."""
        return {
            "column": self.column,
            "level": str(self.level),
            "value": self.value,
            "n": self.n,
            "method": self.method,
            "rank_error": self.rank_error,
            "beta": str(self.beta),
            "privacy": {"epsilon": str(self.privacy.epsilon), "delta": str(self.privacy.delta)},
            "secure": self.secure,
            **told_unit(self.unit),
        }


def quantile(
    source: Source,
    schema: Schema,
    *,
    column: str,
    level: Exact = Fraction(1, 2),
    epsilon: Exact,
    delta: Exact = 0,
    method: str = RANKS,
    beta: Exact = "0.05",
    person: Sequence[str] = (),
    neighbours: str = Neighbours.REPLACED,
    rows: int | None = None,
    rng: Random | None = None,
    charge: Charge | None = None,
    rehearsal: Callable[[Quantile], object] = Quantile.describe,
) -> Quantile:
    """Tell a quantile of a column of numbers; the median, unless another level is asked for.

    The method `interior-point`, which needs a delta, finds a point between the nearest ranks; over
    the ranges that columns have, of 62 bits at most, `exponential` is off by fewer. Coins are the
    operating system's unless `rng` is given.

    Guarantee:
        (epsilon, delta)-DP for replaced rows of the table, see `PrivateQuantile` and
        `PrefixQuantile`; with `person`, for all rows of replaced persons, told from others by these
        columns, who give one row each, drawn among theirs. With `neighbours` "added" for those that
        are added or removed, by the method `exponential`, and nothing is said of how many there
        are but what was declared (`rows`). Everything that can be refused is
        refused for public reasons, before anything is drawn. With `charge` nothing is drawn before
        the cost is on the ledger, and nothing is charged before `rehearsal` was told a quantile of
        made-up rows.

    >>> from tacit.core.chance.randomness import Seeded
    >>> people = {"age": [20 + (7 * i) % 60 for i in range(5000)]}
    >>> schema = Schema({"age": Integer(0, 120)})
    >>> told = quantile(people, schema, column="age", epsilon=1, rng=Seeded(1))
    >>> told.value, told.rank_error
    (49, 15)
    """
    declared = numbers_of(schema, column)
    total, beta = read_budget(epsilon, delta), read_share(beta=beta)
    chosen, misses = _chosen(method, declared.bits, level, total, beta)
    unit = Unit(person, neighbours)
    check_declared(unit, rows)
    if unit.added and method != RANKS:
        raise InvalidArgument(
            f"neighbours=added (--neighbours) is for method={RANKS}: leave out one of the two"
        )
    cost: ReleaseCost = Added(chosen.cost) if unit.added else chosen.cost
    coding = Coding.of(schema, [column])
    counts = count_units(source, coding, unit, none="there is no quantile")
    blank = Quantile(
        column=column,
        level=chosen.level,
        value=0,
        told="",
        n=rows if unit.added else counts.n,
        method=method,
        rank_error=misses,
        beta=beta,
        cost=cost,
        privacy=Privacy(price(cost, total.delta).privacy.epsilon, total.delta),
        secure=False,
        unit=unit,
    )
    line, ranks = of_units(counts, chosen, partial(_line, declared.bits))
    purpose = f"the quantile of {column} at {chosen.level}"
    ranked = Prepared(line, [declared.size], ranks, blank, partial(_filled, declared), purpose)
    return released(ranked, rng, charge, rehearsal)


def _line(bits: int, counts: Counts[int]) -> LineCounts:
    """Lay rows out on the line of their codes."""
    held = np.array([counts.table[point] for point in sorted(counts.table)], dtype=np.int64)
    return LineCounts(counts.n, bits, integers(sorted(counts.table)), held)


def _filled(declared: Integer | Real, blank: Quantile, drawn: int) -> Quantile:
    """Tell what was drawn in the values of its column; a range need not fill its bits."""
    code = min(drawn, declared.size - 1)
    value: Any = declared.decode(code)
    return replace(blank, value=value, told=declared.describe(code))


def _chosen(
    method: str, bits: int, level: Exact, total: Privacy, beta: Fraction
) -> tuple[PrivateQuantile | PrefixQuantile, int]:
    """Return the mechanism, and by how many ranks it may be off."""
    if method == RANKS:
        ranks = PrivateQuantile(bits, level=level, epsilon=total.epsilon)
        return ranks, ranks.rank_error(beta)
    if method != INTERIOR or not total.delta:
        raise InvalidArgument(f"method must be {RANKS}, or with a delta {INTERIOR}, got {method!r}")
    near = PrefixQuantile(bits, level=level, epsilon=total.epsilon, delta=total.delta, beta=beta)
    return near, near.rank_error
