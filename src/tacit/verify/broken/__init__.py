"""Mechanisms that are wrong on purpose: an audit that misses one of them fails the build.

Each is a mistake that was printed in a paper, shipped in a library, or is made in practice.
"""

from tacit.verify.black_box import BlackBox
from tacit.verify.broken import hiding, noise, pipelines, sanitizers, selection, stability, tables
from tacit.verify.broken.learners import (
    approximate,
    boxes,
    covers,
    gradients,
    hashing,
    lines,
    lists,
    many_labels,
    parities,
    parties,
    queries,
)
from tacit.verify.enumeration import Case

CASES: tuple[Case | BlackBox, ...] = (
    *approximate.CASES,
    *selection.CASES,
    *stability.CASES,
    *noise.CASES,
    *pipelines.CASES,
    *queries.CASES,
    *boxes.CASES,
    *covers.CASES,
    *parties.CASES,
    *gradients.CASES,
    *lines.CASES,
    *lists.CASES,
    *many_labels.CASES,
    *parities.CASES,
    *hashing.CASES,
    *hiding.CASES,
    *sanitizers.CASES,
    *tables.CASES,
)
PROBES = hiding.PROBES

__all__ = [
    "CASES",
    "PROBES",
    "approximate",
    "boxes",
    "covers",
    "gradients",
    "hashing",
    "hiding",
    "lines",
    "lists",
    "many_labels",
    "noise",
    "parities",
    "pipelines",
    "queries",
    "sanitizers",
    "selection",
    "stability",
    "tables",
]
