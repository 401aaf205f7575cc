"""What every verb does that lets one thing out of a table: rehearse, charge, draw, write, say."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import typer
from rich.console import Console

from tacit.core.errors import InvalidArgument
from tacit.data import Schema
from tacit.interfaces.cli.options.engines import reading_with
from tacit.interfaces.cli.options.given import Given
from tacit.interfaces.cli.options.release import coins
from tacit.interfaces.cli.policy import check_before
from tacit.interfaces.cli.tables.ledger import Charging, charging
from tacit.interfaces.output.boxed import boxed
from tacit.interfaces.output.files import trial, whole, writable
from tacit.interfaces.output.progress import steadily
from tacit.learners.contract.model import Model
from tacit.workflows.releasing.record import release_record

FACTS = ("epsilon", "delta", "person", "neighbours")
Fill = Callable[[Any, TextIO], Any]
Write = Callable[[Any, Path], Any]


def described(found: Any) -> dict[str, Any]:
    """Return what was found as a JSON object."""
    told: dict[str, Any] = found.describe()
    return told


def let_out(
    given: Given,
    verb: Callable[..., Any],
    schema: Schema,
    lines: Callable[[Any], list[str]],
    *,
    name: str = "",
    step: str = "counting",
    inputs: Sequence[Path | str] = (),
    out: Path | None = None,
    fill: Fill = lambda found, text: text.write(json.dumps(described(found)) + "\n"),
    private: bool = False,
    also: Mapping[Path, Write] | None = None,
    spill: Fill | None = None,
    told: Callable[[Any], dict[str, Any]] = described,
    request: Mapping[str, Any] | None = None,
    facts: Mapping[str, Any] | None = None,
    **asked: Any,
) -> None:
    """Run a verb of `workflows` on files, and show what it found: files, and lines or JSON.

    All that is done with a release is rehearsed before it is charged. If the disk fills up after
    that, what was paid for is spilled to standard output. `facts` are what a policy is asked about,
    and `request` what those approve whom it names, where `asked` does not tell them; a `private`
    file only its owner may open. `inputs` are read besides what is given.
    """
    if out is not None:
        writable(out, option="--out", inputs=given.inputs(*inputs))
    account, name = (given.ledger, given.dataset, given.analyst), name or verb.__name__
    if facts is None:
        facts = {key: asked[key] for key in FACTS if key in asked}
    if request is None:
        request = {k: v for k, v in asked.items() if k not in FACTS[:2] and v}
    kept = check_before(given.policy, account, {"verb": name, **request}, **facts)
    writes = dict(also or {})
    if out is not None:
        writes = {
            out: lambda found, path: _fill(path, partial(fill, found), private=private),
            **writes,
        }
    if (record := given.record) is not None:
        writable(record, option="--record", inputs=given.inputs(*inputs, *writes))
        writes[record] = lambda found, path: _write_record(path, name, found, schema, charge)

    def rehearse(made_up: Any) -> None:
        if kept is not None and isinstance(made_up, Model):
            kept.policy.check_tried(made_up)
        json.dumps(told(made_up))
        lines(made_up)
        with ExitStack() as tried:
            for path, writing in writes.items():
                writing(made_up, tried.enter_context(trial(path)))

    with (
        reading_with(given.engine, given.master, given.files) as source,
        charging(*account, schema, secure=given.seed is None, rule=kept) as charge,
        steadily() as tell,
    ):
        tell(step)
        found = verb(
            source,
            schema,
            **asked,
            rng=coins(given.seed),
            charge=_free if kept and charge is None else charge,  # what a policy is asked is tried
            rehearsal=rehearse,
        )
        try:
            for path, writing in writes.items():
                writing(found, path)
        except InvalidArgument as error:  # since the rehearsal, the disk has filled up
            (spill or fill)(found, sys.stdout)
            raise InvalidArgument(f"{error}; it is on standard output instead") from None
    if given.as_json:
        typer.echo(json.dumps(told(found)))
    else:
        Console(highlight=False, emoji=False, soft_wrap=True).print(boxed("\n".join(lines(found))))


def _free(*_: object) -> None:
    """Charge nobody."""


def _write_record(
    path: Path, verb: str, found: Any, schema: Schema, charge: Charging | None
) -> None:
    """Write the record of what a verb let out, and where the ledger charged it."""
    paid: Any = {}
    if charge is not None and charge.reserve.reservations:
        paid = {"events": charge.reserve.ledger.events(), "charge": charge.reserve.reservations[-1]}
    told = release_record(verb, found, schema.dump(), **paid)
    _fill(path, lambda text: text.write(json.dumps(told, indent=1) + "\n"))


def _fill(path: Path, fill: Callable[[TextIO], Any], *, private: bool = False) -> None:
    with whole(path, private=private) as text:
        fill(text)
