"""Wrong ways to choose among candidates."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from tacit.core.chance.law import Law
from tacit.core.chance.law import product as joint
from tacit.core.cost import BoundedRange, Pure
from tacit.mechanisms import Exponential, PermuteAndFlip, RepeatedSelection
from tacit.statistics import ScoreProfile
from tacit.verify.enumeration import Case
from tacit.verify.finding import Claim
from tacit.verify.laws_to_wrap import opposed

Row = tuple[int, int]
EPSILON = Fraction(1)
ROWS: tuple[Row, ...] = tuple(product(range(3), (0, 1)))
POINTS = tuple(tuple(int(x == z) for x in range(3)) for z in range(3))


def _agreements(database: tuple[Row, ...]) -> list[int]:
    return [sum(h[x] == y for x, y in database) for h in POINTS]


def _case(name: str, why: str, claim: Claim, law: Callable[[tuple[Any, ...]], Law[Any]]) -> Case:
    return Case(name, why, "broken", claim, ROWS, 4, law)


def _without_half(database: tuple[Row, ...]) -> Law[int]:
    """Weigh by e^(epsilon * score): scores move in both directions, so this spends 2 epsilon."""
    return Exponential(2 * EPSILON).law(ScoreProfile.of(_agreements(database)))


def _permute_and_flip(database: tuple[Row, ...]) -> Law[int]:
    return PermuteAndFlip(EPSILON).law(ScoreProfile.of(_agreements(database)))


def _domain_from_data(database: tuple[Row, ...]) -> Law[int]:
    """Offer only the points that occur: what is never offered tells who is absent."""
    present = sorted({x for x, _ in database})
    scores = _agreements(database)
    law = Exponential(EPSILON).law(ScoreProfile.of([scores[x] for x in present]))
    return law.map(lambda index: present[index])


def _deduplicated(database: tuple[Row, ...]) -> Law[int]:
    """Keep one of the candidates that behave alike on the sample; forget how many there were."""
    behaviours = {tuple(h[x] for x, _ in database): z for z, h in reversed(list(enumerate(POINTS)))}
    kept = sorted(behaviours.values())
    scores = _agreements(database)
    law = Exponential(EPSILON / 16).law(ScoreProfile.of([scores[z] for z in kept]))
    return law.map(lambda index: kept[index])


def _two_labels_one_budget(database: tuple[Row, ...]) -> Law[tuple[int, ...]]:
    """Choose for a label and for its negation with the whole budget each, and count it once."""
    scores = _agreements(database)
    opposite = [len(database) - score for score in scores]
    choose = Exponential(EPSILON)
    return joint(choose.law(ScoreProfile.of(s)) for s in (scores, opposite))


def _best_of_three(database: tuple[Row, ...]) -> Law[int]:
    """Run three times, keep the best by the true score, and pay for one run."""
    scores = _agreements(database)
    thrice = joint([Exponential(EPSILON).law(ScoreProfile.of(scores))] * 3)
    return thrice.map(lambda runs: max(runs, key=lambda z: (scores[z], -z)))


def _searched(database: tuple[str, ...]) -> Law[Any]:
    """Try a random number of times, keep the best, and pay for one try."""
    return RepeatedSelection(opposed(EPSILON), eta=1, gamma="1/1000000").law(database)


CASES = (
    Case(
        "repetition-priced-once",
        "geometric number of runs",
        "broken",
        Pure(EPSILON),
        ("a", "b", "c"),
        3,
        _searched,
    ),
    _case("exponential-without-half", "weights e^(epsilon * score)", Pure(EPSILON), _without_half),
    _case(
        "permute-and-flip-as-bounded-range",
        "priced by a range it does not have",
        BoundedRange(EPSILON),
        _permute_and_flip,
    ),
    _case("domain-read-off-the-data", "only observed points", Pure(EPSILON), _domain_from_data),
    _case(
        "candidates-deduplicated",
        "multiplicities dropped",
        Pure(EPSILON / 16),
        _deduplicated,
    ),
    _case("budget-counted-once", "two choices, one price", Pure(EPSILON), _two_labels_one_budget),
    _case("best-of-three-runs", "repetition for free", Pure(EPSILON), _best_of_three),
)
