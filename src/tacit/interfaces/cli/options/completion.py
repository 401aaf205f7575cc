"""What a shell offers for a word that is begun: classes, learners, columns, targets, words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.concepts.contract.specification import FAMILIES, READERS
from tacit.core.errors import TacitError
from tacit.data.schema.schema import Schema
from tacit.interfaces.output.glossary import words
from tacit.learners.catalogue import CATALOGUE
from tacit.verify.places import PLACES


@dataclass(frozen=True, slots=True)
class Completed:
    """One word that a shell offers, as Typer reads it."""

    value: str
    type: str = "plain"
    help: str | None = None


def columns(context: Any) -> Iterable[str]:
    """Return the columns of the schema that the line names so far; none if it cannot be read."""
    try:
        return Schema.read(Path(context.params["schema"])).names
    except (KeyError, OSError, TacitError, TypeError, UnicodeDecodeError):
        return ()


KNOWN: dict[str, Callable[[Any], Iterable[str]]] = {
    "concepts": lambda _: sorted({*FAMILIES, *READERS}),
    "learner": lambda _: CATALOGUE,
    "target": lambda _: PLACES,
    "word": lambda _: words(),
    **dict.fromkeys(("features", "labels", "columns", "column", "by"), columns),
}
"""Which words there are for a parameter of this name."""


def complete(parameter: Any) -> None:
    """Have a parameter's words completed, of `age,bm` the last one."""
    known = KNOWN.get(parameter.name)
    if known is None:
        return

    def offered(context: Any, begun: str) -> list[Completed]:
        before, comma, last = begun.rpartition(",")
        return [
            Completed(before + comma + each) for each in known(context) if each.startswith(last)
        ]

    parameter.shell_complete = offered
