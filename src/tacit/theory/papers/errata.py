"""Errors found in the papers that the code follows, each quoted, classed, and shown by a number."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files

from tacit.core.errors import InvalidArgument
from tacit.theory.papers.witness import Witness, Witnesses

KINDS = {
    "statement": "Wrong statements",
    "proof": "Wrong steps of proofs",
    "misprint": "Misprints",
    "loose": "Merely loose",
    "caution": "Our own cautions",
}
"""What kinds of errata there are, and the heading of each."""

_WITNESSES = {
    "FX14": "communication_witnesses",
    "Vad17": "communication_witnesses",
    "BNS19": "representation_witnesses",
    "BNS16": "multiple_witnesses",
}


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

    def witness(self) -> Witness | None:
        """Compute what is said of an instance, as printed and as corrected, if it is a number.

        >>> shown = ERRATA["C1"].witness()
        >>> float(shown.printed.least), float(shown.ours.least), float(shown.ours.most)
        (0.4846875, 0.01, 0.01)
        """
        module = import_module(f"{__package__}.{_WITNESSES[self.paper]}")
        witnesses: Witnesses = module.WITNESSES
        return witnesses[self.id]() if self.id in witnesses else None

    def stands(self) -> bool:
        """Whether the witness, if there is one, shows what the kind says.

        An error is refuted on its instance, and so is the careless reading that a caution is about;
        what is merely loose holds, with room.
        """
        shown = self.witness()
        return shown is None or (shown.loosens if self.kind == "loose" else shown.refutes)


def _read() -> dict[str, Erratum]:
    text = files(__package__).joinpath("errata.toml").read_text(encoding="utf-8")
    return {entry["id"]: Erratum(**entry) for entry in tomllib.loads(text)["errata"]}


ERRATA: dict[str, Erratum] = _read()
"""All errata by their id."""
