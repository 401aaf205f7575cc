"""From a column of a table to one of its quantiles: check what is public, count, choose."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.concepts.concept_class import integers
from tacit.core import check
from tacit.core.composition import price
from tacit.core.cost import Cost
from tacit.core.errors import InvalidArgument
from tacit.core.exact import Exact
from tacit.core.privacy import Privacy
from tacit.core.randomness import Random, System, is_secure
from tacit.data.budget import read_budget, read_share
from tacit.data.integer import Integer
from tacit.data.learning import Charge
from tacit.data.real import Real
from tacit.data.reduction import count_points
from tacit.data.schema import Schema
from tacit.data.source import Source
from tacit.mechanisms import PrefixQuantile, PrivateQuantile
from tacit.statistics import Counts
from tacit.statistics.line_counts import LineCounts

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
) -> Quantile:
    """Tell a quantile of a column of numbers; the median, unless another level is asked for.

    The method `interior-point`, which needs a delta, finds a point between the nearest ranks; over
    the ranges that columns have, of 62 bits at most, `exponential` is off by fewer. Coins are the
    operating system's unless `rng` is given.

    Guarantee:
        (epsilon, delta)-DP for replaced rows of the table, see `PrivateQuantile` and
        `PrefixQuantile`. Everything that can be refused is refused for public reasons, before
        anything is drawn. With `charge` nothing is drawn before the cost is on the ledger.

    >>> from tacit.core.randomness import Seeded
    >>> people = {"age": [20 + (7 * i) % 60 for i in range(5000)]}
    >>> schema = Schema({"age": Integer(0, 120)})
    >>> told = quantile(people, schema, column="age", epsilon=1, rng=Seeded(1))
    >>> told.value, told.rank_error
    (49, 15)
    """
    rng = System() if rng is None else rng
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
    spent = Privacy(price(chosen.cost, total.delta).privacy.epsilon, total.delta)
    if charge is not None:
        charge(chosen.cost, spent.delta, f"the quantile of {column} at {check.exact(level=level)}")
    code = min(chosen(_line(counts, declared.bits), rng=rng), declared.size - 1)
    value: Any = declared.decode(code)
    return Quantile(
        column=column,
        level=chosen.level,
        value=value,
        told=declared.describe(code),
        n=counts.n,
        method=method,
        rank_error=misses,
        beta=beta,
        cost=chosen.cost,
        privacy=spent,
        secure=is_secure(rng),
    )


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
