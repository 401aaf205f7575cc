"""Everything that claims to be private, with the cases that prove it, and the broken twins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tacit.core.chance.randomness import Random
from tacit.core.cost import Approximate, Pure
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.verify import broken, cases, tables
from tacit.verify.black_box import BlackBox, audit
from tacit.verify.cases import CASES
from tacit.verify.enumeration import Case, verify
from tacit.verify.finding import Finding, Kind, Verdict, budget
from tacit.verify.sampling import Probe, Sounding, sound

Entry = Case | BlackBox
RUNS = 200

REGISTRY: tuple[Entry, ...] = (*CASES, *tables.CASES, *broken.CASES)


def _enumerated() -> Iterator[Probe]:
    """Yield, for each target, the cases of least and of largest budget that can be drawn from."""
    for target in dict.fromkeys(case.target for case in CASES):
        drawn = [case for case in CASES if case.target == target and case.route is not None]
        drawn.sort(key=lambda case: budget(case.claim))
        yield from (
            Probe(case, RUNS, neighbours=0) for case in dict.fromkeys(drawn[:1] + drawn[-1:])
        )


PROBES: tuple[Probe, ...] = (*_enumerated(), *cases.PROBES, *broken.PROBES)
"""Samplers at the sizes that are enumerated, and far beyond them."""

FAILURE = 1e-9
"""The chance that a sampler that follows its law is found apart from it, all probes together."""


@dataclass(frozen=True, slots=True)
class Report:
    """All findings about one target; `worst` is the one that speaks for it."""

    target: str
    kind: Kind
    findings: tuple[Finding, ...]
    soundings: tuple[Sounding, ...] = ()

    @property
    def worst(self) -> Finding:
        """The gravest finding: by enumeration, unless a probe refutes what that proved.

        A sampler apart from its law loses more than the law does, by an amount that is not known.
        """
        worst = max(self.findings, key=lambda finding: finding.gravity)
        lost = [s.finding for s in self.soundings if s.finding and s.finding.verdict == "refuted"]
        if worst.verdict == "refuted" or not self.refuted_by_probe:
            return worst
        return lost[0] if lost else replace(worst, method="statistical", verdict="refuted")

    @property
    def refuted_by_probe(self) -> bool:
        """Whether some probe refutes the claim or finds the sampler apart from its law."""
        return any(sounding.verdict == "refuted" for sounding in self.soundings)

    @property
    def draws(self) -> int:
        """How often samplers were drawn from."""
        return sum(sounding.probe.runs for sounding in self.soundings)

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

    The sampler of each target is drawn from as well, at the enumerated sizes and far beyond.

    With `claim`, that (epsilon, delta) is tested in place of the target's own promise. A target
    that needs an extra which is not installed raises `MissingExtra`.
    """
    known = targets(more)
    if target not in known:
        raise InvalidArgument(f"target {target!r} is not registered; see: tacit audit --list")
    entries = known[target]
    findings = tuple(_run(_claiming(entry, claim), rng) for entry in entries)
    each = FAILURE / len(PROBES)
    sounded = tuple(sound(probe, failure=each, rng=rng) for probe in probes(target))
    return Report(target, entries[0].kind, findings, sounded)


def probes(target: str) -> tuple[Probe, ...]:
    """Return the probes of one target."""
    return tuple(probe for probe in PROBES if probe.case.target == target)


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
