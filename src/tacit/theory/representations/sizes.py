"""How many hypotheses represent a class: brackets, exact where a search can end.

Of the papers: FX14 Def 4, FX14 Def 5, BNS19 Def 8, BNS19 Def 12, BNS19 Remark 13, BNS19 Def 34,
BNS19 Ex 2, BNS19 Ex 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.concepts.algebra.reed_solomon import ReedSolomon
from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.named_problem import Equality
from tacit.core.numbers.enclosures import log_lower, log_upper
from tacit.theory.communication.bits import LeastError, communication
from tacit.theory.representations.bounds import (
    buckets,
    counting_bound,
    point_share_bound,
    random_part,
    separation_bound,
    tree_bound,
)
from tacit.theory.representations.exact import exact_representation
from tacit.theory.representations.list_game import exact_lottery
from tacit.theory.representations.representation import Rows
from tacit.theory.solving.class_table import Listing, at_most, counted

HUGE = 4096  # depth of a tree, or bits of a size, whose bound is still computed in a second
POINTS = 6  # that a class tells apart: the lists of more functions are not searched
SEARCHED = 16  # concepts: larger classes have too many assignments of templates


@dataclass(frozen=True, slots=True)
class Size:
    """`lower <= natural logarithm of the number of hypotheses <= upper`, and what shows either."""

    lower: Fraction
    upper: Fraction
    why_lower: str
    why_upper: str


def probabilistic_size(
    concepts: ConceptClass[Any],
    alpha: Fraction,
    beta: Fraction,
    *,
    depth: int,
    curve: Sequence[LeastError] = (),
    listing: Listing | None = None,
    seconds: float = 1.0,
) -> Size:
    """Bound the sets of an (alpha, beta)-representation of a class, exactly where it is small.

    From protocols: such a representation is a protocol of error alpha + beta - alpha beta, and a
    protocol of error alpha beta is such a representation [FX14 Thm 7].

    >>> from math import exp
    >>> from tacit.concepts.line.points import Points
    >>> quarter = Fraction(1, 4)
    >>> found = probabilistic_size(Points(64), quarter, quarter, depth=1)
    >>> found.why_lower, round(exp(found.upper))
    ('three points at a time', 13)
    """
    lower, why_lower = max(_probabilistic_lower(concepts, alpha, beta, depth, curve))
    upper, why_upper = min(_probabilistic_upper(concepts, alpha, beta, depth, curve))
    known = Size(lower, upper, why_lower, why_upper)
    if lower < upper and listing is not None and listing.table.dual.n <= POINTS:
        found = exact_lottery(rows_of(listing), alpha, beta, time_limit=seconds)
        return _narrower(known, found.lower, found.size, found.why)
    return known


def deterministic_size(
    concepts: ConceptClass[Any],
    alpha: Fraction,
    *,
    depth: int,
    curve: Sequence[LeastError] = (),
    listing: Listing | None = None,
    seconds: float = 1.0,
) -> Size:
    """Bound an alpha-representation of a class, exactly where the class is small.

    >>> from math import exp
    >>> from tacit.concepts.line.points import Points
    >>> quarter = Fraction(1, 4)
    >>> found = deterministic_size(Points(64), quarter, depth=1)
    >>> round(exp(found.lower)), round(exp(found.upper))
    (64, 2068)
    """
    lower, why_lower = max(_deterministic_lower(concepts, alpha, depth, curve, listing))
    upper, why_upper = min(_deterministic_upper(concepts, alpha))
    known = Size(lower, upper, why_lower, why_upper)
    if lower < upper and listing is not None and listing.table.n <= SEARCHED:
        found = exact_representation(rows_of(listing), alpha, time_limit=seconds)
        return _narrower(known, found.lower, len(found.hypotheses), found.why)
    return known


def sizes_using(
    concepts: Rows, among: Rows, alpha: Fraction, beta: Fraction, *, seconds: float = 10.0
) -> tuple[Size, Size]:
    """Bound an alpha-representation by given hypotheses, and (alpha, beta)-ones [BNS19 Def 30, 34].

    >>> points, quarter = np.eye(6, dtype=bool), Fraction(1, 4)
    >>> [round(float(size.lower), 3) for size in sizes_using(points, points, quarter, quarter)]
    [1.792, 1.609]
    """
    drawn = exact_lottery(concepts, alpha, beta, among=among, time_limit=seconds / 2)
    fixed = exact_representation(concepts, alpha, among=among, time_limit=seconds / 2)
    return (
        Size(_log(fixed.lower), _above(len(fixed.hypotheses)), fixed.why, fixed.why),
        Size(_log(drawn.lower), _above(drawn.size), drawn.why, drawn.why),
    )


def rows_of(listing: Listing) -> Rows:
    """Return the concepts' values, a line each."""
    return np.array([concept(listing.points) for concept in listing.concepts], dtype=np.bool_)


