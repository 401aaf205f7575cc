"""Wrong ways to release what the data agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.core.chance.law import Law, certain, product
from tacit.core.cost import Approximate
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import exp_lower
from tacit.mechanisms import StabilityHistogram, StableRelease
from tacit.mechanisms.noise.geometric import tail
from tacit.statistics import Counts, Stable, Votes
from tacit.verify.enumeration import Case

EPSILON = Fraction(1)
DELTA = Fraction(1, 100)
ROUNDING = Fraction(1, 2**100)
CANDIDATES = ("a", "b", "c", "abstain")
KEYS = ("a", "b", "c")
Telling = Callable[[tuple[str, ...]], Law[Any]]


def _coin(probability: Fraction, value: str) -> Law[str | None]:
    """Return the law of telling `value` with a real probability known to within 2^-101."""
    return Law({value: probability, None: 1 - probability}, ROUNDING)


def _votes(database: tuple[str, ...]) -> list[tuple[str, int]]:
    return Counter(vote for vote in database if vote != "abstain").most_common()


def _printed_a_dist(database: tuple[str, ...]) -> Law[str | None]:
    """Compare gap + Lap(1 / epsilon) with ln(1 / delta) / epsilon, as printed [BNS16 Alg 3].

    One changed vote moves the gap by 2, and the threshold leaves no room for a change of winner:
    the true guarantee is (2 epsilon, e^(2 epsilon) delta / 2).
    """
    ranked = [*_votes(database), ("", 0), ("", 0)]
    gap = ranked[0][1] - ranked[1][1]
    if gap == 0:
        return certain(None)
    rising = exp_lower(EPSILON * gap) * DELTA
    probability = rising / 2 if rising <= 1 else 1 - 1 / (2 * rising)
    return _coin(probability, ranked[0][0])


def _runner_up_observed(database: tuple[str, ...]) -> Law[str | None]:
    """Look for the runner-up among observed candidates only: a unanimous vote seems unshakeable."""
    ranked = _votes(database)
    if len(ranked) == 1:
        return certain(ranked[0][0])
    release = StableRelease(EPSILON, DELTA)
    lead: Stable[str | None] = Votes.of(
        [None if vote == "abstain" else vote for vote in database]
    ).lead()
    return release.law(lead)


def _threshold_off_by_one(database: tuple[str, ...]) -> Law[tuple[str, ...]]:
    """Release a key at one count less than the threshold that delta allows."""
    bar = StabilityHistogram(EPSILON, DELTA).threshold - 1
    noise = Decay.of(EPSILON / 2)
    laws = [
        Law({key: tail(noise, bar - count), "": 1 - tail(noise, bar - count)})
        for key, count in sorted(Counts.of(database).table.items())
    ]
    return product(laws).map(lambda told: tuple(key for key in told if key))


def _small_cells_suppressed(database: tuple[str, ...]) -> Law[tuple[tuple[str, int], ...]]:
    """Publish exact counts of at least 3 and hide the others, as statistics offices did."""
    table = Counter(database)
    return certain(tuple(sorted((key, c) for key, c in table.items() if c >= 3)))


def _printed_point_sanitizer(database: tuple[str, ...]) -> Law[tuple[str, ...]]:
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


def _case(target: str, setting: str, universe: tuple[str, ...], n: int, law: Telling) -> Case:
    return Case(target, setting, "broken", Approximate(EPSILON, DELTA), universe, n, law)


CASES = (
    _case("printed-a-dist", "as in the paper, 6 votes", CANDIDATES, 6, _printed_a_dist),
    _case("runner-up-among-observed", "5 votes", CANDIDATES, 5, _runner_up_observed),
    _case("histogram-threshold-off-by-one", "4 records", KEYS, 4, _threshold_off_by_one),
    _case("small-cells-suppressed", "counts of 3 and more", KEYS, 5, _small_cells_suppressed),
    _case("printed-point-sanitizer", "n=20, alpha=1/5", KEYS[:2], 20, _printed_point_sanitizer),
)
