"""All dimensions of a class at once, each with what shows it, in the time that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import Bracket, Concept, ConceptClass
from tacit.concepts.contract.named_problem import Equality
from tacit.concepts.contract.specification import as_class
from tacit.core import Exact, InvalidArgument, TooLarge, check
from tacit.kernels.deadline import Deadline
from tacit.theory.communication.augmented_index import index_error
from tacit.theory.communication.bits import (
    LeastError,
    MessageBits,
    communication,
    equality_value,
    monotone,
)
from tacit.theory.communication.public_coin import public_coin_value
from tacit.theory.dimensions.further_dimensions import Shown, further_dimensions
from tacit.theory.dimensions.littlestone import littlestone
from tacit.theory.dimensions.vc import vc
from tacit.theory.representations.sizes import (
    Size,
    deterministic_size,
    probabilistic_size,
    rows_of,
    sizes_using,
)
from tacit.theory.solving.class_table import Listing, listed, restrictions
from tacit.theory.solving.symmetry import symmetries_of

ERRORS = tuple(Fraction(e) for e in ("7/16", "1/3", "1/4", "1/8", "1/16", "1/100"))
QUARTER = Fraction(1, 4)  # the accuracy and confidence that the papers take for their examples
ANY, SYMMETRIC = 12, 16
"""How many concepts have exact least errors, without and with known symmetries."""

USED = 0.9
"""Searches plan for a little less than the time that there is."""

SHARE = 0.15
"""The part of what is left that least errors with one number of messages may take."""

SHOWN = 12
"""Deeper mistake trees are not written out."""

Told = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A mistake tree in heap order: the children of node j are 2 j + 1 (no) and 2 j + 2 (yes)."""

    points: tuple[Any, ...]
    concepts: tuple[Concept, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Using:
    """Representations by given hypotheses, fixed and drawn, or why they are not known."""

    hypotheses: ConceptClass[Any]
    deterministic: Size | None
    probabilistic: Size | None
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class Dimensions:
    """What is known of a class; a witness is None where `without` says why there is none."""

    concepts: ConceptClass[Any]
    vc: Bracket
    shattered: tuple[Any, ...] | None
    littlestone: Bracket
    tree: Tree | None
    without: dict[str, str]
    curve: tuple[LeastError, ...]
    communication: tuple[MessageBits, ...]
    deterministic: Size
    probabilistic: Size
    further: tuple[Shown, ...]
    alpha: Fraction
    beta: Fraction
    using: Using | None


def dimensions(
    concepts: ConceptClass[Any] | str,
    *,
    alpha: Exact = QUARTER,
    beta: Exact = QUARTER,
    errors: Sequence[Exact] = ERRORS,
    among: ConceptClass[Any] | str | None = None,
    time_limit: float = 60.0,
    tell: Told = lambda _: None,
) -> Dimensions:
    """Compute the dimensions of a class: exactly where it is small, else what its family tells.

    Representations are within alpha but for beta, protocols err at most so often; hypotheses
    `among` a class over the same points represent it as well, if they are given.

    Cost:
        Searches stop in time and leave what is certain; `tell` hears what is being done.

    >>> found = dimensions("thresholds(bits=2)")
    >>> found.vc.lower, found.shattered, found.littlestone.lower, found.tree.points
    (1, (0,), 2, (1, 2, 0))
    >>> [float(bits.lower) for bits in found.communication]
    [1.0, 1.0, 1.0, 1.58..., 2.0, 2.0]
    """
    concepts = as_class(concepts)
    alpha, beta = check.small_probability(alpha=alpha), check.small_probability(beta=beta)
    asked = [check.small_probability(error=error) for error in errors]
    hypotheses = None if among is None else _over_the_same(as_class(among), concepts)
    _loaded()
    clock = Deadline(USED * float(check.positive(time_limit=time_limit)))
    tell("listing the class")
    listing = listed(concepts, time_limit=clock.part(0.2))
    narrow = [] if listing else list(restrictions(concepts, time_limit=clock.part(0.4)))
    tell("Littlestone dimension: searching mistake trees")
    depth, tree = _littlestone(concepts, listing, narrow, clock.part(0.4))
    tell("VC dimension: searching shattered sets")
    shattered_size, shattered = _vc(concepts, listing, narrow, depth.upper, clock.part(0.4))
    unsolved = _unsolved(concepts, listing)
    further = further_dimensions(
        concepts,
        listing,
        shattered=shattered_size,
        depth=depth,
        seconds=lambda share: clock.part(4 * share if unsolved else share),
        tell=tell,
    )
    curve = () if unsolved else _curve(concepts, listing, depth.lower, clock, tell)
    bits = tuple(communication(concepts, e, depth=depth.lower, curve=curve) for e in asked)
    tell("representations")
    known: dict[str, Any] = {"depth": depth.lower, "curve": curve, "listing": listing}
    probabilistic = probabilistic_size(
        concepts, alpha, beta, **known, seconds=clock.part(0.4 if among is None else 0.2)
    )
    deterministic = deterministic_size(
        concepts, alpha, **known, seconds=clock.part(0.9 if among is None else 0.4)
    )
    using = None
    if hypotheses is not None:
        tell("representations by the given hypotheses")
        using = _using(hypotheses, listing, alpha, beta, clock.part(0.9))
    without = {"least_errors": unsolved} if unsolved else {}
    if shattered is None:
        without["vc"] = f"too large to list; {shattered_size.why}"
    if tree is None:
        leaves = f"a tree of depth {depth.lower} has 2^{depth.lower} leaves"
        without["littlestone"] = f"{leaves}; {depth.why}" if depth.lower > SHOWN else depth.why
    return Dimensions(
        concepts,
        shattered_size,
        shattered,
        depth,
        tree,
        without,
        curve,
        bits,
        deterministic,
        probabilistic,
        further,
        alpha,
        beta,
        using,
    )


def _over_the_same(hypotheses: ConceptClass[Any], concepts: ConceptClass[Any]) -> ConceptClass[Any]:
    if hypotheses.domain_size != concepts.domain_size or hypotheses.features != concepts.features:
        raise InvalidArgument(
            f"{hypotheses} has other points than {concepts}; give one over the same"
        )
    return hypotheses


def _using(
    hypotheses: ConceptClass[Any],
    listing: Listing | None,
    alpha: Fraction,
    beta: Fraction,
    seconds: float,
) -> Using:
    given = listed(hypotheses, time_limit=seconds)
    if listing is None or given is None:
        return Using(hypotheses, None, None, "too large to list")
    try:
        sizes = sizes_using(rows_of(listing), rows_of(given), alpha, beta, seconds=seconds)
    except (InvalidArgument, TooLarge) as limit:
        return Using(hypotheses, None, None, str(limit))
    return Using(hypotheses, *sizes, "")


@lru_cache(maxsize=1)
def _loaded() -> None:
    """Search a small class first: to compile the loops anew may take longer than a search may."""
    few = np.eye(3, dtype=np.bool_)
    littlestone(few)
    vc(few)


def _littlestone(
    concepts: ConceptClass[Any], listing: Listing | None, narrow: list[Listing], seconds: float
) -> tuple[Bracket, Tree | None]:
    known = concepts.littlestone
    for each in [listing] if listing else narrow:
        found = littlestone(each.table, time_limit=seconds)
        if each.whole:
            known = known.met(found)
        if found.lower == known.lower <= SHOWN:
            points = tuple(_plain(each.points[found.tree.points]))
            return known, Tree(points, tuple(each.concepts[c] for c in found.tree.concepts))
    return known, None


def _vc(
    concepts: ConceptClass[Any],
    listing: Listing | None,
    narrow: list[Listing],
    most: int,
    seconds: float,
) -> tuple[Bracket, tuple[Any, ...] | None]:
    known = concepts.vc
    if listing is None and (largest := concepts.shattered()) is not None:
        return known, tuple(_plain(largest))
    if known.upper > most:
        known = Bracket(known.lower, most, "at most the Littlestone dimension")
    for each in [listing] if listing else narrow:
        found = vc(each.table, time_limit=seconds)
        if each.whole:
            known = known.met(found)
        if found.lower == known.lower:
            return known, tuple(_plain(each.points[list(found.points)]))
    return known, None


def _unsolved(concepts: ConceptClass[Any], listing: Listing | None) -> str:
    """Say why least errors of protocols are not computed, or nothing."""
    known = f"least errors are computed for {ANY} concepts, or {SYMMETRIC} with known symmetries"
    if isinstance(concepts.problem, Equality):
        return ""
    if listing is None:
        return f"too large to list; {known}"
    most = SYMMETRIC if symmetries_of(concepts) else ANY
    return "" if listing.table.n <= most else f"{listing.table.n} concepts; {known}"


def _curve(
    concepts: ConceptClass[Any], listing: Listing | None, depth: int, clock: Deadline, tell: Told
) -> tuple[LeastError, ...]:
    """Return least errors with 1, 2, ... messages; when time is up, what is known of the others."""
    match concepts.problem:
        case Equality(size):
            values = [equality_value(size, s) for s in range(1, min(size, 16) + 1)]
            return tuple(LeastError(s, v, v) for s, v in enumerate(values, 1))
    if listing is None:
        return ()
    symmetries = symmetries_of(concepts)
    found: list[LeastError] = []
    late = 0.0
    for messages in range(1, concepts.size):
        proved = index_error(depth, messages)
        if clock.left < 1.5 * late + 0.1:
            found.append(LeastError(messages, proved, Fraction(1, 2)))
            continue
        tell(f"public-coin protocols with {messages} of {concepts.size} messages")
        seconds, before = clock.part(max(0.8 / (concepts.size - messages), SHARE)), clock.left
        value = public_coin_value(
            listing.table, messages, symmetries=symmetries, time_limit=seconds
        )
        found.append(LeastError(messages, max(proved, value.lower), value.upper))
        late = max(late, before - clock.left - seconds)
        if value.upper == 0:
            break
    return monotone((*found, LeastError(concepts.size, Fraction(0), Fraction(0))), concepts.size)


def _plain(points: Any) -> Sequence[Any]:
    """Return points as Python integers, or lists of them."""
    return list(np.asarray(points).tolist())
