"""Proof by enumeration: every pair of neighbouring databases of a tiny universe, exactly.

Of the papers: BNS19 Def 1, BNS16 Def 2.15.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple, TypeVar

from tacit.core import InvalidArgument, Law, composition
from tacit.core.chance.divergence import Bounds, hockey_stick, max_ratio, ratio_range
from tacit.core.cost import Added, Approximate, BoundedRange, Pure, ZeroConcentrated
from tacit.core.label_privacy import LabelPrivacy
from tacit.core.numbers.enclosures import exp_lower, exp_upper, log_lower
from tacit.verify.canonical_bytes import canonical_bytes
from tacit.verify.finding import Claim, Finding, Kind, Verdict, leaf
from tacit.verify.route import Route

Pair = tuple[Law[Any], Law[Any]]


class Pairs(NamedTuple):
    """How many ordered pairs of neighbours there are, and the different pairs of laws they have."""

    number: int
    laws: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One claim about one target on one universe of records.

    `law(database)` is the exact law of everything that the target lets out, exceptions included.
    Where it is a `Route`, or a `drawn` one beside a law that tells more than the output, draws can
    be compared with it. `labels` is how many labels the target learns. `symmetric` says that the
    order of the records cannot matter; `tight` that theory has the claim attained here, so that an
    audit that finds less than 99.9 % of it is itself in error.
    """

    target: str
    setting: str
    kind: Kind
    claim: Claim
    universe: tuple[Any, ...]
    n: int
    law: Callable[[tuple[Any, ...]], Law[Any]]
    symmetric: bool = True
    tight: bool = False
    labels: int = 1
    drawn: Route | None = None

    @property
    def route(self) -> Route | None:
        """The law with its sampler."""
        return self.law if isinstance(self.law, Route) else self.drawn


def verify(case: Case) -> Finding:
    """Compute the privacy loss over all ordered pairs of neighbours and compare it with the claim.

    Outcomes are compared by all that they hold (`canonical_bytes`): 1 and True are told apart. For
    a claim of `LabelPrivacy` neighbours differ in the labels of one row (point, labels) only; for
    an `Added` one databases have up to n records, and neighbours differ in one that only one has.

    Exactness:
        Laws are rational; e^epsilon enters as a rational bound on the side that makes the verdict
        safe. "verified" and "refuted" are proofs. "not refuted" is said when the slack of truncated
        laws leaves the question open, and always for `ZeroConcentrated`, which is only tested
        through the (epsilon, delta) that it implies at a few epsilons.
    """
    return judge(case, _pairs(case))


def judge(case: Case, pairs: Pairs) -> Finding:
    """Compare the privacy loss over these pairs of laws with the claim of a case."""
    if not pairs.number:
        raise InvalidArgument(f"{case.target}: no two neighbouring databases; add records")
    match leaf(case.claim):
        case Pure(epsilon) | LabelPrivacy(epsilon):
            ratios = _largest(max_ratio(p, q) for p, q in pairs.laws)
            return _ratio_finding(case, pairs, ratios, epsilon)
        case BoundedRange(epsilon):
            ratios = _largest(ratio_range(p, q) for p, q in pairs.laws)
            return _ratio_finding(case, pairs, ratios, epsilon)
        case Approximate(epsilon, delta):
            return _delta_finding(case, pairs, epsilon, delta)
        case ZeroConcentrated(rho):
            findings = [
                _delta_finding(case, pairs, epsilon, composition.delta_of_rho(rho, epsilon))
                for epsilon in (rho * factor for factor in _MULTIPLES_OF_RHO)
            ]
            worst = max(findings, key=lambda finding: finding.gravity)
            return replace(worst, verdict="not refuted") if worst.verdict == "verified" else worst


_MULTIPLES_OF_RHO = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4), Fraction(8))


def _pairs(case: Case) -> Pairs:
    """Compare all ordered pairs of neighbours; equal pairs of laws are kept once."""
    if len(set(case.universe)) < len(case.universe):
        raise InvalidArgument(f"{case.target}: the universe holds equal records")
    secret, may_replace = isinstance(case.claim, Added), related(case.claim)
    sizes = range(case.n + 1) if secret else [case.n]
    look = _looking(case)
    known: dict[Any, int] = {}
    laws: list[Law[Any]] = []
    place: dict[Any, int] = {}
    for database in (
        each for n in sizes for each in databases(case.universe, n, symmetric=case.symmetric)
    ):
        law = look(database)
        if case.symmetric and _turned(database) and look(database[::-1]) != law:
            raise InvalidArgument(f"{case.target}: the law depends on the order of the records")
        content = frozenset(law.parts.of.items()), law.parts.slack, law.parts.whole, law.complete
        place[database] = known.setdefault(content, len(laws))
        if place[database] == len(laws):
            laws.append(law)
    number = 0
    found: dict[tuple[int, int], None] = {}
    for database, i in place.items():
        near = neighbours(database, case.universe, symmetric=case.symmetric, related=may_replace)
        for other in shorter(database, symmetric=case.symmetric) if secret else near:
            number += 1
            found[i, place[other]] = None
            if secret:
                number += 1
                found[place[other], i] = None
    return Pairs(number, tuple((laws[i], laws[j]) for i, j in found))


