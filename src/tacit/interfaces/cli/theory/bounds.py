"""`tacit bounds`: the papers' tables, with our numbers and the errata."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Column
from rich.table import Table as Shown

from tacit.concepts.contract.domains import PLANNED
from tacit.core import check
from tacit.core.budget import LEAST, read_budget, read_share
from tacit.core.errors import InvalidArgument
from tacit.interfaces.output.progress import patiently
from tacit.theory.papers.errata import ERRATA
from tacit.theory.papers.references import REFERENCES
from tacit.theory.papers.tables import NAMES, Cell, PaperTable, table
from tacit.workflows.planning.table_numbers import SINGLE, Number, Parameters, number

MOST_LABELS = 10**6
"""Labels up to which the numbers take seconds: some grow by a bit with each."""
Filled = tuple[PaperTable, list[tuple[Cell, Number]]]


def bounds(
    *,
    name: Annotated[
        str | None, typer.Option("--table", help=f"One of {', '.join(NAMES)}; else all.")
    ] = None,
    alpha: Annotated[str, typer.Option(help="The error that is wanted.")] = "0.1",
    beta: Annotated[str, typer.Option(help="How unsure the promise may be.")] = "0.1",
    epsilon: Annotated[str, typer.Option(help="The privacy budget for all labels.")] = "1",
    delta: Annotated[str, typer.Option(help="The delta of approximate privacy.")] = "1e-6",
    labels: Annotated[int, typer.Option(help="How many labels, where a table is for k.")] = 8,
    bits: Annotated[int, typer.Option(help="Domains of 2^bits points, or so many dims.")] = 16,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Show the papers' tables: formulas, theorems, and our numbers for your parameters.

    A cell's number is that of the theorem it names: rows that this theorem's learner needs, or
    below which it says that no learner does. What we know by any theorem stands beside it. Rows for
    any class are computed for intervals.

    Examples:

      tacit bounds --table pure_learning --bits 32

      tacit bounds --labels 100 --json
    """
    if name is not None and name not in NAMES:
        raise InvalidArgument(f"table {name!r} is not known; there are {', '.join(NAMES)}")
    read_share(LEAST, alpha=alpha)
    read_share(beta=beta)
    read_budget(epsilon, delta)
    check.count(labels=labels, least=1, up_to=MOST_LABELS)
    check.count(bits=bits, least=1, up_to=PLANNED)
    given = Parameters(
        alpha=alpha, beta=beta, epsilon=epsilon, delta=delta, labels=labels, bits=bits
    )
    found: list[Filled] = []
    with patiently() as tell:
        for each in NAMES if name is None else (name,):
            read, cells = table(each), []
            for place, cell in enumerate(read.cells):
                tell(f"{each}, cell {place + 1} of {len(read.cells)}")
                k = 1 if each == SINGLE else given.labels
                cells.append((cell, number(cell, given, labels=k)))
            found.append((read, cells))
    if as_json:
        typer.echo(json.dumps(_encoded(found, given)))
    else:
        _show(found)


def _encoded(found: list[Filled], given: Parameters) -> dict[str, Any]:
    told = {problem for _, cells in found for cell, _ in cells for problem in cell.errata}
    return {
        "parameters": {
            "alpha": float(given.alpha),
            "beta": float(given.beta),
            "epsilon": float(given.epsilon),
            "delta": float(given.delta),
            "labels": given.labels,
            "bits": given.bits,
        },
        "tables": [
            {
                "name": read.name,
                "title": read.title,
                "source": read.source,
                "where": read.where,
                "cells": [_cell(cell, value) for cell, value in cells],
            }
            for read, cells in found
        ],
        "errata": {
            each.id: {
                "paper": each.paper,
                "where": each.where,
                "kind": each.kind,
                "says": each.says,
                "printed": each.printed,
                "correct": each.correct,
                "shown_by": each.shown_by,
                "test": each.guard or None,
            }
            for each in ERRATA.values()
            if each.id in told
        },
        "theorems": REFERENCES,
    }


def _cell(cell: Cell, value: Number) -> dict[str, Any]:
    return {
        "row": cell.row,
        "column": cell.column,
        "side": cell.side,
        "formula": cell.formula,
        "theorem": cell.theorem,
        "where": cell.where,
        "spec": value.spec,
        "number": value.value,
        "between": value.between,
        "by": value.by or None,
        "by_theorem": value.theorem or None,
        "best": value.best,
        "best_by": value.best_by or None,
        "why": value.why or None,
        "assumes": cell.assumes or None,
        "note": cell.note or None,
        "errata": list(cell.errata),
    }


def _show(found: list[Filled]) -> None:
    console = Console(highlight=False, emoji=False)
    for read, cells in found:
        titles = ("", "formula", "theorem", "its number", "best known", "errata")
        said = f"{read.name}: {read.title} [{read.source}, {read.where}]".replace("[", r"\[")
        shown = Shown(Column("", overflow="fold"), *titles, title=said)
        for cell, value in cells:
            shown.add_row(
                f"{cell.row}\n{value.spec}",
                cell.column,
                cell.formula,
                cell.theorem,
                _said(value),
                "" if value.best is None else f"{_shown(value.best)}, {value.best_by}",
                " ".join(cell.errata),
            )
        console.print(shown)
    console.print("Errata: docs/errata.md. References: tacit bounds --json.")


def _said(value: Number) -> str:
    if value.between is not None:
        return f"{' to '.join(map(_shown, value.between))}, {value.by}"
    return f"none: {value.why}" if value.value is None else f"{_shown(value.value)}, {value.by}"


def _shown(value: int) -> str:
    return str(value) if value < 10**12 else f"about 2^{value.bit_length() - 1}"
