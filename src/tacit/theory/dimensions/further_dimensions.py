"""Dual, threshold and teaching dimension, covers, packings and queries, each with its witness."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import Bracket, Concept, ConceptClass
from tacit.concepts.contract.named_problem import AtLeast, Equality, InnerProduct
from tacit.theory.dimensions.cover_numbers import covering_number, packing_number
from tacit.theory.dimensions.equivalence_queries import proper_queries
from tacit.theory.dimensions.function_covers import FunctionCover, function_cover
from tacit.theory.dimensions.optimal_predictor import LARGEST
from tacit.theory.dimensions.teaching import teaching
from tacit.theory.dimensions.threshold_dimension import threshold_dimension
from tacit.theory.dimensions.vc import vc
from tacit.theory.solving.class_table import Listing, at_least, at_most

SEARCHED = 512
"""Larger classes are not searched for lines of thresholds, teaching sets, covers and packings."""

LONGEST = 1 << 12
"""Points of a class that is searched: bitmaps of more take too long to compare."""

WORDS = 1 << 20
"""Words of 64 entries of a table whose dual is searched: eight megabytes."""

RADIUS = Fraction(1, 4)
"""Of covers and packings, in probability: the accuracy that the papers' examples have."""

COVERS = ("cover", "packing", "function_cover")
"""What depends on a radius."""

SHARE = 0.05
"""Of the time that is left, for each."""

HUGE = 64
"""Dimensions beyond it imply nothing that the numbers of points and concepts do not."""

Witnessed = tuple[Bracket, Sequence[int], Sequence[int]]
"""What a search found, and the numbers of the concepts and of the points that show it."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What is known, and the concepts and points that show its lower end, or a cover its upper.

    - dual_vc: the concepts give all labellings to points of the domain.
    - threshold: concept i says yes on point j exactly if i <= j.
    - teaching: the points tell the concept from all others, and no fewer do.
    - cover: every concept differs from one of these with probability at most 1/4, points even.
    - packing: any two of these differ with probability above 1/4.
    - function_cover: each concept is within 1/4 of one of `functions`, 0s and 1s at all points.
    - proper_queries: the concept to propose first, if no more counter-examples shall be needed.
    """

    name: str
    known: Bracket
    concepts: tuple[Concept, ...] | None = None
    points: tuple[Any, ...] | None = None
    functions: tuple[str, ...] | None = None


def further_dimensions(
    concepts: ConceptClass[Any],
    listing: Listing | None,
    *,
    shattered: Bracket,
    depth: Bracket,
    seconds: Callable[[float], float],
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Shown, ...]:
    """Search a class that is listed; of others say what their other dimensions imply.

    `seconds` gives a share of the time that is left.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.theory.solving.class_table import listed
    >>> three = Thresholds(3)
    >>> known = {"shattered": three.vc, "depth": three.littlestone, "seconds": lambda _: 5.0}
    >>> for shown in further_dimensions(three, listed(three), **known):
    ...     shown.name, shown.known.lower, shown.points
    ('dual_vc', 1, None)
    ('threshold', 8, (0, 1, 2, 3, 4, 5, 6, 7))
    ('teaching', 2, (0, 1))
    ('cover', 2, None)
    ('packing', 3, None)
    ('function_cover', 2, None)
    ('proper_queries', 3, None)
    """
    implied = dict(_implied(concepts, shattered, depth)) | dict(_proved(concepts))
    found = {name: Shown(name, bracket) for name, bracket in implied.items()}
    for name, search in _SEARCHES.items():
        if listing is None:
            continue
        tell(f"{name.replace('_', ' ')}: searching")
        if most := _too_large(name, listing):
            known = implied[name]
            found[name] = Shown(name, Bracket(known.lower, known.upper, f"{known.why}; {most}"))
        else:
            bracket, names, places = search(listing, seconds(SHARE))
            shown = np.asarray(listing.points)[list(places)].tolist()
            other = bracket.functions if isinstance(bracket, FunctionCover) else None
            found[name] = Shown(
                name,
                implied[name].met(bracket),
                None if other is not None else tuple(listing.concepts[c] for c in names),
                tuple(shown) or None,
                None if other is None else tuple("".join("01"[y] for y in h) for h in other * 1),
            )
    return tuple(found.values())


