"""Fingerprinting codes: words that tell who has contributed to a mixture of them."""

from tacit.theory.codes.boneh_shaw import BonehShaw, PrintedBonehShaw
from tacit.theory.codes.codebook import Codebook, marked
from tacit.theory.codes.symmetric_tardos import SymmetricTardos
from tacit.theory.codes.tardos import Tardos
from tacit.theory.codes.trace import Code, Trace

__all__ = [
    "BonehShaw",
    "Code",
    "Codebook",
    "PrintedBonehShaw",
    "SymmetricTardos",
    "Tardos",
    "Trace",
    "marked",
]
