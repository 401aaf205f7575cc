"""The confidence booster around pure and approximate learners."""

from __future__ import annotations

from typing import Any

from tacit.concepts.algebra.lines import Lines
from tacit.concepts.algebra.parities import Parities
from tacit.concepts.line.points import Points
from tacit.core.chance.law import Law
from tacit.core.cost import Approximate, Pure
from tacit.learners.algebra.parity import ParityLearner
from tacit.learners.algebra.voting_line import VotingLineLearner
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.made_from.confidence_booster import ConfidenceBooster
from tacit.verify.cases.line_learner import CROWD
from tacit.verify.cases.parity_learner import counted, labelled
from tacit.verify.dealing_alike import dealt
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe

POINTS = tuple((x, (y,)) for x in range(2) for y in (0, 1))


def _case(
    name: str,
    booster: ConfidenceBooster,
    claim: Pure | Approximate,
    universe: tuple[Any, ...],
    n: int,
    *,
    by: str = "position",
    tight: bool = False,
) -> Case:
    def law(database: tuple[Any, ...]) -> Law[Any]:
        if by != "position":
            return booster.law(counted(database))
        size = booster.rows
        starts = range(0, booster.repeats * size, size)
        blocks = [counted(database[start : start + size]) for start in starts]
        return booster.blocks_law([*blocks, counted(database[booster.repeats * size :])])

    return Case(
        "confidence-booster",
        f"{name}, {booster.repeats} blocks of {booster.rows}, n={n}, by {by}, "
        f"epsilon={claim.epsilon}",
        "learner",
        claim,
        universe,
        n,
        law,
        symmetric=by != "position",
        tight=tight,
        drawn=Route(booster, counted),
    )


def _votes(voters: int) -> VotingLineLearner:
    return VotingLineLearner(Lines(3), epsilon=1, delta="1/10", voters=voters)


CASES = (
    _case(
        "parities",
        ConfidenceBooster(
            ParityLearner(Parities(1), epsilon="1/2", attempts=2), rows=2, repeats=2, epsilon="1/2"
        ),
        Pure("1/2"),
        labelled(1)[1:],
        5,
    ),
    _case(
        "a single parity",
        ConfidenceBooster(
            ParityLearner(Parities(1), epsilon=1, attempts=1), rows=3, repeats=1, epsilon="1/2"
        ),
        Pure(1),
        labelled(1),
        4,
        tight=True,
    ),
    _case(
        "points",
        ConfidenceBooster(GenericLearner(Points(1), epsilon=1), rows=1, repeats=2, epsilon=2),
        Pure(2),
        POINTS,
        4,
        by="uniform order",
    ),
    _case(
        "a vote on lines",
        ConfidenceBooster(_votes(2), rows=2, repeats=2, epsilon=1),
        Approximate(1, "1/10"),
        CROWD[1:4],
        5,
    ),
    _case(
        "points",
        ConfidenceBooster(GenericLearner(Points(1), epsilon=6), rows=1, repeats=2, epsilon=6),
        Pure(6),
        POINTS,
        3,
        by="uniform order",
    ),
)


def _alike(n: int, epsilon: str) -> Case:
    """Rows that are nearly all alike, dealt in a uniform order."""
    base = GenericLearner(Points(1), epsilon=epsilon)
    booster = ConfidenceBooster(base, rows=n // 3, repeats=2, epsilon=epsilon)
    sizes = [n // 3, n // 3, n - 2 * (n // 3)]

    def law_of(rows: tuple[Any, ...]) -> Law[Any]:
        return dealt(rows, sizes, lambda parts: booster.blocks_law([*map(counted, parts)]))

    law = Route(lambda rows, *, rng: booster(counted(rows), rng=rng), as_it_is, law_of)
    setting = f"points, 2 blocks of {n // 3}, n={n}, nearly all rows alike, epsilon={epsilon}"
    return Case("confidence-booster", setting, "learner", Pure(epsilon), POINTS, n, law)


PROBES = tuple(Probe(_alike(1000, epsilon), 200, POINTS[:1] * 1000) for epsilon in ("1/500", "8"))
