"""`tacit audit`: prove a privacy claim by enumeration, or refute it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from tacit.core import check
from tacit.core.budget import read_share
from tacit.core.chance.randomness import System
from tacit.core.cost import Added, Approximate, ZeroConcentrated
from tacit.core.errors import InvalidArgument, MissingExtra
from tacit.core.privacy import Privacy
from tacit.core.unit import Neighbours
from tacit.interfaces.cli import checks
from tacit.interfaces.output.progress import patiently
from tacit.verify.finding import NOTIONS, Claim, Finding, leaf, words
from tacit.verify.places import PLACES
from tacit.verify.registry import FAILURE, Report, about, as_expected, entries, inspect

FITS = {
    f"table-fit-{container}": ("tacit.interfaces.estimators.fit_audits",)
    for container in ("pandas", "polars", "pyarrow", "numpy", "lists")
}
"""The estimators' `fit`, which stands above the registry; imported only where it is audited."""
SMALLEST, LARGEST = Fraction(1, 10**9), 10**4


def audit(
    target: Annotated[str | None, typer.Argument(help="What to audit; see --list.")] = None,
    *,
    epsilon: Annotated[
        str | None, typer.Option(help="Test this epsilon in place of the target's own claim.")
    ] = None,
    delta: Annotated[
        str | None, typer.Option(help="The delta that goes with --epsilon; 0 if left out.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Audit every target.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the targets.")] = False,
    once: Annotated[
        bool,
        typer.Option(
            "--one-run", help="Train TARGET once, with canaries: a learner, or module:factory."
        ),
    ] = False,
    canaries: Annotated[int, typer.Option(help="How many canaries --one-run uses.")] = 1000,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Prove a privacy claim exactly, or refute it.

    Targets with a finite law are checked over all pairs of neighbouring databases of small
    universes, in rational arithmetic: the verdict is "verified" or "refuted", and is a proof.
    Samplers are drawn from too, also far beyond those sizes: one that does not follow its law is
    "refuted" (all audits together are wrong there with probability at most 1e-9). Targets without
    a law are run many times: the verdict is "refuted" (wrong with probability at most 1e-9) or
    "not refuted". Targets of kind "broken" are wrong on purpose and must be refuted.

    Examples:

      tacit audit --list                        what can be audited

      tacit audit exponential                   prove its claim over all neighbouring databases

      tacit audit table-csv                     the same from the file on: learn, quantile, ...

      tacit audit exponential --epsilon 0.05    test another claim

      tacit audit --all --json                  everything, for a program to read

      tacit audit --one-run sklearn.tree:DecisionTreeClassifier --epsilon 1    anything that fits
    """
    if once:
        if target is None or epsilon is None or everything or listing:
            raise InvalidArgument("--one-run needs one TARGET and the --epsilon that it claims")
        tested = Privacy(epsilon, delta or 0)
        checks.audit_in_one_run(target, tested, canaries=canaries, as_json=as_json)
        return
    _check_request(target, epsilon, delta, everything=everything, listing=listing)
    if delta is not None and check.small_probability(delta=delta):
        read_share(delta=delta)
    if listing:
        _list(as_json=as_json)
        return
    claim = None if epsilon is None else Privacy(epsilon, delta or 0)
    if target is not None:
        with patiently() as tell:
            tell(f"auditing {target}")
            reports = [inspect(target, claim=claim, rng=System(), more=FITS)]
        _show(reports, reports[0], {}, as_json=as_json)
    else:
        left: dict[str, str] = {}
        reports = list(_all(left, progress=not as_json))
        _show(reports, None, left, as_json=as_json)
    if claim is None and any(r.kind != "broken" and r.worst.verdict == "refuted" for r in reports):
        raise typer.Exit(1)


def _check_request(
    target: str | None, epsilon: str | None, delta: str | None, *, everything: bool, listing: bool
) -> None:
    if sum((target is not None, everything, listing)) != 1:
        raise InvalidArgument("give one TARGET, or --all, or --list; try: tacit audit --list")
    if epsilon is not None and target is None:
        raise InvalidArgument("--epsilon tests a claim about one TARGET; name it")
    if epsilon is None and delta is not None:
        raise InvalidArgument("--delta goes with --epsilon; give both, or neither")
    read = Fraction(0) if epsilon is None else check.nonnegative(epsilon=epsilon)
    if read and not SMALLEST <= read <= LARGEST:
        raise InvalidArgument(
            f"--epsilon must be 0, or lie between {float(SMALLEST)} and {LARGEST}, got {epsilon}"
        )


def _all(left: dict[str, str], *, progress: bool) -> Iterator[Report]:
    """Audit all targets; those that lack an extra are left, with the way to get it."""
    console = Console(stderr=True)
    names = [*PLACES, *FITS]
    shown = track(names, "Auditing", console=console, transient=True, disable=not progress)
    for name in shown:
        try:
            yield inspect(name, rng=System(), more=FITS)
        except MissingExtra as missing:
            left[name] = str(missing)


def _list(*, as_json: bool) -> None:
    rows, left = [], {}
    for name in (*PLACES, *FITS):
        try:
            cases = entries(name, more=FITS)
            rows.append((name, cases[0].kind, len(cases), about(name, more=FITS)))
        except MissingExtra as missing:
            left[name] = str(missing)
    if as_json:
        keys = ("target", "kind", "cases", "about")
        listed = [dict(zip(keys, row, strict=True)) for row in rows]
        typer.echo(json.dumps({"targets": listed, "not_listed": left}))
        return
    table = Table("target", "kind", "cases", "about", box=None)
    for name, kind, many, said in rows:
        table.add_row(name, kind, str(many), escape(said))
    console = Console()
    console.print(table)
    for name, why in left.items():
        console.print(f"{name} is left out: {why}", markup=False, soft_wrap=True)


def _show(
    reports: list[Report], single: Report | None, left: dict[str, str], *, as_json: bool
) -> None:
    if as_json:
        skipped = [{"target": name, "why": why} for name, why in left.items()]
        every = {"targets": [_summary(r) for r in reports], "not_run": skipped}
        typer.echo(json.dumps(_summary(single) if single else every))
        return
    console = Console()
    for title, chosen in (
        ("Claims of privacy", [r for r in reports if r.kind != "broken"]),
        ("Broken twins, which must be refuted", [r for r in reports if r.kind == "broken"]),
    ):
        if chosen:
            console.print(_table(title, chosen, every=single is not None))
    for name, why in left.items():
        console.print(f"{name} was not run: {why}", markup=False, soft_wrap=True)
    console.print(_drawn(reports))
    if not single:
        console.print(_conclusion(reports))


def _table(title: str, reports: list[Report], *, every: bool) -> Table:
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("target", no_wrap=True)
    for heading in ("claimed", "found", "pairs", "verdict"):
        table.add_column(heading, justify="right" if heading == "pairs" else "left")
    for report in reports:
        for finding in report.findings if every else (report.worst,):
            pairs = finding.pairs if every else report.pairs
            shown = (words(finding.claim), finding.loss, str(pairs), _verdict(report, finding))
            table.add_row(report.target, *shown)
    return table


def _verdict(report: Report, finding: Finding) -> str:
    good = as_expected(report.kind, finding.verdict)
    how = "" if finding.method == "exact" else " by sampling"
    return f"[{'green' if good else 'bold red'}]{finding.verdict}{how}[/]"


def _drawn(reports: list[Report]) -> str:
    """Say what was drawn; broken twins are drawn from as well."""
    draws = sum(report.draws for report in reports)
    apart = sum(any(s.apart for s in report.soundings) for report in reports)
    if not draws:
        return ""
    return (
        f"\n{draws} draws from samplers, up to "
        f"{max(s.probe.case.n for r in reports for s in r.soundings)} rows: {apart} apart from "
        f"their law (wrong with probability at most {FAILURE:g})."
    )


def _conclusion(reports: list[Report]) -> str:
    private = [r for r in reports if r.kind != "broken"]
    broken = [r for r in reports if r.kind == "broken"]
    verified = sum(r.worst.verdict == "verified" for r in private)
    caught = sum(r.worst.verdict == "refuted" for r in broken)
    pairs = sum(r.pairs for r in reports)
    return (
        f"\n{verified} of {len(private)} verified by enumeration, {caught} of {len(broken)} broken "
        f"twins caught, {pairs} pairs of neighbouring databases compared."
    )


def _claimed(claim: Claim) -> dict[str, Any]:
    if isinstance(claim, Added):
        return _claimed(leaf(claim)) | {"neighbours": str(Neighbours.ADDED)}
    notion, _ = NOTIONS[type(claim)]
    if isinstance(claim, ZeroConcentrated):
        return {"notion": notion, "rho": float(claim.rho)}
    delta = float(claim.delta) if isinstance(claim, Approximate) else 0.0
    return {"notion": notion, "epsilon": float(claim.epsilon), "delta": delta}


def _summary(report: Report) -> dict[str, Any]:
    return {
        "target": report.target,
        "kind": report.kind,
        **_outcome(report.worst),
        "pairs": report.pairs,
        "sampler": _sampler(report),
        "cases": [
            {"setting": finding.audited.setting, **_outcome(finding), "pairs": finding.pairs}
            for finding in report.findings
        ],
    }


def _sampler(report: Report) -> dict[str, Any] | None:
    if not report.soundings:
        return None
    return {
        "draws": report.draws,
        "settings": len(report.soundings),
        "rows": max(sounding.probe.case.n for sounding in report.soundings),
        "apart": max(sounding.apart for sounding in report.soundings),
        "failure": FAILURE,
        "verdict": "refuted" if report.refuted_by_probe else "not refuted",
    }


def _outcome(finding: Finding) -> dict[str, Any]:
    return {
        "claimed": _claimed(finding.claim),
        "method": finding.method,
        "found": {"epsilon": finding.epsilon, "delta": finding.delta},
        "verdict": finding.verdict,
    }
