"""Proof by enumeration: every pair of neighbouring databases of a tiny universe, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.core.balls import exp_lower, exp_upper, log_lower
from tacit.core.composition.concentrated import delta_of_rho
from tacit.core.cost import Approximate, BoundedRange, Pure, ZeroConcentrated
from tacit.core.divergence import Bounds, hockey_stick, max_ratio, ratio_range
from tacit.core.law import Law
from tacit.evaluation.databases import databases, neighbours
from tacit.evaluation.finding import Claim, Finding, Kind, Verdict

Pair = tuple[Law[Any], Law[Any]]


@dataclass(frozen=True, slots=True)
class Case:
    """One claim about one target on one universe of records.

    `law(database)` is the exact law of everything that the target lets out, exceptions included.
    `symmetric` says that the order of the records cannot matter; `tight` that theory has the claim
    attained here, so that an audit that finds less than 99.9 % of it is itself in error.
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


def verify(case: Case) -> Finding:
    """Compute the privacy loss over all ordered pairs of neighbours and compare it with the claim.

    Exactness:
        Laws are rational; e^epsilon enters as a rational bound on the side that makes the verdict
        safe. "verified" and "refuted" are proofs; "not refuted" is said only when the slack of
        truncated laws leaves the question open.
    """
    pairs = list(_pairs(case))
    match case.claim:
        case Pure(epsilon):
            return _ratio_finding(case, pairs, _largest(max_ratio(p, q) for p, q in pairs), epsilon)
        case BoundedRange(epsilon):
            return _ratio_finding(
                case, pairs, _largest(ratio_range(p, q) for p, q in pairs), epsilon
            )
        case Approximate(epsilon, delta):
            return _delta_finding(case, pairs, epsilon, delta)
        case ZeroConcentrated(rho):
            findings = [
                _delta_finding(case, pairs, rho * factor, delta_of_rho(rho, rho * factor))
                for factor in _MULTIPLES_OF_RHO
            ]
            return max(findings, key=lambda finding: finding.gravity)


_MULTIPLES_OF_RHO = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4), Fraction(8))


def _pairs(case: Case) -> Iterator[Pair]:
    laws = {
        database: case.law(database)
        for database in databases(case.universe, case.n, symmetric=case.symmetric)
    }
    for database, law in laws.items():
        for other in neighbours(database, case.universe, symmetric=case.symmetric):
            yield law, laws[other]


def _ratio_finding(case: Case, pairs: list[Pair], ratio: Bounds, epsilon: Fraction) -> Finding:
    if ratio.upper is None:
        return _delta_finding(case, pairs, epsilon, Fraction(0))
    found = float(log_lower(ratio.upper))
    share = found / float(epsilon)
    verdict = _compare(ratio, exp_lower(epsilon), exp_upper(epsilon))
    return Finding(case, case.claim, "exact", found, 0.0, share, len(pairs), verdict)


def _delta_finding(case: Case, pairs: list[Pair], epsilon: Fraction, delta: Fraction) -> Finding:
    above = _largest(hockey_stick(p, q, exp_lower(epsilon)) for p, q in pairs)
    below = _largest(hockey_stick(p, q, exp_upper(epsilon)) for p, q in pairs)
    found = Bounds(below.lower, above.upper)
    upper = found.upper if found.upper is not None else Fraction(1)
    share = float(upper / delta) if delta else float("inf" if upper else 0)
    verdict = _compare(found, delta, delta)
    return Finding(
        case, case.claim, "exact", float(epsilon), float(upper), share, len(pairs), verdict
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
