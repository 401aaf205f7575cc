"""`tacit ledger requests` and `approve`: who lets a release be made, by their signatures."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from tacit.data.ledger import Ledger
from tacit.data.ledger.approval import approving, used
from tacit.interfaces.cli.options.release import Json, LedgerFile
from tacit.interfaces.output.boxed import boxed
from tacit.interfaces.output.files import read_as
from tacit.workflows.releasing.pack import public_text, read_key

GOOD_FOR = 30
"""Days for which an approval is good where nobody says until when."""


def requests(file: LedgerFile, *, as_json: Json = False) -> None:
    """Show what analysts asked for under a policy that needs approvals, and who approved it.

    A key counts if the policy names it. A request is for one release, and used once.

    Example:

      tacit ledger requests budget.db
    """
    ledger = Ledger(file)
    events, names = ledger.events(), {each.digest: each.name for each in ledger.datasets()}
    found, gone = [], used(events)
    for event in events:
        if event.body["kind"] == "request":
            told = {key: event.body[key] for key in ("analyst", "epsilon", "delta", "asked")}
            keys = sorted({*approving(events, event, event.body["time"][:10])})
            told |= {"request": event.number, "dataset": names[event.body["dataset"]]}
            found.append(told | {"approved_by": keys, "used": event.number in gone})
    if as_json:
        typer.echo(json.dumps({"requests": found}))
        return
    for told in found:
        state = (
            "used" if told["used"] else f"approved by {', '.join(told['approved_by']) or 'nobody'}"
        )
        said = f"{told['request']}: {_asked(told)} of {told['dataset']}; {state}"
        typer.echo(boxed(said, kept=""))


def approve(
    file: LedgerFile,
    request: Annotated[int, typer.Argument(help="Its number; see: tacit ledger requests.")],
    *,
    sign: Annotated[Path, typer.Option(help="Your private key; see: tacit key new.")],
    until: Annotated[str, typer.Option(help="The last day it is good for; else 30 days.")] = "",
    as_json: Json = False,
) -> None:
    """Approve one request, for one release, with your signature.

    The signature is about this request of this ledger and no other. It counts if the policy names
    your public key, once however often you sign. Read the request first: tacit ledger requests.

    Example:

      tacit ledger approve budget.db 5 --sign ada.key --until 2026-12-31
    """
    key = read_as(sign, read_key, option="--sign")
    last = until or str(datetime.now(UTC).date() + timedelta(days=GOOD_FOR))
    public = public_text(key).split()[-1]
    told = Ledger(file).approve(request, last, public, key.sign)
    said = {"request": request, "until": last, "key": public, "asked": told["asked"]}
    words = f"Request {request} is approved by {public} until {last}: {_asked(told)}"
    typer.echo(json.dumps(said) if as_json else boxed(words, kept=""))


def _asked(told: dict[str, Any]) -> str:
    """Say a request in a line."""
    asked = ", ".join(f"{key} {value}" for key, value in told["asked"].items() if value)
    who = f" by {told['analyst']}" if told["analyst"] else ""
    return f"{asked}; ε = {told['epsilon']}, δ = {told['delta']}{who}"
