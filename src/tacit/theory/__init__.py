"""Bounds with their constants; no data, deterministic."""

from tacit.theory.agnostic_bound import AgnosticBound
from tacit.theory.choice_bound import ChoiceBound
from tacit.theory.representatives import Representatives, sauer
from tacit.theory.selection_bound import SelectionBound, agnostic, realisable, representation

__all__ = [
    "AgnosticBound",
    "ChoiceBound",
    "Representatives",
    "SelectionBound",
    "agnostic",
    "realisable",
    "representation",
    "sauer",
]
