"""Learners of every class: by scores, by a cover, for private labels, and by votes."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import chain
from typing import Any

from tacit import concepts, learners
from tacit.core.chance.law import Law
from tacit.theory.dimensions.covers import Marginal
from tacit.verify.cases.statement import Audited, Rows, case, rows, rows_of, spent
from tacit.verify.dealing import alike, placed
from tacit.verify.enumeration import Case
from tacit.verify.route import labelled
from tacit.verify.sampling import Probe


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


def stable_erm_learner() -> Audited:
    """Votes of the standard optimal algorithm: dealt by position, and nearly all rows alike."""

    def learner(spec: str, epsilon: str, delta: str, blocks: int) -> dict[str, Any]:
        """Return a learner, and what the votes of its blocks tell: all rows choose among them."""
        made = learners.StableErmLearner(
            concepts.parse(spec), epsilon=epsilon, delta=delta, blocks=blocks
        )
        vote = cache(lambda part: made.vote(labelled(part)))

        def law(parts: list[Rows]) -> Law[Any]:
            return made.law_of_votes(map(vote, parts), labelled(tuple(chain(*parts))))

        return {"learner": made, "law": law, "vote": tuple, "claim": spent(made.cost, delta)}

    def voted(
        spec: str, blocks: int, size: int, epsilon: str, delta: str, *, tight: bool = False
    ) -> Case:
        how = learner(spec, epsilon, delta, blocks)
        return placed(sizes=[size] * blocks, about=f"{spec}, {blocks} blocks", tight=tight, **how)

    def nearly(epsilon: str, delta: str) -> Case:
        points, how = concepts.Points(1), learner("points(bits=1)", epsilon, delta, 20)
        return alike(sizes=[50] * 20, n=1000, about="points", universe=rows_of(points), **how)

    return (
        voted("thresholds(bits=1)", 4, 1, "2", "1/5"),
        voted("thresholds(bits=1)", 2, 2, "1", "1/10"),
        voted("points(bits=1)", 3, 1, "4", "1/3", tight=True),
        voted("points(bits=1)", 2, 1, "1/4", "1/10"),
        voted("points(bits=1)", 2, 1, "6", "1/10"),
    ), tuple(
        Probe(nearly(epsilon, delta), 100, ((0, (1,)),) * 1000)
        for epsilon, delta in (("1/100", "4e-2"), ("16", "1e-66"))
    )
