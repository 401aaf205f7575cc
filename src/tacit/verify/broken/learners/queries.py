"""Statistical queries answered wrongly: rows used twice, noise used twice, the wrong coin."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.core.chance.law import Law, product
from tacit.core.cost import Pure
from tacit.core.numbers.decay import Decay
from tacit.mechanisms import DiscreteLaplace
from tacit.verify.enumeration import Case

EPSILON = Fraction(1)
RECORDS = (0, 1, 2)
Database = tuple[int, ...]


def _told(rows: Database, record: int) -> Law[int]:
    """Count a record among the rows, with the noise of one query at epsilon."""
    return DiscreteLaplace(EPSILON).law(rows.count(record), low=0, high=len(rows))


def _one_sample(database: Database) -> Law[Any]:
    """Answer a second query, chosen by the first answer, on the same rows at full epsilon."""
    return _told(database, 1).then(
        lambda first: _told(database, 0 if first > 1 else 2).map(lambda second: (first, second))
    )


def _overlapping(database: Database) -> Law[Any]:
    """Let two blocks share a row, and claim parallel composition."""
    return product([_told(database[:2], 1), _told(database[1:], 1)])


def _one_noise(database: Database) -> Law[Any]:
    """Add the same noise to all counts of a message: their differences are bare."""
    ones, twos = database.count(1), database.count(2)
    noisy = DiscreteLaplace(EPSILON / 2).law(0, low=-4, high=4)
    return noisy.map(lambda noise: (ones + noise, twos + noise))


def _fair_coin(database: Database) -> Law[Any]:
    """Toss a fair coin with probability e^-epsilon, else tell the truth: odds 2 e^epsilon - 1."""
    lie = Decay.of(EPSILON).ratio / 2
    return product(
        Law({bit: lie if bit != (record == 1) else 1 - lie for bit in (0, 1)})
        for record in database
    )


def _true_shares(database: Database) -> Law[Any]:
    """Simulate four reports of epsilon each from a true share: each row is asked four times."""
    flip = Decay.of(EPSILON).ratio / (1 + Decay.of(EPSILON).ratio)
    yes = flip + (1 - 2 * flip) * Fraction(database.count(1), len(database))
    return product([Law({1: yes, 0: 1 - yes})] * 4).map(sum)


def _case(
    target: str,
    setting: str,
    law: Callable[[Database], Law[Any]],
    *,
    symmetric: bool = True,
) -> Case:
    return Case(target, setting, "broken", Pure(EPSILON), RECORDS, 3, law, symmetric=symmetric)


CASES = (
    _case("adaptive-queries-on-one-sample", "2 queries", _one_sample),
    _case("blocks-that-overlap", "2 blocks of 3 rows", _overlapping, symmetric=False),
    _case("one-noise-for-all-counts", "2 counts", _one_noise),
    _case("reports-simulated-from-true-shares", "4 reports", _true_shares),
    _case("randomised-response-by-fair-coin", "3 answers", _fair_coin, symmetric=False),
)
