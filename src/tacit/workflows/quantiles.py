"""From a column of a table to one of its quantiles: check what is public, count, choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import integers
from tacit.core.budget import read_budget, read_share
from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Random, is_secure
from tacit.core.composition import price
from tacit.core.cost import Cost
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.data.reading.reduction import count_points
from tacit.data.reading.source import Source
from tacit.data.schema.integer import Integer
from tacit.data.schema.real import Real
from tacit.data.schema.schema import Schema
from tacit.mechanisms import PrefixQuantile, PrivateQuantile
from tacit.statistics import Counts
from tacit.statistics.counts.line_counts import LineCounts
from tacit.workflows.charging import Charge, released
from tacit.workflows.made_up import made_up_counts

RANKS, INTERIOR = "exponential", "interior-point"


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile of a column, what it cost, and by how many ranks it may be off.

    With probability at least 1 - beta at most `rank_error` of the n rows would have to change for
    `value` to be the exact quantile.
    """

    column: str
    level: Fraction
    value: int | float
    told: str
    n: int
    method: str
    rank_error: int
    beta: Fraction
    cost: Cost
    privacy: Privacy
    secure: bool

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
        }


@dataclass(frozen=True, slots=True)
class Ranked:
    """A column that is counted, and all that can be refused checked: what is left is to draw.

    `blank` is the answer but for its value and its coins.
    """

    statistic: LineCounts = field(repr=False)
    mechanism: PrivateQuantile | PrefixQuantile
    declared: Integer | Real
    blank: Quantile

    @property
    def cost(self) -> Cost:
        """What a draw costs."""
        return self.blank.cost

    @property
    def privacy(self) -> Privacy:
        """The cost as one epsilon and delta."""
        return self.blank.privacy

    @property
    def purpose(self) -> str:
        """Which quantile of what, for a ledger."""
        return f"the quantile of {self.blank.column} at {self.blank.level}"

    def __call__(self, *, rng: Random) -> Quantile:
        """Draw the quantile."""
        return replace(self._told(self.mechanism(self.statistic, rng=rng)), secure=is_secure(rng))

    def law(self) -> Law[Quantile]:
        """Return the exact law of the answer."""
        return self.mechanism.law(self.statistic).map(self._told)

    def made_up(self) -> Ranked:
        """Return the same with rows that are made up."""
        counts = made_up_counts(self.blank.n, [self.declared.size])
        return replace(self, statistic=_line(counts, self.declared.bits))

    def _told(self, drawn: int) -> Quantile:
        code = min(drawn, self.declared.size - 1)
        value: Any = self.declared.decode(code)
        return replace(self.blank, value=value, told=self.declared.describe(code))


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
        `PrefixQuantile`. Everything that can be refused is refused for public reasons, before
        anything is drawn. With `charge` nothing is drawn before the cost is on the ledger, and
        nothing is charged before `rehearsal` was told a quantile of made-up rows.

    >>> from tacit.core.chance.randomness import Seeded
    >>> people = {"age": [20 + (7 * i) % 60 for i in range(5000)]}
    >>> schema = Schema({"age": Integer(0, 120)})
    >>> told = quantile(people, schema, column="age", epsilon=1, rng=Seeded(1))
    >>> told.value, told.rank_error
    (49, 15)
    """
    ranked = prepare(
        source,
        schema,
        column=column,
        level=level,
        epsilon=epsilon,
        delta=delta,
        method=method,
        beta=beta,
    )
    return released(ranked, rng, charge, rehearsal)


def prepare(
    source: Source,
    schema: Schema,
    *,
    column: str,
    level: Exact = Fraction(1, 2),
    epsilon: Exact,
    delta: Exact = 0,
    method: str = RANKS,
    beta: Exact = "0.05",
) -> Ranked:
    """Do all that `quantile` does before it charges: check what is public, and count."""
    declared = schema[column]
    if not isinstance(declared, Integer | Real) or declared.outside != "clip":
        raise InvalidArgument(
            f"column {column!r} must be of type integer or real and read what is out of range as "
            'the nearest end (outside = "clip"): else its values have no order'
        )
    total, beta = read_budget(epsilon, delta), read_share(beta=beta)
    chosen, misses = _chosen(method, declared.bits, level, total, beta)
    counts = count_points(source, schema, [column])
    if not counts.n:
        raise InvalidArgument("the table has no rows; there is no quantile")
    blank = Quantile(
        column=column,
        level=chosen.level,
        value=0,
        told="",
        n=counts.n,
        method=method,
        rank_error=misses,
        beta=beta,
        cost=chosen.cost,
        privacy=Privacy(price(chosen.cost, total.delta).privacy.epsilon, total.delta),
        secure=False,
    )
    return Ranked(_line(counts, declared.bits), chosen, declared, blank)


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


def _line(counts: Counts[Any], bits: int) -> LineCounts:
    points = sorted(counts.table)
    held = np.array([counts.table[point] for point in points], dtype=np.int64)
    return LineCounts(counts.n, bits, integers(points), held)
