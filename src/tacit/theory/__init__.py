"""Bounds with their constants; no data, deterministic."""

from tacit.theory.enough.agnostic import AgnosticBound
from tacit.theory.enough.choice import ChoiceBound
from tacit.theory.enough.selection import SelectionBound, agnostic, realisable, representation
from tacit.theory.solving.class_table import sauer

__all__ = [
    "AgnosticBound",
    "ChoiceBound",
    "SelectionBound",
    "agnostic",
    "realisable",
    "representation",
    "sauer",
]
