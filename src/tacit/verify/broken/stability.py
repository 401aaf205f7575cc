"""Wrong ways to release what the data agree on."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from tacit.core.chance.law import Law, certain, product
from tacit.core.cost import Approximate
from tacit.core.numbers.decay import Decay, growth
from tacit.core.numbers.enclosures import exp_lower
from tacit.mechanisms import StabilityHistogram, StableRelease
from tacit.mechanisms.noise.geometric import tail
from tacit.mechanisms.stable.release_table import release_table
from tacit.statistics import Counts, Votes
from tacit.verify.broken.twin import Rows, twin

EPSILON = Fraction(1)
DELTA = Fraction(1, 100)
ROUNDING = Fraction(1, 2**100)
"""Real probabilities are known to within 2^-101."""
CLAIM = Approximate(EPSILON, DELTA)
KEYS = ("a", "b", "c")
CANDIDATES = (*KEYS, "abstain")


def _votes(database: Rows) -> list[tuple[str, int]]:
    return Counter(vote for vote in database if vote != "abstain").most_common()


def a_dist(
    ranked: list[tuple[Any, int]], nobody: Any, *, delta: Fraction = DELTA, parts: int = 1
) -> Law[Any]:
    """Compare gap + Lap(1 / epsilon) with ln(1 / delta) / epsilon, as printed [BNS16 Alg 3].

    One changed vote moves the gap by 2, and the threshold leaves no room for a change of winner:
    the true guarantee is (2 epsilon, e^(2 epsilon) delta / 2). `parts` divide the gap.
    """
    (winner, most), (_, second) = [*ranked, (nobody, 0), (nobody, 0)][:2]
    if most == second:
        return certain(nobody)
    rising = exp_lower(EPSILON * Fraction(most - second, parts)) * delta
    told = rising / 2 if rising <= 1 else 1 - 1 / (2 * rising)
    return Law({winner: told, nobody: 1 - told}, ROUNDING)


@twin(CLAIM, CANDIDATES, 6)
def printed_a_dist(database: Rows) -> Law[str | None]:
    """Release the winner of a vote by the printed rule [BNS16 Alg 3]."""
    return a_dist(_votes(database), None)


@twin(CLAIM, CANDIDATES, 6)
def half_the_gap_without_an_offset(database: Rows) -> Law[str | None]:
    """Halve the gap, which one vote then moves by 1, but leave the threshold where it was.

    Where one vote changes the winner half the gap can be 1: the true delta is e^epsilon delta / 2.
    """
    return a_dist(_votes(database), None, parts=2)


@twin(Approximate(2, "1/5"), KEYS, 7)
def selection_with_the_larger_factor_twice(database: Rows) -> Law[tuple[str, ...]]:
    """Let the chance to tell rise by 3/4 of epsilon, and that to miss fall by 3/4 of it too."""
    factor = growth(Fraction(3, 2))
    table = release_table(factor, Fraction(1, 5) * Fraction(5, 8))
    told = [
        Law({(key,): p, (): 1 - p})
        for key, count in sorted(Counter(database).items())
        if (p := table.probability(count)) > 0
    ]
    return product(told).map(lambda keys: tuple(k for key in keys for k in key))


@twin(CLAIM, CANDIDATES, 5)
def runner_up_among_observed(database: Rows) -> Law[str | None]:
    """Look for the runner-up among observed candidates only: a unanimous vote seems unshakeable."""
    if len(ranked := _votes(database)) == 1:
        return certain(ranked[0][0])
    votes: Votes[Any] = Votes.of([None if vote == "abstain" else vote for vote in database])
    return StableRelease(EPSILON, DELTA).law(votes.lead())


@twin(CLAIM, KEYS, 4)
def histogram_threshold_off_by_one(database: Rows) -> Law[tuple[str, ...]]:
    """Release a key at one count less than the threshold that delta allows."""
    bar = StabilityHistogram(EPSILON, DELTA).threshold - 1
    noise = Decay.of(EPSILON / 2)
    laws = [
        Law({key: tail(noise, bar - count), "": 1 - tail(noise, bar - count)})
        for key, count in sorted(Counts.of(database).table.items())
    ]
    return product(laws).map(lambda told: tuple(key for key in told if key))


@twin(CLAIM, KEYS, 5)
def small_cells_suppressed(database: Rows) -> Law[tuple[tuple[str, int], ...]]:
    """Publish exact counts of at least 3 and hide the others, as statistics offices did."""
    return certain(tuple(sorted((key, c) for key, c in Counter(database).items() if c >= 3)))


@twin(CLAIM, KEYS[:2], 20)
def printed_point_sanitizer(database: Rows) -> Law[tuple[str, ...]]:
    """Drop counts up to alpha n / 4, add Lap(2 / epsilon), drop up to alpha n / 2 [BNS16 Alg 1].

    Nothing in it makes n large enough for the promised delta.
    """
    n, alpha = len(database), Fraction(1, 5)
    laws = []
    for key in ("a", "b"):
        count = database.count(key)
        missing = alpha * n / 2 - count
        tail = exp_lower(-abs(missing) * EPSILON / 2) / 2
        told = tail if missing >= 0 else 1 - tail
        kept = told if count > alpha * n / 4 else Fraction(0)
        laws.append(Law({key: kept, "": 1 - kept}, ROUNDING))
    return product(laws)
