"""Errors found in the papers that the code follows, each with the number that shows it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from tacit.theory.papers.references import REFERENCES


@dataclass(frozen=True, slots=True)
class Erratum:
    """What is printed, what is correct, and the test that keeps the error from coming back.

    A misprint without consequence has no guard.
    """

    id: str
    paper: str
    where: str
    printed: str
    correct: str
    shown_by: str
    guard: str


def _read() -> dict[str, Erratum]:
    text = files(__package__).joinpath("errata.toml").read_text(encoding="utf-8")
    return {entry["id"]: Erratum(**entry) for entry in tomllib.loads(text)["errata"]}


ERRATA: dict[str, Erratum] = _read()
"""All errata by their id."""

HEAD = """# Errors found in the papers

Each is a statement as printed, the correct one, the number that shows the difference, and the test
in our suite that fails if the error comes back. Those without a test are misprints, or bounds that
are merely loose. What changes are mostly constants and ranges of parameters; in a few places it is
the statement, or the privacy that is claimed. `tacit audit --list` has such mechanisms as they were
printed, each refuted.

This page is written from `src/tacit/theory/papers/errata.toml`, and a test compares the two.
"""


def page() -> str:
    """Return the page of the documentation.

    >>> page().splitlines()[0]
    '# Errors found in the papers'
    """
    parts = [HEAD]
    for paper in dict.fromkeys(erratum.paper for erratum in ERRATA.values()):
        parts.append(f"\n## [{paper}] {REFERENCES[paper]}\n")
        parts.append(
            "| id | where | printed | correct | shown by | test |\n|---|---|---|---|---|---|"
        )
        parts += [_row(found) for found in ERRATA.values() if found.paper == paper]
    return "\n".join(parts) + "\n"


def _row(found: Erratum) -> str:
    test = f"`{found.guard}`" if found.guard else ""
    cells = (found.id, found.where, found.printed, found.correct, found.shown_by, test)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
