"""Private mechanisms put together wrongly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit.core.chance.law import Law, certain, collect, mixture
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.decay import growth
from tacit.core.numbers.enclosures import log_lower
from tacit.mechanisms import Exponential, StableRelease
from tacit.statistics import ScoreProfile, Votes
from tacit.verify.enumeration import Case

EPSILON = Fraction(1)
SMALL = Fraction(1, 100)
PARITY_ROWS = tuple(product((0, 1), (0, 1)))
KEEP = Fraction(1, 2)
VALUES = (0, 1, 2)


def _printed_parity(database: tuple[tuple[int, int], ...]) -> Law[int | None]:
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


def _drawn_rows(database: tuple[int, ...]) -> Law[int]:
    """Draw 6 of 3 rows with replacement; the price was computed with 6 and 3 exchanged."""
    odds = growth(Fraction(1, 2))
    draws = list(product(database, repeat=6))
    ones = [odds ** sum(record == 1 for record in draw) for draw in draws]
    yes = sum((weight / (1 + weight) for weight in ones), Fraction(0)) / len(draws)
    return Law({1: yes, 0: 1 - yes})


SWAPPED = 3 * log_lower(1 + (growth(Fraction(1, 2)) - 1) / 6)


def _raises(database: tuple[Any, ...]) -> Law[Any]:
    """Refuse the whole table because of one bad cell: the refusal is an output."""
    if "n/a" in database:
        return certain("ValueError: could not read 'n/a' as a number")
    return Exponential(EPSILON).law(ScoreProfile.of([database.count(0), database.count(1)]))


def _blocks_by_value(database: tuple[int, ...]) -> Law[Any]:
    """Send a row to the block of its value: replacing it changes two blocks, not one."""
    blocks = [[x for x in database if x % 3 == block] for block in range(3)]
    votes = Votes.of([len(block) % 2 for block in blocks])
    return StableRelease(EPSILON, SMALL).law(votes.lead())


def _retried(database: tuple[int, ...]) -> Law[int]:
    """Draw again until the answer looks good on the data: the stopping rule was never paid for."""
    scores = [database.count(value) for value in (0, 1, 2)]
    law = Exponential(EPSILON).law(ScoreProfile.of(scores))
    good = {z: law[z] for z in range(3) if 3 * scores[z] >= len(database)}
    total = sum(good.values(), Fraction(0))
    return Law({z: p / total for z, p in good.items()})


CASES = (
    Case(
        "printed-parity-keep-probability",
        "d=1, keep 1/2",
        "broken",
        Pure(2 * KEEP),
        PARITY_ROWS,
        3,
        _printed_parity,
    ),
    Case(
        "secrecy-of-the-sample-swapped",
        "6 draws of 3 rows",
        "broken",
        Pure(SWAPPED),
        VALUES,
        3,
        _drawn_rows,
    ),
    Case(
        "data-dependent-exception",
        "one unreadable cell",
        "broken",
        Pure(EPSILON),
        (0, 1, "n/a"),
        3,
        _raises,
    ),
    Case(
        "blocks-by-value",
        "3 blocks",
        "broken",
        Approximate(EPSILON, SMALL),
        VALUES,
        4,
        _blocks_by_value,
    ),
    Case("retried-until-good", "3 values", "broken", Pure(EPSILON), VALUES, 4, _retried),
)
