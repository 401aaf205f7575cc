"""Bounds with their constants; no data, deterministic."""

from tacit.theory.representatives import Representatives, sauer
from tacit.theory.selection_bound import SelectionBound, agnostic, realisable, representation
from tacit.theory.uniform_bound import UniformBound

__all__ = [
    "Representatives",
    "SelectionBound",
    "UniformBound",
    "agnostic",
    "realisable",
    "representation",
    "sauer",
]
