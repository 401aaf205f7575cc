"""`tacit learners`: every learner by name, with what it promises."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console

from tacit.core.label_privacy import SAID
from tacit.learners.catalogue import CATALOGUE

ALSO = """\
Without labels: private quantiles, and interior points of large domains, by `tacit quantile`;
made-up rows by `tacit sanitize`. boosted, empirical and selected take names: boosted(parity)."""


def learners(
    *, as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False
) -> None:
    """Show all learners: their class, kind of privacy, properness, theorem and cost.

    Examples:

      tacit learners

      tacit learners --json
    """
    if not as_json:
        Console(highlight=False, soft_wrap=True).print(_shown())
        return
    offered = [
        {
            "name": learner.name,
            "summary": learner.summary,
            "classes": list(learner.families) or None,
            "privacy": "pure" if learner.pure else "approximate",
            "protects": "labels" if learner.labels_only else "rows",
            "proper": learner.proper,
            "agnostic": learner.agnostic,
            "theorem": learner.theorem,
            "jointly": learner.make_jointly is not None,
            "assumes": learner.assumes or None,
        }
        for learner in CATALOGUE.values()
    ]
    typer.echo(json.dumps({"learners": offered}))


def _shown() -> str:
    """Return two lines a learner: what it is for and promises, and how it works."""
    lines = []
    for learner in CATALOGUE.values():
        kind = "proper" if learner.proper else "improper"
        labels = "any labels" if learner.agnostic else "labels that a rule explains"
        condition = f"; if {learner.assumes}" if learner.assumes else ""
        cost = "pure: epsilon" if learner.pure else "approximate: epsilon, delta"
        cost = f"epsilon, of labels ({SAID}; with --labels-only)" if learner.labels_only else cost
        shared = "for all labels together" if learner.make_jointly else "for each label"
        lines.append(
            f"[bold]{learner.name}[/]: {learner.classes}; {kind}; {labels}{condition}\n"
            f"    {learner.summary}\n"
            f"    costs {cost}, {shared} ({learner.theorem})"
        )
    return "\n".join((*lines, ALSO))
