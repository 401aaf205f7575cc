"""The Plan page for a table of so many rows: what would be chosen, and what may be promised."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.core.errors import InvalidArgument, TacitError
from tacit.data import Schema
from tacit.interfaces.page.columns import MOST_COLUMNS, cuts_of, schema_of
from tacit.interfaces.page.serving.fields import Fields
from tacit.workflows.planning.table_plan import plan_table

OFFERED = ("rules(width=1)", "rules(width=2)", "scorecards")
"""Kinds of rules that take any columns; they are planned for beside what would be chosen."""


def planned(asked: Fields, tell: Callable[[str], None]) -> dict[str, Any]:  # noqa: ARG001
    """Plan for the schema of the form, as `tacit plan --schema` does, and for kinds that are named.

    No table is read: the number of rows is what was typed.
    """
    labels = asked.texts("labels", most=64, longest=500)
    if not labels:
        raise InvalidArgument("choose at least one column to predict")
    schema = schema_of(asked)
    question: dict[str, Any] = {
        "labels": labels,
        "features": asked.texts("features", most=MOST_COLUMNS, longest=500) or None,
        "n": asked.whole("n", 1, 10**9),
        "epsilon": asked.number("epsilon"),
        "delta": asked.number("delta", default="0"),
        "beta": asked.number("beta", default="0.05"),
        "cuts": cuts_of(asked),
    }
    told = plan_table(schema, **question).describe()
    kinds = [_kind(name, schema, question) for name in OFFERED]
    command = (
        f"tacit plan --schema schema.toml --labels {shlex.quote(','.join(labels))} "
        f"--n {question['n']} --epsilon {question['epsilon']} --delta {question['delta']}"
    )
    beta = float(Fraction(question["beta"]))
    return told | {"kinds": kinds, "beta": beta, "command": command}


def _kind(name: str, schema: Schema, question: dict[str, Any]) -> dict[str, Any]:
    try:
        told = plan_table(schema, concepts=name, **question).describe()
    except TacitError as error:
        return {"class": name, "why": str(error)}
    return {**told["chosen"], **told["promised"], "why": None}
