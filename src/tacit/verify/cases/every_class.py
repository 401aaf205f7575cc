"""Learners of every class: by scores, by a cover, for private labels, and by votes."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from tacit import concepts, learners
from tacit.core.chance.law import Law
from tacit.theory.dimensions.covers import Marginal
from tacit.verify.cases.statement import Audited, case, rows_of, spent
from tacit.verify.dealing import by_position, dealt
from tacit.verify.enumeration import Case
from tacit.verify.route import labelled
from tacit.verify.sampling import Probe

Rows = tuple[Any, ...]


def generic_learner() -> Audited:
    """The generic learner on every small class that has rows enough to disagree about."""

    def learned(spec: str, n: int, epsilon: str) -> Case:
        learner = learners.GenericLearner(concepts.parse(spec), epsilon=epsilon)
        setting, universe = f"{spec}, n={n}, epsilon={epsilon}", rows_of(learner.concepts)
        tight = n < 1000
        return case("generic-learner", setting, learner, universe, n, labelled, tight=tight)

    return (
        learned("thresholds(bits=2)", 3, "1"),
        learned("thresholds(bits=2, direction=both)", 3, "1/2"),
        learned("points(bits=2)", 3, "1"),
        learned("intervals(bits=2)", 3, "2"),
        learned("boxes(bits=1, dims=2)", 3, "1"),
        learned("conjunctions(dims=2, width=2)", 3, "1"),
        learned("parities(dims=2)", 3, "1/10"),
        learned("lines(p=2)", 3, "1"),
        learned("halfspaces(bits=1, dims=2)", 3, "1"),
        learned("balls(bits=1, dims=2)", 3, "3"),
        learned("thresholds(bits=1)", 3, "6"),
    ), (
        Probe(learned("thresholds(bits=4)", 1000, "1/20")),
        Probe(learned("intervals(bits=3)", 1000, "8")),
        Probe(learned("boxes(bits=2, dims=2)", 1000, "8")),
        Probe(learned("halfspaces(bits=1, dims=2)", 1000, "1/20")),
        Probe(learned("conjunctions(dims=4, width=2)", 1000, "8")),
    )


def cover_learner() -> Audited:
    """The cover learner: uniform points, and points of a known distribution."""

    def learned(spec: str, radius: str, n: int, epsilon: str, marginal: Any = None) -> Case:
        learner = learners.CoverLearner(
            concepts.parse(spec), epsilon=epsilon, radius=radius, marginal=marginal
        )
        known = "known" if marginal else "uniform"
        setting = f"{spec}, {known} points, radius={radius}, n={n}, epsilon={epsilon}"
        universe = rows_of(learner.concepts)
        return case("cover-learner", setting, learner, universe, n, labelled, tight=True)

    skew = Marginal((0, 1, 3), (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)))
    both = "thresholds(bits=3, direction=both)"
    return (
        learned("thresholds(bits=2, direction=both)", "1/10", 3, "1"),
        learned("intervals(bits=2)", "1/4", 3, "1/2", skew),
        learned("conjunctions(dims=2, width=2)", "1/4", 3, "2"),
        learned("thresholds(bits=1)", "1/10", 3, "6"),
    ), tuple(Probe(learned(both, "1/20", 1000, epsilon)) for epsilon in ("1/20", "8"))


def label_private_learner() -> Audited:
    """The label-private learner: neighbours differ in one label, and all points are public."""

    def learned(spec: str, n: int, epsilon: str, *, tight: bool = False) -> Case:
        learner = learners.LabelPrivateLearner(concepts.parse(spec), epsilon=epsilon)
        return case(
            "label-private-learner",
            f"{spec}, n={n}, epsilon={epsilon}",
            lambda held, *, rng: learner(*held, rng=rng),
            rows_of(learner.concepts),
            n,
            lambda database: (np.array([point for point, _ in database]), labelled(database)),
            claim=learner.privacy,
            law=lambda held: learner.law(*held),
            tight=tight,
            kind="learner",
        )

    return (
        learned("thresholds(bits=2)", 3, "1"),
        learned("points(bits=2)", 4, "1/2"),
        learned("intervals(bits=2)", 3, "2"),
        learned("thresholds(bits=1)", 24, "1", tight=True),
        learned("thresholds(bits=1)", 3, "6"),
    ), tuple(Probe(learned("thresholds(bits=3)", 1000, epsilon)) for epsilon in ("1/20", "8"))


def stable_erm_learner() -> Audited:
    """Votes of the standard optimal algorithm: dealt by position, and nearly all rows alike."""
    target = "stable-erm-learner"

    def learner(spec: str, epsilon: str, delta: str, blocks: int) -> learners.StableErmLearner:
        made = concepts.parse(spec)
        return learners.StableErmLearner(made, epsilon=epsilon, delta=delta, blocks=blocks)

    def voted(
        spec: str, blocks: int, size: int, epsilon: str, delta: str, *, tight: bool = False
    ) -> Case:
        vote = learner(spec, epsilon, delta, blocks)

        def transcript(database: Rows) -> Law[Any]:
            sample = labelled(database)

            def law(parts: list[Any]) -> Law[Any]:
                return vote.law_of_votes(map(vote.vote, parts), sample)

            return by_position([size] * blocks, labelled, law)(database)

        return case(
            target,
            f"{spec}, {blocks} blocks of {size}, epsilon={epsilon}, delta={delta}",
            vote,
            rows_of(vote.concepts),
            blocks * size,
            labelled,
            claim=spent(vote.cost, delta),
            transcript=transcript,
            symmetric=False,
            tight=tight,
        )

    def alike(n: int, epsilon: str, delta: str) -> Case:
        """Rows that are nearly all alike, dealt in a uniform order to 20 blocks."""
        vote = learner("points(bits=1)", epsilon, delta, 20)
        of_block = cache(lambda part: vote.vote(labelled(part)))

        def law(database: Rows) -> Law[Any]:
            def told(parts: list[Rows]) -> Law[Any]:
                return vote.law_of_votes(map(of_block, parts), labelled(database))

            return dealt(database, [n // 20] * 20, told)

        return case(
            target,
            f"points, 20 blocks, n={n}, nearly all alike, epsilon={epsilon}, delta={delta}",
            lambda database, *, rng: vote(labelled(database), rng=rng),
            rows_of(vote.concepts),
            n,
            claim=spent(vote.cost, delta),
            law=law,
            kind="learner",
        )

    return (
        voted("thresholds(bits=1)", 4, 1, "2", "1/5"),
        voted("thresholds(bits=1)", 2, 2, "1", "1/10"),
        voted("points(bits=1)", 3, 1, "4", "1/3", tight=True),
        voted("points(bits=1)", 2, 1, "1/4", "1/10"),
        voted("points(bits=1)", 2, 1, "6", "1/10"),
    ), tuple(
        Probe(alike(1000, epsilon, delta), 100, ((0, (1,)),) * 1000)
        for epsilon, delta in (("1/100", "4e-2"), ("16", "1e-66"))
    )