def _implied(
    concepts: ConceptClass[Any], shattered: Bracket, depth: Bracket
) -> Iterator[tuple[str, Bracket]]:
    """Yield what follows from the VC and the Littlestone dimension and from the size."""
    least, most, points = at_least(concepts), at_most(concepts), concepts.domain_size
    by_vc = 2 ** (min(shattered.upper, HUGE) + 1) - 1
    upper = min(by_vc, points.bit_length() - 1, most)
    lower = min(max(shattered.lower, 1).bit_length() - 1, upper)
    yield "dual_vc", Bracket(lower, upper, "from the VC dimension [Ass83]")
    by_depth = 2 ** (min(depth.upper, HUGE) + 1) - 1
    upper = min(by_depth, points, most)
    lower = min(max(depth.lower, 1).bit_length() - 1, upper)
    yield "threshold", Bracket(lower, upper, "from the Littlestone dimension [ALMM19]")
    several = int(least > 1)
    yield "teaching", Bracket(several, max(several, min(points, most - 1)), "one point at least")
    for name in COVERS:
        yield name, Bracket(1, most, "the class itself")
    upper = max(most - 1, depth.lower)
    yield "proper_queries", Bracket(depth.lower, upper, "from the Littlestone dimension [Lit88]")


def _proved(concepts: ConceptClass[Any]) -> Iterator[tuple[str, Bracket]]:
    """Yield what is known of the problem that a class is, whatever its size."""
    match concepts.problem:
        case Equality(size) if size > 1:
            yield "dual_vc", Bracket(1, 1, "two concepts never say yes together")
            yield "threshold", Bracket(1, 1, "no concept says yes twice")
            yield "teaching", Bracket(1, 1, "its own point tells a concept")
            yield "proper_queries", Bracket(size - 1, size - 1, "one concept is excluded a time")
        case AtLeast(size) if size > 1:
            two = 1 if size == 2 else 2
            yield "dual_vc", Bracket(1, 1, "of two concepts, one says yes wherever the other does")
            yield "threshold", Bracket(size, size, "all of them, in their order")
            yield "teaching", Bracket(two, two, "the points on either side of the threshold")
            half = size.bit_length() - 1
            yield "proper_queries", Bracket(half, half, "the middle one of those left")
        case InnerProduct(d):
            yield "dual_vc", Bracket(d, d, "points and concepts are alike")
            yield "teaching", Bracket(d, d, "so many equations determine the coefficients")
            yield "proper_queries", Bracket(d, d, "each counter-example is one more equation")


def _too_large(name: str, listing: Listing) -> str:
    """Say what keeps a class from being searched, or nothing."""
    table = listing.table
    if name == "dual_vc":
        large = table.columns.size > WORDS
        return f"{table.n} x {table.m} entries; at most {64 * WORDS} are searched" if large else ""
    if table.n > SEARCHED:
        return f"{table.n} concepts; at most {SEARCHED} are searched"
    if name == "proper_queries" and table.n * table.m > LARGEST:
        return f"{table.n} x {table.m} entries; at most {LARGEST} are searched"
    return f"{table.m} points; at most {LONGEST} are searched" if table.m > LONGEST else ""


def _dual(listing: Listing, seconds: float) -> Witnessed:
    found = vc(listing.table.dual, time_limit=seconds)
    return found, found.points, ()


def _threshold(listing: Listing, seconds: float) -> Witnessed:
    found = threshold_dimension(listing.table, time_limit=seconds)
    return found, found.concepts, found.points


def _teaching(listing: Listing, seconds: float) -> Witnessed:
    found = teaching(listing.table, time_limit=seconds)
    return found, (found.hardest,), found.sets[found.hardest]


def _centres(number: Callable[..., Any], listing: Listing, seconds: float) -> Witnessed:
    even = [Fraction(1, listing.table.m)] * listing.table.m
    found = number(listing.table, even, RADIUS, time_limit=seconds)
    return found, getattr(found, "centres", ()), ()


def _queries(listing: Listing, seconds: float) -> Witnessed:
    found = proper_queries(listing.table, time_limit=seconds)
    return found, (found.strategy.get((1 << listing.table.n) - 1, 0),), ()


_SEARCHES: dict[str, Callable[[Listing, float], Witnessed]] = {
    "dual_vc": _dual,
    "threshold": _threshold,
    "teaching": _teaching,
    "cover": partial(_centres, covering_number),
    "packing": partial(_centres, packing_number),
    "function_cover": partial(_centres, function_cover),
    "proper_queries": _queries,
}