def _narrower(known: Size, fewest: int, most: int, why: str) -> Size:
    """Put what is proved of a class and what a search found together."""
    lower, why_lower = max((known.lower, known.why_lower), (_log(fewest), why))
    upper, why_upper = min((known.upper, known.why_upper), (_above(most), why))
    return Size(lower, upper, why_lower, why_upper)


def _probabilistic_lower(
    concepts: ConceptClass[Any],
    alpha: Fraction,
    beta: Fraction,
    depth: int,
    curve: Sequence[LeastError],
) -> Iterator[tuple[Fraction, str]]:
    both = alpha + beta - alpha * beta
    bits = communication(concepts, both, depth=depth, curve=curve)
    yield bits.lower * log_lower(Fraction(2)), f"a protocol of error {both}: {bits.why_lower}"
    if depth <= HUGE:
        yield (
            _log(tree_bound(depth, alpha=alpha, beta=beta)),
            f"a random path of a mistake tree of depth {depth}",
        )
    match concepts.problem:
        case Equality(size) if 3 * alpha < 1 and size > 3:
            yield _log(point_share_bound(size, beta=beta)), "three points at a time"


def _probabilistic_upper(
    concepts: ConceptClass[Any],
    alpha: Fraction,
    beta: Fraction,
    depth: int,
    curve: Sequence[LeastError],
) -> Iterator[tuple[Fraction, str]]:
    bits = communication(concepts, alpha * beta, depth=depth, curve=curve)
    yield (
        bits.upper * log_upper(Fraction(2)),
        f"a protocol of error {alpha * beta}: {bits.why_upper}",
    )
    yield _above(random_part(at_most(concepts), beta=beta)), "concepts drawn at random"
    yield from _deterministic_upper(concepts, alpha)
    if isinstance(concepts.problem, Equality):
        yield _above(buckets(alpha, beta)[0]), "buckets of hashes, and zero"


def _deterministic_lower(
    concepts: ConceptClass[Any],
    alpha: Fraction,
    depth: int,
    curve: Sequence[LeastError],
    listing: Listing | None,
) -> Iterator[tuple[Fraction, str]]:
    bits = communication(concepts, alpha, depth=depth, curve=curve)
    yield bits.lower * log_lower(Fraction(2)), f"a protocol of error {alpha}: {bits.why_lower}"
    if depth <= HUGE:
        yield _log(tree_bound(depth, alpha=alpha, beta=Fraction(0))), "a random path of a tree"
    points = _told_apart(concepts, listing)
    yield _log(separation_bound(points, alpha=alpha)), "its points must be told apart"
    known = listing.table.n if listing else counted(concepts)
    shattered = max(1, concepts.vc.lower)
    size, most = (known, concepts.domain_size) if known else (1 << shattered, shattered)
    if size.bit_length() <= HUGE:
        count = counting_bound(size, points if listing else most, alpha=alpha)
        yield _log(count), "so many concepts must be half-spaces of the hypotheses' values"


def _deterministic_upper(
    concepts: ConceptClass[Any], alpha: Fraction
) -> Iterator[tuple[Fraction, str]]:
    yield _above(at_most(concepts)), "the class itself"
    if 2 * alpha >= 1:
        yield _above(2), "the two constants"
    match concepts.problem:
        case Equality(size) if alpha:
            code = ReedSolomon.least((size - 1).bit_length(), alpha)
            yield _above(code.size), "a Reed-Solomon code"


def _told_apart(concepts: ConceptClass[Any], listing: Listing | None) -> int:
    """Return a number of points that the class tells apart; all of them, if it is listed."""
    if concepts.tells_points_apart:
        return concepts.domain_size
    return listing.table.dual.n if listing else max(1, concepts.vc.lower)


def _log(count: int) -> Fraction:
    return log_lower(Fraction(count)) if count > 1 else Fraction(0)


def _above(count: int) -> Fraction:
    return log_upper(Fraction(count)) if count > 1 else Fraction(0)
