"""The Data page: counts, cross-tables, means, quantiles and made-up rows, charged as a run is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.core.chance.randomness import System
from tacit.core.numbers.shown import at_most
from tacit.data import Schema
from tacit.interfaces.output.files import whole
from tacit.interfaces.page.budget import charging
from tacit.interfaces.page.columns import MOST_COLUMNS, cuts_of, schema_of
from tacit.interfaces.page.run_steps import CHECKING, WRITING
from tacit.interfaces.page.serving.fields import Fields
from tacit.interfaces.page.serving.workspace import Workspace
from tacit.workflows import SyntheticTable, TableAnswers, count, sanitize
from tacit.workflows.releasing.policy import intended

Tell = Callable[[str], None]
SHOWN = 200
"""Answers, and made-up rows, that a page shows; all are in the file."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What both kinds of release are asked, read off the form."""

    path: Path
    schema: Schema
    cuts: dict[str, list[str]]
    budget: dict[str, Any]

    @classmethod
    def read(cls, asked: Fields, workspace: Workspace) -> _Asked:
        budget = {
            "epsilon": asked.number("epsilon"),
            "delta": asked.number("delta", default="0"),
            "person": asked.texts("person", most=MOST_COLUMNS, longest=500),
        }
        path = workspace.table(asked.text("table"))
        return cls(path, schema_of(asked), cuts_of(asked), budget)

    def cut(self, names: list[str]) -> list[str]:
        """Return columns as the verbs read them, with the cuts that were typed."""
        return [
            f"{name}={':'.join(self.cuts[name])}" if name in self.cuts else name for name in names
        ]


def counted(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:
    """Count by columns, with means and quantiles, and write the answers."""
    levels = asked.texts("levels", most=99) or ["0.25", "0.5", "0.75"]
    return _released(
        asked,
        tell,
        workspace,
        lambda read: {
            "by": read.cut(_names(asked, "by")),
            "mean": _names(asked, "mean"),
            "quantiles": dict.fromkeys(_names(asked, "quantiles"), levels),
        },
        count,
        "answers.csv",
        _answers,
    )


def made_up(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:
    """Make synthetic rows like those of the table, and write them."""
    return _released(
        asked,
        tell,
        workspace,
        lambda read: {"columns": read.cut(_names(asked, "rows"))},
        sanitize,
        "rows.csv",
        _rows,
    )


def _released(
    asked: Fields,
    tell: Tell,
    workspace: Workspace,
    asking: Callable[[_Asked], dict[str, Any]],
    verb: Callable[..., Any],
    name: str,
    shown: Callable[[Any], dict[str, Any]],
) -> dict[str, Any]:
    tell(CHECKING)
    read = _Asked.read(asked, workspace)

    def publish(folder: Path, found: Any) -> dict[str, Any]:
        with whole(folder / name) as text:
            found.write_csv(text)
        said = {
            "epsilon": float(found.privacy.epsilon),
            "delta": float(found.privacy.delta),
            "protected": found.unit.whose,
            "many": found.unit.many,
            "rows": found.n,
        }
        return shown(found) | said

    def rehearse(found: Any) -> None:
        with workspace.draft() as folder:
            json.dumps(publish(folder, found))

    wanted, question = intended(**read.budget), asking(read)
    asks = {"verb": verb.__name__} | {key: value for key, value in question.items() if value}
    with charging(workspace, read.path.name, read.schema, wanted, asks, tell) as charge:
        found = verb(
            str(read.path),
            read.schema,
            **question,
            **read.budget,
            rng=System(),
            charge=charge,
            rehearsal=rehearse,
        )
        tell(WRITING)
        with workspace.draft() as folder:
            told = publish(folder, found)
            return {"run": workspace.keep(folder), "files": [name], **told}


def _answers(found: TableAnswers) -> dict[str, Any]:
    return {
        "by": list(found.by),
        "confidence": float(found.confidence),
        "answers": [
            {
                "cell": list(each.cell),
                "kind": each.kind,
                "of": each.of,
                "level": None if each.level is None else float(each.level),
                **{end: _number(getattr(each, end)) for end in ("value", "low", "high")},
            }
            for each in found.answers[:SHOWN]
        ],
        "more": max(0, len(found.answers) - SHOWN),
    }


def _number(value: Any) -> int | float | str:
    return value if isinstance(value, int | float) else str(value)


def _rows(found: SyntheticTable) -> dict[str, Any]:
    return {
        "columns": list(found.columns),
        "made": found.rows,
        "method": found.method,
        "error": at_most(found.error),
        "beta": float(found.beta),
        "questions": str(found.questions),
    }


def _names(asked: Fields, name: str) -> list[str]:
    return asked.texts(name, most=MOST_COLUMNS, longest=500)
