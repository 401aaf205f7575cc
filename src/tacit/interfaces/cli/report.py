"""`tacit report`: what a saved model says, for a reader who runs nothing."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from tacit.interfaces.cli.options.release import Json
from tacit.interfaces.output.files import read_as, writable
from tacit.interfaces.report import Asked, reportable, write_report
from tacit.learners.contract.model import Model


def report(
    model: Annotated[Path, typer.Argument(help="A model written by tacit learn.")],
    *,
    out: Annotated[Path, typer.Option(help="Where to write it: .html, .pdf or .md.")] = Path(
        "report.html"
    ),
    as_json: Json = False,
) -> None:
    """Write the report of a model: what it says, how good it is, and what it cost.

    It is what tacit learn --report writes, from the model alone: no table is read, nothing is
    spent. Who was charged, and the error that was asked for, are not in a model.

    Example:

      tacit report model.json --out report.html
    """
    writable(reportable(out, model, option="--out"), option="--out", inputs=[str(model)])
    read = read_as(model, Model.loads, option="MODEL")
    digest = sha256(read_as(model, str, option="MODEL").encode()).hexdigest()
    write_report(out, read, Asked.of(read, digest))
    told = {"out": str(out), "model": digest}
    typer.echo(json.dumps(told) if as_json else f"The report is in {out}")
