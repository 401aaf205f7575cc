"""The learner with a prior: its weights are public, so the generic learner's proof serves."""

from __future__ import annotations

from itertools import product

from tacit.concepts.line.thresholds import Thresholds
from tacit.learners.thresholds.prior import PriorLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]


def _case(concepts: Thresholds, n: int, epsilon: str) -> Case:
    learner = PriorLearner(concepts, epsilon=epsilon)
    points = range(concepts.domain_size)
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(points, (0, 1)))

    law = Route(learner, labelled)

    setting = f"{concepts}, n={n}, epsilon={epsilon}"
    return Case("prior-learner", setting, "learner", learner.cost, universe, n, law, tight=True)


CASES = (
    _case(Thresholds(2), 3, "1"),
    _case(Thresholds(values=3), 4, "1/10"),
    _case(Thresholds(values=3, direction="both"), 3, "2"),
    _case(Thresholds(1), 3, "6"),
)

PROBES = tuple(Probe(_case(Thresholds(3), 1000, epsilon)) for epsilon in ("1/20", "8"))
