"""`tacit ledger`: budgets that outlive a process, shared by everyone who learns from a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tacit.core.bounded_file import opened
from tacit.core.cost import Cost
from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.numbers.shown import at_most
from tacit.data import Schema
from tacit.data.ledger import Cap, DataSet, Ledger, Spent, verify_ledger, verify_lines
from tacit.interfaces.output.files import beside, read_as, whole, writable
from tacit.interfaces.output.stopping import CHARGED
from tacit.workflows.charging import Charge

app = typer.Typer(
    help="Keep the privacy budgets of data sets: who spent what, and what is left.",
    no_args_is_help=True,
    add_completion=False,
)
File = Annotated[Path, typer.Argument(help="The ledger.")]
Json = Annotated[bool, typer.Option("--json", help="Write one JSON object.")]
LARGEST_EXPORT = 1 << 28
"""Bytes of an export that is verified: half a million releases."""


class Accounting(StrEnum):
    """How costs are added up."""

    basic = "basic"
    concentrated = "concentrated"


@app.command()
def init(file: File, *, as_json: Json = False) -> None:
    """Make a new, empty ledger.

    Only its owner may open it; let a group in with chgrp and chmod 660 (docs/files.md). Keep it on
    a local disk: the locks that keep processes apart do not hold on network drives.

    Example:

      tacit ledger init budget.db
    """
    Ledger.create(file)
    said = f"A new ledger is in {file}; next: tacit ledger grant {file} --dataset NAME ..."
    typer.echo(json.dumps({"ledger": str(file)}) if as_json else said)


@app.command()
def grant(
    file: File,
    *,
    dataset: Annotated[str, typer.Option(help="The name by which the data set is known.")],
    schema: Annotated[Path, typer.Option(help="Its schema.")],
    epsilon: Annotated[str, typer.Option(help="All releases together keep this epsilon.")],
    delta: Annotated[str, typer.Option(help="The delta that goes with it.")] = "0",
    analyst: Annotated[str, typer.Option(help="Cap this analyst, within the data set's cap.")] = "",
    accounting: Annotated[
        Accounting,
        typer.Option(
            help="basic adds up epsilons; concentrated is better for many small releases."
        ),
    ] = Accounting.basic,
    as_json: Json = False,
) -> None:
    """Set the cap of a data set, or of one analyst.

    A data set is known by a keyed digest of its schema and its name, never by its content. A name
    has one budget: granting it with another schema lets it be read in that way too. Once an analyst
    has a cap, only analysts with caps may spend.

    Examples:

      tacit ledger grant budget.db --dataset patients --schema s.toml --epsilon 4 --delta 1e-5

      tacit ledger grant budget.db --dataset patients --schema s.toml --analyst ada --epsilon 1
    """
    cap = Cap(epsilon, delta, accounting.value)
    read = read_as(schema, Schema.parse, option="--schema")
    Ledger(file).grant(dataset, read, cap, analyst=analyst)
    whose = f"analyst {analyst!r} of data set {dataset!r}" if analyst else f"data set {dataset!r}"
    said = {"dataset": dataset, "analyst": analyst or None} | cap.encode()
    typer.echo(json.dumps(said) if as_json else f"The cap of {whose} is {cap}")


@app.command()
def show(
    file: File,
    *,
    dataset: Annotated[str | None, typer.Option(help="Only this data set.")] = None,
    as_json: Json = False,
) -> None:
    """Show caps, what was spent, by whom, and what is left.

    Example:

      tacit ledger show budget.db
    """
    found = [each for each in Ledger(file).datasets() if dataset in (None, each.name)]
    if dataset is not None and not found:
        raise InvalidArgument(f"the ledger has no data set {dataset!r}; see: tacit ledger show")
    if as_json:
        typer.echo(json.dumps({"datasets": [_encoded(each) for each in found]}))
        return
    table = Table("data set", "analyst", "cap ε", "spent ε", "cap δ", "spent δ", "how", box=None)
    for each in found:
        for row in _rows(each):
            table.add_row(*map(escape, row))
    Console(highlight=False, emoji=False).print(table)
    waiting = sum(each.pending for each in found)
    if waiting:
        typer.echo(f"{waiting} releases were reserved and never committed; they count as spent.")


@app.command()
def export(
    file: File,
    *,
    out: Annotated[
        Path | None, typer.Option(help="Where to write it; standard output if not.")
    ] = None,
) -> None:
    """Write everything that happened as JSON lines, for an auditor.

    Each line has the hash of itself and all lines before; a data set is told by its keyed digest.

    Example:

      tacit ledger export budget.db --out 2026-11.jsonl
    """
    if out is not None:
        writable(out, option="--out", inputs=beside(file))
    lines = [event.line for event in Ledger(file).events()]
    if out is None:
        typer.echo("\n".join(lines))
        return
    with whole(out) as text:
        text.writelines(f"{line}\n" for line in lines)
    typer.echo(f"{len(lines)} events are in {out}")


@app.command("verify")
def verify_file(
    file: Annotated[Path, typer.Argument(help="A ledger, or an export of one.")],
    *,
    since: Annotated[Path | None, typer.Option(help="An older export of the same ledger.")] = None,
    as_json: Json = False,
) -> None:
    """Check that nothing was changed, that every charge is right, and that no cap was exceeded.

    With an older export also that its events are all still there. Keep exports: a ledger that was
    rewritten from its first line on, or replaced by an older copy, shows only beside one.

    Examples:

      tacit ledger verify budget.db

      tacit ledger verify 2026-11.jsonl --since 2026-10.jsonl
    """
    older = [] if since is None else _lines(since, option="--since")
    if _is_database(file):
        verify_ledger(Ledger(file))
        lines = [event.line for event in Ledger(file).events()]
    else:
        lines = _lines(file, option="FILE")
    found = verify_lines(lines, since=older)
    said = {"events": found.count, "head": found.head, "datasets": len(found.accounts)}
    told = f"{found.count} events verified; the last one's hash is {found.head}"
    typer.echo(json.dumps(said) if as_json else told)


def charging(
    file: Path | None, dataset: str | None, analyst: str, schema: Schema, *, secure: bool
) -> AbstractContextManager[Charge | None]:
    """Open the budget that a command names, if it names one; what it charges is then committed."""
    if file is None:
        if dataset is not None or analyst:
            raise InvalidArgument(
                "--dataset and --analyst name a budget of a ledger; give --ledger"
            )
        return nullcontext()
    if dataset is None:
        raise InvalidArgument("--ledger needs --dataset: the name that was granted a budget")
    if not secure:
        raise InvalidArgument("--seed is NOT private: what it draws cannot be put on a ledger")
    return _said(Ledger(file), dataset, schema, analyst)


@contextmanager
def _said(ledger: Ledger, dataset: str, schema: Schema, analyst: str) -> Iterator[Charge]:
    """Charge, and let whoever interrupts the command know of it."""
    with ledger.charging(dataset, schema, analyst) as reserve:

        def charge(cost: Cost, delta: Fraction, purpose: str) -> None:
            CHARGED.append(str(ledger.path))
            try:
                reserve(cost, delta, purpose)
            except TacitError:
                CHARGED.clear()
                raise

        yield charge


def _lines(path: Path, *, option: str) -> list[str]:
    return read_as(path, str.splitlines, option=option, largest=LARGEST_EXPORT)


def _is_database(path: Path) -> bool:
    if path.exists() and not path.is_file():
        raise InvalidArgument(f"{path} is not a file; name a ledger, or an export of one")
    try:
        with opened(path) as file:
            return file.read(15) == b"SQLite format 3"
    except OSError as error:
        raise InvalidArgument(f"{path} cannot be read: {error.strerror}") from None
    except InvalidArgument as error:
        raise InvalidArgument(f"{path}: {error}") from None


def _rows(each: DataSet) -> Iterator[tuple[str, ...]]:
    analysts = sorted((each.account.caps.keys() | each.account.spent.keys()) - {""})
    for who in ("", *analysts):
        spent = each.account.spent.get(who, Spent()) if who else each.account.total
        cap = each.account.caps.get(who)
        yield (
            "" if who else each.name,
            who or "all together",
            "" if cap is None else f"{float(cap.epsilon):.6g}",
            at_most(spent.epsilon, 6),
            "" if cap is None else f"{float(cap.delta):.3g}",
            at_most(spent.delta),
            _how(cap, spent),
        )


def _how(cap: Cap | None, spent: Spent) -> str:
    if cap is None or cap.accounting == "basic":
        return "sums"
    return f"ρ {at_most(spent.rho, 6)} of {float(cap.rho):.6g}"


def _encoded(each: DataSet) -> dict[str, Any]:
    account = each.account
    return {
        "name": each.name,
        "digest": each.digest,
        "cap": account.caps[""].encode(),
        "spent": account.total.encode(),
        "pending": each.pending,
        "analysts": {
            who: {
                "cap": account.caps[who].encode() if who in account.caps else None,
                "spent": account.spent.get(who, Spent()).encode(),
            }
            for who in sorted((account.caps.keys() | account.spent.keys()) - {""})
        },
    }
