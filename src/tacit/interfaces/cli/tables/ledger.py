"""`tacit ledger`: budgets that outlive a process, shared by everyone who learns from a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tacit.core.bounded_file import opened
from tacit.core.cost import ReleaseCost
from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.numbers.shown import at_most
from tacit.core.unit import ROWS, Neighbours, Unit
from tacit.data import Schema
from tacit.data.ledger import Cap, DataSet, Ledger, Spent, verify_ledger, verify_lines
from tacit.data.ledger import Charge as Reserve
from tacit.data.ledger.days import now
from tacit.data.ledger.server import POINTER
from tacit.interfaces.cli.options.lists import split
from tacit.interfaces.cli.options.release import Json, LedgerFile, Person
from tacit.interfaces.cli.tables.approvals import approve, requests
from tacit.interfaces.output.files import beside, read_as, whole, writable
from tacit.interfaces.output.stopping import CHARGED
from tacit.workflows.releasing.policy import Kept, Policy

app = typer.Typer(
    help="Keep the privacy budgets of data sets: who spent what, and what is left.",
    no_args_is_help=True,
    add_completion=False,
)
app.command()(requests)
app.command()(approve)
LARGEST_EXPORT = 1 << 28
"""Bytes of an export that is verified: half a million releases."""


class Accounting(StrEnum):
    """How costs are added up."""

    basic = "basic"
    concentrated = "concentrated"


@app.command()
def init(
    file: LedgerFile,
    *,
    at: Annotated[
        str | None, typer.Option(help="Let this PostgreSQL server keep it: a connection string.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a new, empty ledger.

    Only its owner may open it; let a group in with chgrp and chmod 660 (docs/files.md). Keep it on
    a local disk: the locks that keep processes apart do not hold on network drives. A department
    shares one on a PostgreSQL server: the file then says where it is, and whoever has such a file
    names it as any other ledger; init with --at also writes one for a ledger that is there already.

    Examples:

      tacit ledger init budget.db

      tacit ledger init budget.db --at 'host=db.ward.example dbname=budgets sslmode=verify-full'
    """
    Ledger.create(file, at=at)
    new = "A new ledger is in" if at is None else "The server keeps the ledger that is named by"
    said = f"{new} {file}; next: tacit ledger grant {file} --dataset NAME --schema FILE --epsilon 1"
    typer.echo(json.dumps({"ledger": str(file)}) if as_json else said)


