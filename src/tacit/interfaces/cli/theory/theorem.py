"""`tacit theorem`: every statement of the papers, and where it lives."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from tacit.theory.papers.theorems import Statement, theorems
from tacit.theory.papers.theorems import theorem as named


def theorem(
    key: Annotated[
        list[str] | None, typer.Argument(help="A statement, as BNS16:3.13 or BNS16 Thm 3.13.")
    ] = None,
    *,
    paper: Annotated[str, typer.Option(help="Only one paper's: FX14, BNS19, Vad17, BNS16.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Say what a theorem of the papers states, and where it is implemented and proved.

    Without a statement, all are listed. FX14 is Feldman and Xiao, BNS19 Beimel, Nissim and Stemmer,
    BNS16 Bun, Nissim and Stemmer, Vad17 Vadhan's survey. A line to run that does not begin with
    tacit is for a Python prompt.

    Examples:

      tacit theorem BNS16:3.13

      tacit theorem --paper FX14

      tacit theorem --json
    """
    found = (named(" ".join((paper, *key)).strip()),) if key else theorems(paper)
    if as_json:
        typer.echo(json.dumps({"theorems": [_encoded(each) for each in found]}))
    elif key:
        typer.echo("\n".join(_told(found[0])))
    else:
        typer.echo("\n".join(f"{each.cited}: {each.says} [{each.standing}]" for each in found))


def _encoded(found: Statement) -> dict[str, object]:
    """Return the fields; what there is none of is null, and names are a list in any case."""
    fields = {name: value or None for name, value in asdict(found).items()}
    return fields | {"code": list(found.code)}


def _told(found: Statement) -> list[str]:
    """Return the lines about one statement, without those that have nothing to say."""
    lines = {
        "code": "\n      ".join(found.code),
        "proof": found.proof and f"docs/proofs/{found.proof}",
        "audit": found.case and f"tacit audit {found.case}",
        "test": found.test,
        "run": found.runs,
        "limits" if found.code else "why not": found.why,
    }
    head = f"{found.cited}, {found.standing}\n{found.says}"
    return [head, *(f"{name}: {value}" for name, value in lines.items() if value)]
