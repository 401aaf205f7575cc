"""What every verb does that lets one thing out of a table: rehearse, charge, draw, write, say."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from tacit.core.errors import InvalidArgument
from tacit.data import Schema
from tacit.interfaces.cli.options.engines import Engine, reading_with
from tacit.interfaces.cli.options.release import coins
from tacit.interfaces.cli.policy import check_before
from tacit.interfaces.cli.tables.ledger import Charging, charging
from tacit.interfaces.output.files import beside, trial, whole, writable
from tacit.interfaces.output.progress import steadily
from tacit.workflows.releasing.record import release_record

Account = tuple[Path | None, str | None, str, int | None]
"""The ledger, its data set, who spends, and a seed, which is never charged."""


def _as_csv(found: Any, text: Any) -> None:
    found.write_csv(text)


def let_out(
    verb: Callable[..., Any],
    lines: Callable[[Any], list[str]],
    files: Sequence[str],
    schema: Schema,
    account: Account,
    *,
    as_json: bool,
    engine: Engine = Engine.EMBEDDED,
    master: str | None = None,
    step: str = "counting",
    out: Path | None = None,
    write: Callable[[Any, Any], None] = _as_csv,
    policy: Path | None = None,
    record: Path | None = None,
    private: bool = False,
    facts: Mapping[str, Any] | None = None,
    **asked: Any,
) -> None:
    """Run a verb of `workflows` on files, and show what it found: a file, and lines or JSON.

    All that is done with a release is rehearsed before it is charged. If the disk fills up after
    that, what was paid for is written to standard output. `facts` are what a policy is asked about,
    where `asked` does not tell them; a `private` file only its owner may open.
    """
    ledger, dataset, analyst, seed = account
    known = ("epsilon", "delta", "person", "neighbours", "families", "measured")
    said = asked if facts is None else facts
    given = {key: value for key, value in said.items() if key in known}
    question = {"verb": verb.__name__} | {k: v for k, v in said.items() if k not in known[:2] and v}
    kept = check_before(policy, account[:3], question, **given)
    if record is not None:
        inputs = [*files, *beside(ledger), *([] if out is None else [str(out)])]
        writable(record, option="--record", inputs=inputs)

    def publish(found: Any, path: Path | None) -> None:
        if path is not None:
            with whole(path, private=private) as text:
                write(found, text)
        if record is not None and path == out:
            write_record(record, verb.__name__, found, schema, charge)

    def rehearse(made_up: Any) -> None:
        json.dumps(made_up.describe())
        lines(made_up)
        if record is not None:
            with trial(record) as beside_record:
                write_record(beside_record, verb.__name__, made_up, schema, charge)
        if out is not None:
            with trial(out) as beside_out:
                publish(made_up, beside_out)

    with (
        reading_with(engine, master, files) as source,
        charging(ledger, dataset, analyst, schema, secure=seed is None, rule=kept) as charge,
        steadily() as tell,
    ):
        tell(step)
        found = verb(source, schema, **asked, rng=coins(seed), charge=charge, rehearsal=rehearse)
        try:
            publish(found, out)
        except InvalidArgument as error:  # since the rehearsal, the disk has filled up
            (write if private else _as_csv)(found, sys.stdout)
            raise InvalidArgument(f"{error}; the rows are on standard output instead") from None
    if as_json:
        typer.echo(json.dumps(found.describe() | ({} if out is None else {"out": str(out)})))
    else:
        Console(highlight=False, emoji=False, soft_wrap=True).print("\n".join(lines(found)))


def write_record(
    path: Path, verb: str, found: Any, schema: Schema, charge: Charging | None
) -> None:
    """Write the record of what a verb let out, and where the ledger charged it."""
    paid: Any = {}
    if charge is not None and charge.reserve.reservations:
        paid = {"events": charge.reserve.ledger.events(), "charge": charge.reserve.reservations[-1]}
    with whole(path) as text:
        told = release_record(verb, found, schema.dump(), **paid)
        text.write(json.dumps(told, indent=1) + "\n")
