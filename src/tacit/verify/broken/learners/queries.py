"""Statistical queries answered wrongly: rows used twice, noise used twice, the wrong coin."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.core import Decay, Pure
from tacit.core.chance.law import Law, product
from tacit.mechanisms import DiscreteLaplace
from tacit.verify.broken.twin import Rows, twin

EPSILON = Fraction(1)
RECORDS = (0, 1, 2)


def _told(rows: Rows, record: int) -> Law[int]:
    """Count a record among the rows, with the noise of one query at epsilon."""
    return DiscreteLaplace(EPSILON).law(rows.count(record), low=0, high=len(rows))


@twin(Pure(EPSILON), RECORDS)
def adaptive_queries_on_one_sample(database: Rows) -> Law[Any]:
    """Answer a second query, chosen by the first answer, on the same rows at full epsilon."""
    return _told(database, 1).then(
        lambda first: _told(database, 0 if first > 1 else 2).map(lambda second: (first, second))
    )


@twin(Pure(EPSILON), RECORDS, symmetric=False)
def blocks_that_overlap(database: Rows) -> Law[Any]:
    """Let two blocks share a row, and claim parallel composition."""
    return product([_told(database[:2], 1), _told(database[1:], 1)])


@twin(Pure(EPSILON), RECORDS)
def one_noise_for_all_counts(database: Rows) -> Law[Any]:
    """Add the same noise to all counts of a message: their differences are bare."""
    ones, twos = database.count(1), database.count(2)
    noisy = DiscreteLaplace(EPSILON / 2).law(0, low=-4, high=4)
    return noisy.map(lambda noise: (ones + noise, twos + noise))


@twin(Pure(EPSILON), RECORDS)
def grades_counted_as_one(database: Rows) -> Law[int]:
    """Add up values of 0, 1 and 2 halves, with the noise of a count that a row moves by one."""
    return DiscreteLaplace(EPSILON).law(sum(database), low=0, high=2 * len(database))


OTHER = 2
"""The count of the other party, whose rows stay."""


@twin(Pure(EPSILON), RECORDS)
def noise_at_one_party_only(database: Rows) -> Law[Any]:
    """Leave the noise to the other party: the sum is noisy, the first message is bare."""
    noisy = DiscreteLaplace(EPSILON).law(OTHER, low=0, high=2 * OTHER)
    return noisy.map(lambda told: (database.count(1), told))


@twin(Pure(EPSILON), RECORDS)
def noise_shared_by_parties(database: Rows) -> Law[Any]:
    """Let each party add noise for twice the budget: the sum has enough, each message has not."""
    noise = DiscreteLaplace(2 * EPSILON)
    counts = database.count(1), OTHER
    return product(noise.law(count, low=0, high=len(database)) for count in counts)


@twin(Pure(EPSILON), RECORDS, symmetric=False)
def randomised_response_by_fair_coin(database: Rows) -> Law[Any]:
    """Toss a fair coin with probability e^-epsilon, else tell the truth: odds 2 e^epsilon - 1."""
    lie = Decay.of(EPSILON).ratio / 2
    return product(
        Law({bit: lie if bit != (record == 1) else 1 - lie for bit in (0, 1)})
        for record in database
    )
