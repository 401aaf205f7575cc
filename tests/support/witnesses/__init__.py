"""The numbers that show what is wrong in the papers: what makes them, by the erratum's id."""

from tests.support.witnesses import communication, multiple, representation
from tests.support.witnesses.witness import Witness, Witnesses

MODULES = (communication, representation, multiple)
WITNESSES: Witnesses = {name: made for module in MODULES for name, made in module.WITNESSES.items()}


def stands(name: str, kind: str) -> bool:
    """Whether the witness of an erratum shows what a kind says.

    An error is refuted on its instance, and so is the careless reading that a caution is about;
    what is merely loose holds, with room.
    """
    shown = WITNESSES[name]()
    return shown.loosens if kind == "loose" else shown.refutes


__all__ = ["MODULES", "WITNESSES", "Witness", "stands"]
