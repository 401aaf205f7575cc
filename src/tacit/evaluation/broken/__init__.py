"""Mechanisms that are wrong on purpose: an audit that misses one of them fails the build.

Each is a mistake that was printed in a paper, shipped in a library, or is made in practice.
"""

from tacit.evaluation.black_box import BlackBox
from tacit.evaluation.broken import (
    approximate,
    boxes,
    covers,
    gradients,
    hashing,
    hiding,
    lines,
    lists,
    many_labels,
    noise,
    parities,
    parties,
    pipelines,
    queries,
    sanitizers,
    selection,
    stability,
    tables,
)
from tacit.evaluation.verification import Case

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
