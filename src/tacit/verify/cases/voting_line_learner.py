"""Lines by vote: small and large blocks, by position and in a uniform order."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from tacit.concepts.algebra.lines import Lines
from tacit.core.chance.law import Law
from tacit.core.numbers.exact import Exact
from tacit.learners.algebra.voting_line import RATIO, VotingLineLearner
from tacit.verify.cases.line_learner import CROWD, Row, plane
from tacit.verify.cases.parity_learner import counted
from tacit.verify.dealing_alike import dealt
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe


def _case(
    p: int,
    universe: tuple[Row, ...],
    voters: int,
    small: int,
    large: int,
    epsilon: Exact,
    delta: Exact,
    *,
    by: str = "position",
    tight: bool = False,
) -> Case:
    """Make a case; single rows of one poll vote alike whatever their order."""
    learner = VotingLineLearner(Lines(p), epsilon=epsilon, delta=delta, voters=voters)
    n = voters * (small + large)
    ends = np.cumsum([0, *[small] * voters, *[large] * voters]).tolist()

    def law(database: tuple[Row, ...]) -> Law[Any]:
        if by != "position":
            return learner.law(counted(database))
        return learner.blocks_law([counted(database[i:j]) for i, j in pairwise(ends)])

    return Case(
        "voting-line-learner",
        f"p={p}, n={n}, {voters} voters with blocks of {small} and of {large}, by {by}, "
        f"epsilon={epsilon}, delta={delta}",
        "learner",
        learner.cost,
        universe,
        n,
        law,
        symmetric=by != "position" or n == voters,
        tight=tight,
        drawn=Route(learner, counted),
    )


def _alike(n: int, epsilon: Exact, delta: Exact) -> Case:
    """Rows that are nearly all alike, dealt in a uniform order to 20 voters of each kind."""
    learner = VotingLineLearner(Lines(3), epsilon=epsilon, delta=delta, voters=20)
    small = n // (20 * (1 + RATIO))
    sizes = [small] * 20 + [n // 20 - small] * 20

    def law_of(rows: tuple[Row, ...]) -> Law[Any]:
        return dealt(rows, sizes, lambda parts: learner.blocks_law([*map(counted, parts)]))

    law = Route(lambda rows, *, rng: learner(counted(rows), rng=rng), as_it_is, law_of)
    setting = f"p=3, n={n}, 20 voters, nearly all alike, epsilon={epsilon}, delta={delta}"
    return Case("voting-line-learner", setting, "learner", learner.cost, CROWD, n, law)


CASES = (
    _case(2, plane(2), 4, 0, 1, "1", "1/10", tight=True),
    _case(3, CROWD, 6, 1, 0, "1/2", "1/20", tight=True),
    _case(3, CROWD[:3], 3, 0, 2, "1", "1/100", tight=True),
    _case(3, CROWD[:3], 3, 1, 1, "2", "1/20", tight=True),
    _case(3, CROWD[:3], 2, 1, 2, "1", "1/10", tight=True),
    _case(2, plane(2)[1::2], 2, 0, 2, "1", "1/10", by="uniform order"),
    _case(2, plane(2)[1:4], 1, 1, 6, "1", "1/10", by="uniform order"),
    _case(2, plane(2)[1:4], 2, 0, 1, "6", "1/20"),
)

PROBES = tuple(
    Probe(_alike(1000, epsilon, delta), 100, CROWD[:1] * 1000)
    for epsilon, delta in (("1/10", "1/50"), ("8", "4e-33"))
)