def _looking(case: Case) -> Callable[[tuple[Any, ...]], Law[bytes]]:
    """Return the law of what is seen; of a route, once for all that a statistic may hold."""
    route, kept = case.law, dict[bytes, Law[bytes]]()
    if not isinstance(route, Route):
        return lambda database: seen(case.law(database))

    def look(database: tuple[Any, ...]) -> Law[bytes]:
        held = route.statistic(database)
        try:
            content = canonical_bytes(held)
        except InvalidArgument:  # some of it is out of sight
            return seen(route.told(held))
        if content not in kept:
            kept[content] = seen(route.told(held))
        return kept[content]

    return look


def _turned(database: tuple[Any, ...]) -> bool:
    """Whether a database is another one from its end to its beginning."""
    return any(record is not other for record, other in zip(database, database[::-1], strict=True))


def related(claim: Claim) -> Related:
    """Return which record may take another's place, for a claim of this kind."""
    return same_point if isinstance(claim, LabelPrivacy) else always


def both_ways(laws: Sequence[Pair]) -> Pairs:
    """Return these pairs of laws in both orders."""
    return Pairs(2 * len(laws), tuple(pair for p, q in laws for pair in ((p, q), (q, p))))


def seen(law: Law[Any]) -> Law[bytes]:
    """Name each outcome by all that it holds: what an onlooker can ever find out."""
    return law.map(canonical_bytes)


def _ratio_finding(case: Case, pairs: Pairs, ratio: Bounds, epsilon: Fraction) -> Finding:
    if ratio.upper is None:
        return _delta_finding(case, pairs, epsilon, Fraction(0))
    found = float(log_lower(ratio.upper))
    share = found / float(epsilon) if epsilon else math.inf if ratio.lower > 1 else 1.0
    verdict = _compare(ratio, exp_lower(epsilon), exp_upper(epsilon))
    return Finding(case, case.claim, "exact", found, 0.0, share, pairs.number, verdict)


def _delta_finding(case: Case, pairs: Pairs, epsilon: Fraction, delta: Fraction) -> Finding:
    above = _largest(hockey_stick(p, q, exp_lower(epsilon)) for p, q in pairs.laws)
    below = _largest(hockey_stick(p, q, exp_upper(epsilon)) for p, q in pairs.laws)
    found = Bounds(below.lower, above.upper)
    upper = found.upper if found.upper is not None else Fraction(1)
    share = float(upper / delta) if delta else float("inf" if upper else 0)
    verdict = _compare(found, delta, delta)
    return Finding(
        case, case.claim, "exact", float(epsilon), float(upper), share, pairs.number, verdict
    )


def _compare(found: Bounds, safe_limit: Fraction, generous_limit: Fraction) -> Verdict:
    if found.upper is not None and found.upper <= safe_limit:
        return "verified"
    return "refuted" if found.lower > generous_limit else "not refuted"


def _largest(bounds: Iterator[Bounds]) -> Bounds:
    lower, upper = Fraction(0), Fraction(0)
    infinite = False
    for bound in bounds:
        lower = max(lower, bound.lower)
        infinite = infinite or bound.upper is None
        upper = upper if bound.upper is None else max(upper, bound.upper)
    return Bounds(lower, None if infinite else upper)


R = TypeVar("R", bound=Hashable)
Database = tuple[R, ...]
Related = Callable[[Any, Any], bool]
"""Which record may take another's place."""


def always(record: object, other: object) -> bool:  # noqa: ARG001
    """Let any record take any other's place: the neighbours of full privacy."""
    return True


def same_point(row: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Let a row (point, labels) be replaced by one with other labels: label privacy."""
    return bool(row[0] == other[0])


def databases(universe: Sequence[R], n: int, *, symmetric: bool) -> Iterator[Database[R]]:
    """List the databases of n records: multisets if order cannot matter, else sequences.

    >>> [len(list(databases("ab", 3, symmetric=symmetric))) for symmetric in (True, False)]
    [4, 8]
    """
    if symmetric:
        return combinations_with_replacement(universe, n)
    return product(universe, repeat=n)


def neighbours(
    database: Database[R], universe: Sequence[R], *, symmetric: bool, related: Related = always
) -> Iterator[Database[R]]:
    """List the databases that differ from this one in exactly one record, by a related one.

    >>> list(neighbours(("a", "b"), "ab", symmetric=True))
    [('b', 'b'), ('a', 'a')]
    """
    seen: set[R] = set()
    for i, record in enumerate(database):
        if symmetric and record in seen:
            continue
        seen.add(record)
        for other in universe:
            if other != record and related(record, other):
                changed = (*database[:i], other, *database[i + 1 :])
                yield _canonical(changed, universe) if symmetric else changed


def shorter(database: Database[R], *, symmetric: bool) -> Iterator[Database[R]]:
    """List the databases that lack one record of this one: each is a neighbour where n is secret.

    >>> list(shorter(("a", "a", "b"), symmetric=True))
    [('a', 'a'), ('a', 'b')]
    """
    places = {record: i for i, record in reversed(list(enumerate(database)))}
    for i in places.values() if symmetric else range(len(database)):
        yield (*database[:i], *database[i + 1 :])


def _canonical(database: Database[R], universe: Sequence[R]) -> Database[R]:
    return tuple(sorted(database, key=universe.index))
