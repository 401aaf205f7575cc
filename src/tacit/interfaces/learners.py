"""`tacit learners`: every learner by name, with what it promises."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tacit.learners.catalogue import CATALOGUE


def learners(
    *, as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False
) -> None:
    """Show all learners: their class, kind of privacy, properness, theorem and cost.

    Examples:

      tacit learners

      tacit learners --json
    """
    if not as_json:
        Console().print(_table())
        return
    offered = [
        {
            "name": learner.name,
            "summary": learner.summary,
            "classes": list(learner.families) or None,
            "privacy": "pure" if learner.pure else "approximate",
            "proper": learner.proper,
            "agnostic": learner.agnostic,
            "theorem": learner.theorem,
        }
        for learner in CATALOGUE.values()
    ]
    typer.echo(json.dumps({"learners": offered}))


def show_and_leave(listed: bool) -> None:  # noqa: FBT001
    """Show all learners and leave, when `tacit learn --list` asks for it."""
    if listed:
        Console().print(_table())
        raise typer.Exit


def _table() -> Table:
    table = Table("learner", "classes", "privacy", "hypothesis", "labels", "theorem", "how")
    for learner in CATALOGUE.values():
        table.add_row(
            learner.name,
            learner.classes,
            "epsilon" if learner.pure else "epsilon, delta",
            "proper" if learner.proper else "improper",
            "any" if learner.agnostic else "realisable",
            learner.theorem,
            learner.summary,
        )
    return table
