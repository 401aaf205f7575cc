"""What every verb does that lets one thing out of a table: rehearse, charge, draw, write, say."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from tacit.core.errors import InvalidArgument
from tacit.data import Schema
from tacit.interfaces.cli.options.engines import Engine, reading_with
from tacit.interfaces.cli.options.release import coins
from tacit.interfaces.cli.tables.ledger import charging
from tacit.interfaces.output.files import trial, whole
from tacit.interfaces.output.progress import steadily

Account = tuple[Path | None, str | None, str, int | None]
"""The ledger, its data set, who spends, and a seed, which is never charged."""


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
    write: Callable[[Any, Any], None] = lambda found, text: found.write_csv(text),
    **asked: Any,
) -> None:
    """Run a verb of `workflows` on files, and show what it found: a file, and lines or JSON.

    All that is done with a release is rehearsed before it is charged. If the disk fills up after
    that, what was paid for is written to standard output.
    """
    ledger, dataset, analyst, seed = account

    def publish(found: Any, path: Path | None) -> None:
        if path is not None:
            with whole(path) as text:
                write(found, text)

    def rehearse(made_up: Any) -> None:
        json.dumps(made_up.describe())
        lines(made_up)
        if out is not None:
            with trial(out) as beside_out:
                publish(made_up, beside_out)

    with (
        reading_with(engine, master, files) as source,
        charging(ledger, dataset, analyst, schema, secure=seed is None) as charge,
        steadily() as tell,
    ):
        tell(step)
        found = verb(source, schema, **asked, rng=coins(seed), charge=charge, rehearsal=rehearse)
        try:
            publish(found, out)
        except InvalidArgument as error:  # since the rehearsal, the disk has filled up
            found.write_csv(sys.stdout)
            raise InvalidArgument(f"{error}; the rows are on standard output instead") from None
    if as_json:
        typer.echo(json.dumps(found.describe() | ({} if out is None else {"out": str(out)})))
    else:
        Console(highlight=False, emoji=False, soft_wrap=True).print("\n".join(lines(found)))