@app.command()
def grant(
    file: LedgerFile,
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
    person: Person = None,
    neighbours: Annotated[
        Neighbours | None,
        typer.Option(help="What is protected: one replaced, n public; or one added, n secret."),
    ] = None,
    until: Annotated[str, typer.Option(help="The last day to spend it, as 2027-12-31.")] = "",
    renews: Annotated[
        str, typer.Option(help="It begins anew each year on this day, as 04-01; years add up.")
    ] = "",
    policy: Annotated[
        Path | None, typer.Option(help="Charge only releases that keep this policy, this file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Set the cap of a data set, or of one analyst.

    A data set is known by a keyed digest of its schema and its name, never by its content. A name
    has one budget: granting it with another schema lets it be read in that way too. Once an analyst
    has a cap, only analysts with caps may spend. The first cap says who is protected, for good: one
    row that is replaced, unless --person and --neighbours say else; only releases that protect the
    same are charged.

    With --renews the promise is that of each year by itself: what was spent before stays recorded,
    and in k years k times the cap may be spent. --until ends it; the clause dataset of a policy
    caps all years together. Days are those of the machine that charges, in UTC; a ledger's time
    never runs back. With --policy nobody leaves the policy out.

    Examples:

      tacit ledger grant budget.db --dataset patients --schema s.toml --epsilon 4 --delta 1e-5

      tacit ledger grant budget.db --dataset patients --schema s.toml --analyst ada --epsilon 1

      tacit ledger grant budget.db --dataset visits --schema s.toml --epsilon 4 --person patient

      tacit ledger grant budget.db --dataset clinic --schema s.toml --epsilon 1 --renews 04-01
      --until 2030-03-31 --policy policy.toml
    """
    cap = Cap(epsilon, delta, accounting.value, until=until, renews=renews)
    house = "" if policy is None else read_as(policy, Policy.parse, option="--policy").digest
    read = read_as(schema, Schema.parse, option="--schema")
    said_who = person is not None or neighbours is not None
    unit = Unit(split(person or ()), neighbours or Neighbours.REPLACED) if said_who else None
    Ledger(file).grant(dataset, read, cap, analyst=analyst, unit=unit, policy=house)
    whose = f"analyst {analyst!r} of data set {dataset!r}" if analyst else f"data set {dataset!r}"
    said = {"dataset": dataset, "analyst": analyst or None} | cap.encode()
    typer.echo(json.dumps(said) if as_json else f"The cap of {whose} is {cap}")


@app.command()
def show(
    file: LedgerFile,
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
    for each in found:
        if each.account.unit != ROWS:
            typer.echo(f"{each.name} protects {each.account.unit.said}.")
        for line in map(partial(_years, each), each.account.caps):
            typer.echo(line, nl=bool(line))
    waiting = sum(each.pending for each in found)
    if waiting:
        typer.echo(f"{waiting} releases were reserved and never committed; they count as spent.")


@app.command()
def export(
    file: LedgerFile,
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
    file: Path | None,
    dataset: str | None,
    analyst: str,
    schema: Schema,
    *,
    secure: bool,
    rule: Kept | None = None,
) -> AbstractContextManager[Charging | None]:
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
    return _said(Ledger(file).charging(dataset, schema, analyst, rule))


@dataclass(frozen=True, slots=True)
class Charging:
    """Charges, and lets whoever interrupts the command know of it."""

    reserve: Reserve

    def __call__(self, cost: ReleaseCost, delta: Fraction, purpose: str, unit: Unit) -> None:
        """Charge a release that is about to be drawn."""
        CHARGED.append(str(self.reserve.ledger.path))
        try:
            self.reserve(cost, delta, purpose, unit)
        except TacitError:
            CHARGED.clear()
            raise


@contextmanager
def _said(opened: AbstractContextManager[Reserve]) -> Iterator[Charging]:
    with opened as reserve:
        yield Charging(reserve)


def _lines(path: Path, *, option: str) -> list[str]:
    return read_as(path, str.splitlines, option=option, largest=LARGEST_EXPORT)


def _is_database(path: Path) -> bool:
    if path.exists() and not path.is_file():
        raise InvalidArgument(f"{path} is not a file; name a ledger, or an export of one")
    try:
        with opened(path) as file:
            return file.read(15) in (b"SQLite format 3", POINTER[:15].encode())
    except OSError as error:
        raise InvalidArgument(f"{path} cannot be read: {error.strerror}") from None
    except InvalidArgument as error:
        raise InvalidArgument(f"{path}: {error}") from None


def _rows(each: DataSet) -> Iterator[tuple[str, ...]]:
    analysts = sorted((each.account.caps.keys() | each.account.spent.keys()) - {""})
    for who in ("", *analysts):
        spent = each.account.of(who)
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


def _years(each: DataSet, who: str) -> str:
    """Say when a cap ends and begins anew, and what that makes of its promise."""
    cap, day = each.account.caps[who], now()[:10]
    whose = f"The cap of {who or 'all together'} of {each.name}"
    said = f"{whose} ends after {cap.until}.\n" if cap.until else ""
    if cap.renews:
        this = each.account.of(who) - each.account.before(who, day)
        said += (
            f"{whose} begins anew each year on {cap.renews}: ε = {at_most(this.epsilon, 6)}, "
            f"δ = {at_most(this.delta)} of it is spent since {cap.began(day)}; above is what is "
            f"spent in all years. The promise of a year is {cap}; years add up"
        )
        ends = "" if not cap.until else f": until {cap.until} to {_most(cap, day)} times that more"
        said += f"{ends}.\n" if ends else ", without end: --until ends it.\n"
    return said.rstrip("\n")


def _most(cap: Cap, day: str) -> int:
    """Return in how many years of a cap it may still be spent, this one included."""
    return max(int(cap.began(cap.until)[:4]) - int(cap.began(day)[:4]) + 1, 0)


def _encoded(each: DataSet) -> dict[str, Any]:
    account, day = each.account, now()[:10]
    return {
        "name": each.name,
        "digest": each.digest,
        "cap": account.caps[""].encode(),
        "spent": account.total.encode(),
        "spent_this_year": (account.total - account.before("", day)).encode(),
        "policy": account.policy or None,
        "unit": account.unit.whose,
        "neighbours": str(account.unit.neighbours),
        "pending": each.pending,
        "analysts": {
            who: {
                "cap": account.caps[who].encode() if who in account.caps else None,
                "spent": account.spent.get(who, Spent()).encode(),
            }
            for who in sorted((account.caps.keys() | account.spent.keys()) - {""})
        },
    }
