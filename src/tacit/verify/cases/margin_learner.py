"""The margin learner in whole units: every outcome of the noisy frame and of a step."""

from __future__ import annotations

from fractions import Fraction

from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.composition.interpreters.concentrated import delta_of_rho
from tacit.core.cost import Approximate
from tacit.learners.linear.margin import MarginLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]
UNIVERSE: tuple[Row, ...] = ((0, (0,)), (0, (1,)), (2, (0,)), (2, (1,)))


def _case(rho: int, epsilon: int, n: int, universe: tuple[Row, ...]) -> Case:
    learner = MarginLearner(Scorecards("3"), rho=rho, steps=1, bits=0)

    law = Route(learner, labelled)

    claim = Approximate(epsilon, delta_of_rho(Fraction(rho), Fraction(epsilon)))
    setting = f"{learner.concepts}, n={n}, one step in whole units, rho={rho}, at epsilon={epsilon}"
    return Case("margin-learner", setting, "learner", claim, universe, n, law)


CASES = (
    _case(8, 10, 3, UNIVERSE[:3]),
    _case(4, 6, 3, UNIVERSE[1:]),
    _case(8, 16, 2, UNIVERSE),
)

PROBES = (Probe(_case(8, 10, 1000, UNIVERSE), 300, neighbours=1),)
