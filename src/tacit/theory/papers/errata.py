"""Errors found in the papers that the code follows, each quoted and classed."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from tacit.core.errors import InvalidArgument

KINDS = {
    "statement": "Wrong statements",
    "proof": "Wrong steps of proofs",
    "misprint": "Misprints",
    "loose": "Merely loose",
    "caution": "Our own cautions",
}
"""What kinds of errata there are, and the heading of each."""


@dataclass(frozen=True, slots=True)
class Erratum:
    """What a paper says, what is wrong with it, what is correct, and what shows it.

    `says` are words of the paper, exactly, with [...] for what is left out. `printed` and `correct`
    are ours; `shown_by` names an instance, and `guard` the test that keeps the error from coming
    back. A misprint without consequence has neither.
    """

    id: str
    paper: str
    kind: str
    where: str
    says: str
    printed: str
    correct: str
    shown_by: str
    guard: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidArgument(f"erratum {self.id}: kind must be one of {', '.join(KINDS)}")
        if not self.says.strip() and self.kind != "caution":
            raise InvalidArgument(f"erratum {self.id}: says must quote the paper")


def _read() -> dict[str, Erratum]:
    text = files(__package__).joinpath("errata.toml").read_text(encoding="utf-8")
    return {entry["id"]: Erratum(**entry) for entry in tomllib.loads(text)["errata"]}


ERRATA: dict[str, Erratum] = _read()
"""All errata by their id."""
