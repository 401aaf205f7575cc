"""Wrong ways to choose among candidates."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit.core.chance.law import Law
from tacit.core.chance.law import product as joint
from tacit.core.cost import BoundedRange, Pure
from tacit.mechanisms import Exponential, PermuteAndFlip, RepeatedSelection
from tacit.statistics import ScoreProfile
from tacit.verify.broken.twin import Rows, twin
from tacit.verify.laws_to_wrap import opposed

EPSILON = Fraction(1)
ROWS = tuple(product(range(3), (0, 1)))
POINTS = tuple(tuple(int(x == z) for x in range(3)) for z in range(3))


def _agreements(database: Rows) -> list[int]:
    return [sum(h[x] == y for x, y in database) for h in POINTS]


def _chosen(scores: list[int], epsilon: Fraction = EPSILON) -> Law[int]:
    return Exponential(epsilon).law(ScoreProfile.of(scores))


@twin(Pure(EPSILON), ("a", "b", "c"))
def repetition_priced_once(database: Rows) -> Law[Any]:
    """Try a random number of times, keep the best, and pay for one try."""
    return RepeatedSelection(opposed(EPSILON), eta=1, gamma="1/1000000").law(database)


@twin(Pure(EPSILON), ROWS, 4)
def exponential_without_half(database: Rows) -> Law[int]:
    """Weigh by e^(epsilon * score): scores move in both directions, so this spends 2 epsilon."""
    return _chosen(_agreements(database), 2 * EPSILON)


@twin(BoundedRange(EPSILON), ROWS, 4)
def permute_and_flip_as_bounded_range(database: Rows) -> Law[int]:
    """Price permute and flip by a range that it does not have."""
    return PermuteAndFlip(EPSILON).law(ScoreProfile.of(_agreements(database)))


@twin(Pure(EPSILON), ROWS, 4)
def domain_read_off_the_data(database: Rows) -> Law[int]:
    """Offer only the points that occur: what is never offered tells who is absent."""
    present, scores = sorted({x for x, _ in database}), _agreements(database)
    return _chosen([scores[x] for x in present]).map(lambda index: present[index])


@twin(Pure(EPSILON / 16), ROWS, 4)
def candidates_deduplicated(database: Rows) -> Law[int]:
    """Keep one of the candidates that behave alike on the sample; forget how many there were."""
    behaviours = {tuple(h[x] for x, _ in database): z for z, h in reversed(list(enumerate(POINTS)))}
    kept, scores = sorted(behaviours.values()), _agreements(database)
    return _chosen([scores[z] for z in kept], EPSILON / 16).map(lambda index: kept[index])


@twin(Pure(EPSILON), ROWS, 4)
def budget_counted_once(database: Rows) -> Law[tuple[int, ...]]:
    """Choose for a label and for its negation with the whole budget each, and count it once."""
    scores = _agreements(database)
    return joint([_chosen(scores), _chosen([len(database) - score for score in scores])])


@twin(Pure(EPSILON), ROWS, 4)
def best_of_three_runs(database: Rows) -> Law[int]:
    """Run three times, keep the best by the true score, and pay for one run."""
    scores = _agreements(database)
    thrice = joint([_chosen(scores)] * 3)
    return thrice.map(lambda runs: max(runs, key=lambda z: (scores[z], -z)))
