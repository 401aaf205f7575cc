"""Learners of every class: by scores, by a cover, for private labels, and with public rows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit import concepts, learners, statistics
from tacit.core import Privacy
from tacit.theory.dimensions.covers import Marginal
from tacit.verify.cases.statement import Audited, case, rows, rows_of, spent
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe

BETA = Fraction(1, 20)


def generic_learner() -> Audited:
    """The generic learner on every small class that has rows enough to disagree about."""

    def learned(spec: str, epsilon: str, n: int = 3) -> Case:
        learner = learners.GenericLearner(concepts.parse(spec), epsilon=epsilon)
        return case(learner, n, spec, tight=n < 1000)

    return (
        learned("thresholds(bits=2)", "1"),
        learned("thresholds(bits=2, direction=both)", "1/2"),
        learned("points(bits=2)", "1"),
        learned("intervals(bits=2)", "2"),
        learned("boxes(bits=1, dims=2)", "1"),
        learned("conjunctions(dims=2, width=2)", "1"),
        learned("parities(dims=2)", "1/10"),
        learned("lines(p=2)", "1"),
        learned("halfspaces(bits=1, dims=2)", "1"),
        learned("balls(bits=1, dims=2)", "3"),
        learned("thresholds(bits=1)", "6"),
    ), (
        Probe(learned("thresholds(bits=4)", "1/20", 1000)),
        Probe(learned("intervals(bits=3)", "8", 1000)),
        Probe(learned("boxes(bits=2, dims=2)", "8", 1000)),
        Probe(learned("halfspaces(bits=1, dims=2)", "1/20", 1000)),
        Probe(learned("conjunctions(dims=4, width=2)", "8", 1000)),
    )


def cover_learner() -> Audited:
    """The cover learner: uniform points, and points of a known distribution."""

    def learned(spec: str, radius: str, epsilon: str, marginal: Any = None, n: int = 3) -> Case:
        made: dict[str, Any] = {"epsilon": epsilon, "radius": radius, "marginal": marginal}
        about = f"{spec}, {'known' if marginal else 'uniform'} points, radius {radius}"
        return case(learners.CoverLearner(concepts.parse(spec), **made), n, about, tight=True)

    skew = Marginal((0, 1, 3), (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)))
    both = "thresholds(bits=3, direction=both)"
    return (
        learned("thresholds(bits=2, direction=both)", "1/10", "1"),
        learned("intervals(bits=2)", "1/4", "1/2", skew),
        learned("conjunctions(dims=2, width=2)", "1/4", "2"),
        learned("thresholds(bits=1)", "1/10", "6"),
    ), tuple(Probe(learned(both, "1/20", epsilon, n=1000)) for epsilon in ("1/20", "8"))


def label_private_learner() -> Audited:
    """The label-private learner: neighbours differ in one row's labels, all points are public."""

    def learned(spec: str, n: int, epsilon: str, *, labels: int = 1, tight: bool = False) -> Case:
        made: dict[str, Any] = {"epsilon": epsilon, "labels": labels}
        learner = learners.LabelPrivateLearner(concepts.parse(spec), **made)
        points = (row for row, _ in rows_of(learner.concepts)[::2])
        return case(learner, n, spec, rows(points, labels), claim=learner.privacy, tight=tight)

    return (
        learned("thresholds(bits=2)", 3, "1"),
        learned("thresholds(bits=1)", 3, "2", labels=3),
        learned("points(bits=2)", 4, "1/2"),
        learned("intervals(bits=2)", 3, "2"),
        learned("thresholds(bits=1)", 24, "1", tight=True),
        learned("thresholds(bits=1)", 3, "6"),
    ), (
        *(Probe(learned("thresholds(bits=3)", 1000, epsilon)) for epsilon in ("1/20", "8")),
        Probe(learned("thresholds(bits=1)", 1000, "1", labels=10)),
    )


def public_cover_learner() -> Audited:
    """The choice among stand-ins for public points: the private rows have no part in these."""

    def learned(spec: str, public: list[Any], epsilon: str, n: int = 3) -> Case:
        made = learners.PublicCoverLearner(concepts.parse(spec), public, epsilon=epsilon)
        return case(made, n, f"{spec}, public {public}", tight=n < 1000)

    return (
        learned("thresholds(bits=2)", [1, 2, 2], "1"),
        learned("thresholds(bits=2, direction=both)", [0, 3], "1/2"),
        learned("points(bits=2)", [3], "2"),
        learned("intervals(bits=2)", [0, 2, 3], "1"),
        learned("boxes(bits=1, dims=2)", [(0, 1), (1, 1)], "1"),
        learned("conjunctions(dims=2, width=2)", [(0, 1), (1, 0)], "1/10"),
        learned("halfspaces(bits=1, dims=2)", [(0, 0), (1, 1)], "3"),
        learned("thresholds(bits=1)", [0], "6"),
    ), (
        Probe(learned("thresholds(bits=4)", [3, 7, 9, 12], "1/20", 1000)),
        Probe(learned("intervals(bits=3)", [1, 4, 6], "8", 1000)),
    )


def with_public_rows() -> Audited:
    """Labelled public rows beside the private ones, by scores, by counts of records and by a cover.

    Whatever the public rows are, the same is added to both of two neighbours.
    """
    shown = statistics.JointCounts.of([(1, (1,)), (2, (0,)), (1, (1,))], labels=1)

    def learned(spec: str, learner: str, epsilon: str, n: int = 3, delta: str = "0") -> Case:
        known = concepts.parse(spec)
        asked = learners.Request(known, Privacy(epsilon, delta), n + 3, None, BETA, agnostic=False)
        made = learners.WithPublicRows(
            learners.named(learner)(replace(asked, public=(1, 2, 1))), shown
        )
        claim = spent(made.cost, delta)
        return case(made, n, f"{spec}, {learner}", rows_of(known), claim=claim)

    return (
        learned("thresholds(bits=2)", "generic", "1"),
        learned("thresholds(bits=2)", "public-cover", "2"),
        learned("points(bits=2)", "pure-histogram", "1/2", 2),
        learned("points(bits=1)", "histogram", "1", delta="1/10"),
        learned("thresholds(bits=1)", "generic", "6"),
    ), tuple(
        Probe(learned("thresholds(bits=4)", "generic", epsilon, 1000)) for epsilon in ("1/20", "8")
    )
