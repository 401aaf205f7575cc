"""Everything that claims to be private, with the cases that prove it, and the broken twins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from tacit.core import Approximate, InvalidArgument, Privacy, Pure, Random
from tacit.core.errors import nearest
from tacit.core.numbers.shown import sheet
from tacit.verify.enumeration import Case, verify
from tacit.verify.finding import Finding, Kind, Verdict, budget, words
from tacit.verify.places import PLACES, Places
from tacit.verify.sampling import Probe, Sounding, sound

if TYPE_CHECKING:
    from tacit.verify.black_box import BlackBox

Claimed: TypeAlias = "Case | BlackBox"
"""What is audited: by enumeration, or only by runs."""
RUNS = 200
FAILURE = 1e-9
"""The chance that a sampler that follows its law is found apart from it, all probes together."""
MOST_PROBES = 500
"""No more probes than this are made: the failure of one is known without counting all others."""
NO_PLACES: Places = {}


@dataclass(frozen=True, slots=True)
class Report:
    """All findings about one target; `worst` is the one that speaks for it."""

    target: str
    kind: Kind
    findings: tuple[Finding, ...]
    soundings: tuple[Sounding, ...] = ()

    def _repr_html_(self) -> str:
        """What a notebook shows: every finding."""
        rows = [(words(f.claim), f.loss, f.pairs, f.verdict) for f in self.findings]
        facts = {"kind": self.kind, "draws from samplers": self.draws}
        head = ("claimed", "found", "pairs", "verdict")
        return sheet(f"{self.target}: {self.worst.verdict}", facts, head, rows)

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


def entries(target: str, *, more: Places = NO_PLACES) -> tuple[Claimed, ...]:
    """Return the cases of one target, from the places that hold them."""
    found = (case for place in _places(target, more) for case in held(place)[0])
    return tuple(case for case in found if case.target == target)


def about(target: str, *, more: Places = NO_PLACES) -> str:
    """Say in a line what a target is audited for, or what is wrong with a twin.

    >>> about("budget-counted-once")
    'Choose for a label and for its negation with the whole budget each, and count it once.'
    """
    module, _, name = _places(target, more)[0].partition(":")
    found: Any = import_module(module)
    found = getattr(found, name) if name else found
    said = found.setting.rpartition(" n=")[0] if isinstance(found, Case) else found.__doc__
    return str(said).partition("\n")[0]


def targets(more: Places = NO_PLACES) -> dict[str, tuple[Claimed, ...]]:
    """Return the registered targets in order, and more, each with its cases."""
    return {target: entries(target, more=more) for target in (*PLACES, *more)}


def probes(target: str, *, more: Places = NO_PLACES) -> tuple[Probe, ...]:
    """Return the probes of one target: at the sizes that are enumerated, and far beyond them."""
    beyond = (probe for place in _places(target, more) for probe in held(place)[1])
    return (
        *_enumerated(entries(target, more=more)),
        *(probe for probe in beyond if probe.case.target == target),
    )


def inspect(
    target: str, *, claim: Privacy | None = None, rng: Random, more: Places = NO_PLACES
) -> Report:
    """Audit one target: by enumeration where it has a finite law, by sampling where it has not.

    The sampler of each target is drawn from as well, at the enumerated sizes and far beyond.

    With `claim`, that (epsilon, delta) is tested in place of the target's own promise. A target
    that needs an extra which is not installed raises `MissingExtra`.
    """
    cases = entries(target, more=more)
    findings = tuple(_run(_claiming(entry, claim), rng) for entry in cases)
    each = FAILURE / MOST_PROBES
    sounded = tuple(sound(p, failure=each, rng=rng) for p in probes(target, more=more))
    return Report(target, cases[0].kind, findings, sounded)


@cache
def held(place: str) -> tuple[tuple[Claimed, ...], tuple[Probe, ...]]:
    """Return the cases and the probes that a module lists, or what stands there by a name.

    That is a case, or a function that makes cases; they are called as it is, with hyphens.
    """
    module, _, name = place.partition(":")
    found: Any = import_module(module)
    if not name:
        return found.CASES, ()
    found, target = getattr(found, name), name.replace("_", "-")
    cases, beyond = found() if callable(found) else ((found,), ())
    return (
        tuple(replace(case, target=target) for case in cases),
        tuple(replace(probe, case=replace(probe.case, target=target)) for probe in beyond),
    )


def _places(target: str, more: Places) -> tuple[str, ...]:
    """Return where a target's cases stand."""
    places = PLACES.get(target) or more.get(target)
    if places is None:
        hint = nearest(target, {*PLACES, *more}) or "see: tacit audit --list"
        raise InvalidArgument(f"target {target!r} is not registered; {hint}")
    return places


def _enumerated(cases: tuple[Claimed, ...]) -> tuple[Probe, ...]:
    """Return probes of the cases of least and of largest budget that can be drawn from."""
    drawn = [
        case
        for case in cases
        if isinstance(case, Case) and case.kind != "broken" and case.route is not None
    ]
    drawn.sort(key=lambda case: budget(case.claim))
    few = dict.fromkeys(drawn[:1] + drawn[-1:])
    return tuple(Probe(case, RUNS, neighbours=0) for case in few)


def _run(entry: Claimed, rng: Random) -> Finding:
    if isinstance(entry, Case):
        return verify(entry)
    # loaded for the few targets that have no finite law
    found: Finding = import_module("tacit.verify.black_box").audit(entry, rng=rng)
    return found


def _claiming(entry: Claimed, claim: Privacy | None) -> Claimed:
    if claim is None:
        return entry
    leaf = Approximate(claim.epsilon, claim.delta) if claim.delta else Pure(claim.epsilon)
    return (
        replace(entry, claim=leaf, tight=False)
        if isinstance(entry, Case)
        else replace(entry, claim=leaf)
    )
