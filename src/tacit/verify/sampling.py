"""Samplers beside their laws, and claims at sizes that no enumeration reaches.

Enumeration proves a law private over all neighbours of a tiny universe. A probe takes one database
of any size, budget and number of labels: it compares the exact laws of that database and a few of
its neighbours, which can refute the claim but not prove it, and draws from the sampler, which must
follow the law.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import Any

from tacit.core import InvalidArgument, Law, Random
from tacit.core.cost import Added
from tacit.probability.clopper_pearson import at_least, at_most
from tacit.verify.canonical_bytes import canonical_bytes
from tacit.verify.enumeration import Case, both_ways, judge, neighbours, related, seen, shorter
from tacit.verify.finding import Finding, Verdict, budget
from tacit.verify.route import Route

LIKELIEST, CUTS, COINS = 32, 32, 16
ROUNDING = 1e-12
"""Far above the rounding of a sum of floats, far below what any number of runs can tell."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A case on one database only: nearly as many of each record, unless told otherwise."""

    case: Case
    runs: int = 600
    database: tuple[Any, ...] | None = None
    neighbours: int = 1

    @property
    def balanced(self) -> tuple[Any, ...]:
        """The database around which neighbours are compared: here one row can turn the balance."""
        if self.database is not None:
            return self.database
        universe = self.case.universe
        return tuple(universe[i % len(universe)] for i in range(self.case.n))

    @property
    def records(self) -> tuple[Any, ...]:
        """The database that is drawn from, of the size of the case.

        The first record comes about 2 / epsilon times more often than the others, no more often
        beyond epsilon = 2: so the law is far from certain, and where budgets are small far from
        what it is at another epsilon.
        """
        if self.database is not None:
            return self.database
        universe, n, spent = self.case.universe, self.case.n, budget(self.case.claim)
        more = min(n // 3, math.floor(2 / spent)) if spent else 0
        return tuple(universe[max(i - more, 0) % len(universe)] for i in range(n))


@dataclass(frozen=True, slots=True)
class Sounding:
    """What a probe found: the loss between a few neighbours, and how far the sampler is off.

    `apart` is a distance (total variation) by which the sampler is apart from its law, but for a
    chance of at most `failure`; 0 if it may follow it.
    """

    probe: Probe
    finding: Finding | None
    apart: float
    failure: float

    @property
    def verdict(self) -> Verdict:
        """No number of runs or of pairs proves a claim: "refuted" or "not refuted"."""
        lost = self.finding is not None and self.finding.verdict == "refuted"
        return "refuted" if lost or self.apart else "not refuted"


def sound(probe: Probe, *, failure: float, rng: Random) -> Sounding:
    """Compare the laws of a few neighbours exactly, and the sampler with its law.

    Guarantee:
        If the sampler follows its law, it is found apart with probability at most `failure`. If the
        claim is true, no pair of neighbours refutes it: that part is exact.
    """
    case, database = probe.case, probe.records
    route = case.route
    if route is None:
        raise InvalidArgument(f"{case.target}: a probe needs a route, with a sampler; give one")
    law = seen(route(database))
    finding = _few_pairs(probe, route, law) if probe.neighbours else None
    draw = route.sampler(database)
    drawn = Counter(canonical_bytes(draw(rng)) for _ in range(probe.runs))
    return Sounding(probe, finding, apart(law, drawn, failure=failure), failure)


def _few_pairs(probe: Probe, route: Route, law: Law[bytes]) -> Finding:
    case, centre = probe.case, probe.balanced
    if isinstance(case.claim, Added):
        near = shorter(centre, symmetric=case.symmetric)
    else:
        alike = related(case.claim)
        near = neighbours(centre, case.universe, symmetric=case.symmetric, related=alike)
    here = law if centre == probe.records else seen(route(centre))
    laws = [(here, seen(route(other))) for other in islice(near, probe.neighbours)]
    found = judge(case, both_ways(laws))
    return replace(found, verdict="not refuted") if found.verdict == "verified" else found


def apart(law: Law[bytes], drawn: Counter[bytes], *, failure: float) -> float:
    """Return by how much the draws show the sampler to differ from its law; 0 if they may agree.

    The likeliest outcomes one by one, the outcomes up to a place in the law's list, halves of them
    by a hash, and what the law says cannot occur: events that are chosen before anything is drawn.
    How often each happens is binomial, so that its Clopper-Pearson interval at level
    failure / (2 number of events) holds the law's probability; a union bound adds the failures up.

    >>> from fractions import Fraction
    >>> fair = Law({b"heads": Fraction(1, 2), b"tails": Fraction(1, 2)})
    >>> apart(fair, Counter({b"heads": 510, b"tails": 490}), failure=1e-9)
    0.0
    >>> round(apart(fair, Counter({b"heads": 1000}), failure=1e-9), 2)
    0.48
    """
    chances = {outcome: float(p) for outcome, p in law.probabilities.items() if p}
    events = list(_events(chances))
    level = failure / (2 * (len(events) + 1))
    runs, slack = drawn.total(), float(law.slack)
    unlisted = sum(number for outcome, number in drawn.items() if outcome not in chances)
    gaps = [at_least(unlisted, runs, level) - slack]
    for event in events:
        number = sum(drawn[outcome] for outcome in event)
        chance = math.fsum(chances[outcome] for outcome in event)
        low = chance * (1 - ROUNDING) - slack
        high = chance * (1 + ROUNDING) + slack
        gaps += [at_least(number, runs, level) - high, low - at_most(number, runs, level)]
    return max(0.0, *gaps)


def _events(chances: dict[bytes, float]) -> Iterator[frozenset[bytes]]:
    """List sets of outcomes, in an order and number that depend on the law only."""
    likeliest = sorted(chances, key=lambda outcome: -chances[outcome])
    yield from (frozenset((outcome,)) for outcome in likeliest[:LIKELIEST])
    listed = list(chances)
    sums = list(accumulate(chances.values()))
    cuts = {sum(s < (i + 1) / CUTS for s in sums) for i in range(CUTS)}
    yield from (frozenset(listed[:cut]) for cut in sorted(cuts) if cut)
    hashes = {outcome: hashlib.sha256(outcome).digest() for outcome in listed}
    for coin in range(COINS):
        yield frozenset(o for o in listed if hashes[o][coin // 8] >> coin % 8 & 1)
