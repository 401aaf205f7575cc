"""Private mechanisms put together wrongly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit.core.chance.law import Law, certain, collect, mixture
from tacit.core.chance.law import product as joint
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.decay import growth
from tacit.core.numbers.enclosures import log_lower
from tacit.mechanisms import DiscreteLaplace, Exponential, StableRelease
from tacit.statistics import ScoreProfile, Votes
from tacit.verify.broken.twin import Rows, twin

EPSILON = Fraction(1)
SMALL = Fraction(1, 100)
KEEP = Fraction(1, 2)
VALUES = (0, 1, 2)
SWAPPED = 3 * log_lower(1 + (growth(Fraction(1, 2)) - 1) / 6)
"""The price of 3 draws of 6 rows."""


@twin(Pure(2 * KEEP), product((0, 1), (0, 1)))
def printed_parity_keep_probability(database: Rows) -> Law[int | None]:
    """Keep each row with probability epsilon and claim 2 epsilon, as printed [Vad17 Claim 8.6].

    The loss is ln((1 + epsilon) / (1 - epsilon)): 1.0986 where 1 is claimed.
    """

    def solution(kept: tuple[bool, ...]) -> Law[int | None]:
        rows = [row for row, keep in zip(database, kept, strict=True) if keep]
        fits = [c for c in (0, 1) if all(c * x == y for x, y in rows)]
        return collect((c, Fraction(1, len(fits))) for c in fits) if fits else certain(None)

    patterns = product((True, False), repeat=len(database))
    weighed = (
        (KEEP ** sum(kept) * (1 - KEEP) ** (len(kept) - sum(kept)), solution(kept))
        for kept in patterns
    )
    return mixture([(Fraction(1, 2), certain(None)), (Fraction(1, 2), mixture(weighed))])


@twin(Pure(SWAPPED), VALUES)
def secrecy_of_the_sample_swapped(database: Rows) -> Law[int]:
    """Draw 6 of 3 rows with replacement; the price was computed with 6 and 3 exchanged."""
    odds = growth(Fraction(1, 2))
    draws = list(product(database, repeat=6))
    ones = [odds ** sum(record == 1 for record in draw) for draw in draws]
    yes = sum((weight / (1 + weight) for weight in ones), Fraction(0)) / len(draws)
    return Law({1: yes, 0: 1 - yes})


@twin(Pure(EPSILON), (0, 1, "n/a"))
def data_dependent_exception(database: Rows) -> Law[Any]:
    """Refuse the whole table because of one bad cell: the refusal is an output."""
    if "n/a" in database:
        return certain("ValueError: could not read 'n/a' as a number")
    return Exponential(EPSILON).law(ScoreProfile.of([database.count(0), database.count(1)]))


@twin(Approximate(EPSILON, SMALL), VALUES, 4)
def blocks_by_value(database: Rows) -> Law[Any]:
    """Send a row to the block of its value: replacing it changes two blocks, not one."""
    blocks = [[x for x in database if x % 3 == block] for block in range(3)]
    votes = Votes.of([len(block) % 2 for block in blocks])
    return StableRelease(EPSILON, SMALL).law(votes.lead())


@twin(Pure(EPSILON), (0, 1), 3)
def coins_thrown_again(database: Rows) -> Law[Any]:
    """Deal rows anew each time that the table is read: a row may be in both of two parts."""
    noise, each = DiscreteLaplace(EPSILON), Fraction(1, 3)
    parts = product(range(3), repeat=2)  # two rows learned from, and one held out: of two deals
    return mixture(
        (
            each * each,
            joint(
                noise.law(count, low=0, high=3)
                for count in (sum(database) - database[left], database[held])
            ),
        )
        for left, held in parts
    )


@twin(Pure(EPSILON), VALUES, 4)
def retried_until_good(database: Rows) -> Law[int]:
    """Draw again until the answer looks good on the data: the stopping rule was never paid for."""
    scores = [database.count(value) for value in VALUES]
    law = Exponential(EPSILON).law(ScoreProfile.of(scores))
    good = {z: law[z] for z in VALUES if 3 * scores[z] >= len(database)}
    total = sum(good.values(), Fraction(0))
    return Law({z: p / total for z, p in good.items()})
