"""Everything that claims to be private, with the cases that prove it, and the broken twins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tacit.core.cost import Approximate, Pure
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.core.randomness import Random
from tacit.evaluation import broken, tables
from tacit.evaluation.black_box import BlackBox, audit
from tacit.evaluation.cases import CASES
from tacit.evaluation.finding import Finding, Kind, Verdict
from tacit.evaluation.verification import Case, verify

Entry = Case | BlackBox

REGISTRY: tuple[Entry, ...] = (*CASES, *tables.CASES, *broken.CASES)


@dataclass(frozen=True, slots=True)
class Report:
    """All findings about one target; `worst` is the one that speaks for it."""

    target: str
    kind: Kind
    findings: tuple[Finding, ...]

    @property
    def worst(self) -> Finding:
        """The gravest finding."""
        return max(self.findings, key=lambda finding: finding.gravity)

    @property
    def pairs(self) -> int:
        """How many ordered pairs of neighbouring databases were compared."""
        return sum(finding.pairs for finding in self.findings)


def as_expected(kind: Kind, verdict: Verdict) -> bool:
    """Whether a broken twin was refuted, or anything else was not."""
    return (verdict == "refuted") == (kind == "broken")


def targets(more: Iterable[Entry] = ()) -> dict[str, tuple[Entry, ...]]:
    """Return the registered targets in order, and more, each with its cases."""
    known: dict[str, tuple[Entry, ...]] = {}
    for entry in (*REGISTRY, *more):
        known[entry.target] = (*known.get(entry.target, ()), entry)
    return known


def inspect(
    target: str, *, claim: Privacy | None = None, rng: Random, more: Iterable[Entry] = ()
) -> Report:
    """Audit one target: by enumeration where it has a finite law, by sampling where it has not.

    With `claim`, that (epsilon, delta) is tested in place of the target's own promise. A target
    that needs an extra which is not installed raises `MissingExtra`.
    """
    known = targets(more)
    if target not in known:
        raise InvalidArgument(f"target {target!r} is not registered; see: tacit audit --list")
    entries = known[target]
    findings = tuple(_run(_claiming(entry, claim), rng) for entry in entries)
    return Report(target, entries[0].kind, findings)


def _run(entry: Entry, rng: Random) -> Finding:
    return verify(entry) if isinstance(entry, Case) else audit(entry, rng=rng)


def _claiming(entry: Entry, claim: Privacy | None) -> Entry:
    if claim is None:
        return entry
    leaf = Approximate(claim.epsilon, claim.delta) if claim.delta else Pure(claim.epsilon)
    return (
        replace(entry, claim=leaf, tight=False)
        if isinstance(entry, Case)
        else replace(entry, claim=leaf)
    )
