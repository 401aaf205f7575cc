"""Lines by vote: blocks of one size and of several, by position and in a uniform order."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.concepts.lines import Lines
from tacit.core.exact import Exact
from tacit.core.law import Law, mixture
from tacit.evaluation.cases.line_learner import CROWD, Row, plane
from tacit.evaluation.cases.parity_learner import counted
from tacit.evaluation.verification import Case
from tacit.learners.voting_line import VotingLineLearner


def _case(
    p: int,
    universe: tuple[Row, ...],
    n: int,
    smallest: int,
    scales: int,
    voters: int,
    epsilon: Exact,
    delta: Exact,
    *,
    by: str = "position",
    tight: bool = False,
) -> Case:
    """Make a case; single rows vote alike whatever their order."""
    learner = VotingLineLearner(
        Lines(p), epsilon=epsilon, delta=delta, smallest=smallest, scales=scales, voters=voters
    )

    def law(database: tuple[Row, ...]) -> Law[Any]:
        if by != "position":
            return learner.law(counted(database))
        sizes = [1 << k for k in range(smallest, smallest + scales)]
        cuts = [[counted(database[i * t : (i + 1) * t]) for i in range(voters)] for t in sizes]
        return mixture((Fraction(1, scales), learner.blocks_law(blocks)) for blocks in cuts)

    return Case(
        "voting-line-learner",
        f"p={p}, n={n}, {voters} voters, block sizes from {1 << smallest} on, {scales} of them, "
        f"by {by}, epsilon={epsilon}, delta={delta}",
        "learner",
        learner.cost,
        universe,
        n,
        law,
        symmetric=by != "position" or n == voters,
        tight=tight,
    )


CASES = (
    _case(2, plane(2), 4, 0, 1, 4, "1", "1/10", tight=True),
    _case(3, CROWD, 6, 0, 1, 6, "1/2", "1/20", tight=True),
    _case(3, CROWD[:3], 6, 1, 1, 3, "1", "1/100", tight=True),
    _case(3, CROWD[:3], 6, 0, 2, 3, "2", "1/20"),
    _case(2, plane(2)[1::2], 4, 0, 2, 2, "1", "1/10", by="uniform order"),
)
