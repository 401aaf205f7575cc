"""Certificates of dimensions and of optima, for `check_certificate.py`, which knows no tacit."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core.errors import InvalidArgument
from tacit.theory.dimensions.all_dimensions import Dimensions
from tacit.theory.optimum.optimum import ClassOptimum

MOST = 1 << 20
"""Digits of a table that is listed in a certificate."""


def dimensions_certificate(found: Dimensions) -> dict[str, Any]:
    """Return the table of a class, its shattered set and its mistake tree, with both ends.

    >>> from tacit.concepts.contract.specification import parse
    >>> from tacit.theory.dimensions.all_dimensions import dimensions
    >>> told = dimensions_certificate(dimensions(parse("thresholds(values=3)")))
    >>> told["vc"], told["littlestone"]["points"]
    ({'lower': 1, 'upper': 1, 'shattered': [0]}, [0])
    """
    table = _table(found.concepts)
    places = {line: i for i, line in enumerate(table)}
    points = found.concepts.domain()
    told: dict[str, Any] = {"format": "tacit-dimensions-1", "class": str(found.concepts)}
    told["table"] = table
    if found.shattered is not None:
        ends = {"lower": found.vc.lower, "upper": found.vc.upper}
        told["vc"] = ends | {"shattered": _indices(points, found.shattered)}
    if found.tree is not None:
        ends = {"lower": found.littlestone.lower, "upper": found.littlestone.upper}
        leaves = [places[_line(concept(points))] for concept in found.tree.concepts]
        asked = _indices(points, found.tree.points)
        told["littlestone"] = ends | {"points": asked, "concepts": leaves}
    if len(told) == 3:
        raise InvalidArgument(
            "--certificate needs a witness, and --time-limit left none; give more"
        )
    return told


def optimum_certificate(best: ClassOptimum) -> dict[str, Any]:
    """Return the law on every database, and the prior and flows that no law beats.

    `best` must have been computed with symmetric=False, so that its unknowns are databases and
    hypotheses as they are.
    """
    asked, listing, law, prior = best.question, best.listing, best.law, best.prior
    rows = [tuple(each) for each in listing.databases.histograms.tolist()]
    many = len(listing.hypotheses)
    smaller = type(listing.databases).of(asked.n - 1, listing.hypotheses.shape[1])
    less = [tuple(each) for each in smaller.histograms.tolist()]
    flows: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    for (a, b, grows), flow in zip(best.program.limits, prior.flows, strict=True):
        unknown, hub = (b, a) if grows else (a, b)
        flows[hub - len(rows) * many, unknown][grows] += flow
    told = []
    for (hub, unknown), (into, out) in flows.items():
        (b, h), d = divmod(hub, many), unknown // many
        cell = next(c for c, (x, y) in enumerate(zip(less[b], rows[d], strict=True)) if x != y)
        told += [[less[b], h, cell, into, out]] if into or out else []
    named = zip(best.program.losses.names, prior.weights, strict=True)
    return {
        "format": "tacit-optimum-1",
        "class": str(asked.concepts),
        "table": _table(asked.concepts),
        "hypotheses": [_line(h) for h in listing.hypotheses],
        "n": asked.n,
        "epsilon": str(best.privacy.epsilon),
        "proper": asked.proper,
        "agnostic": asked.agnostic,
        "lower": str(best.lower),
        "upper": str(best.upper),
        "whole": law.whole,
        "law": [
            {"rows": each, "masses": list(law.masses[i * many : (i + 1) * many])}
            for i, each in enumerate(rows)
        ],
        "prior": [{"rows": name, "weight": weight} for name, weight in named if weight],
        "unit": prior.unit,
        "flows": told,
    }


def _table(concepts: ConceptClass[Any]) -> list[str]:
    """List the distinct concepts of a small class."""
    if concepts.domain_size * concepts.size > MOST:
        raise InvalidArgument(
            f"--certificate lists the class, and {concepts} has more than {MOST} answers"
        )
    points = concepts.domain()
    return list(dict.fromkeys(_line(concept(points)) for concept in concepts.concepts()))


def _line(answers: Any) -> str:
    return "".join("01"[int(answer)] for answer in answers)


def _indices(points: Any, chosen: Any) -> list[int]:
    """Return the places of points in the domain."""
    listed = [tuple(np.atleast_1d(point).tolist()) for point in points]
    return [listed.index(tuple(np.atleast_1d(np.asarray(point)).tolist())) for point in chosen]
