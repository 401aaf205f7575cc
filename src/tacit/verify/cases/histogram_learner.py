"""k points from one histogram: two labels, proper and not."""

from __future__ import annotations

from itertools import product

from tacit.concepts.line.points import Points
from tacit.core.numbers.exact import Exact
from tacit.learners.points.histogram import HistogramLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, jointly
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int, ...]]


FEW: tuple[Row, ...] = ((0, (0, 0, 0)), (1, (1, 1, 1)), (0, (1, 1, 0)))
MANY: tuple[Row, ...] = ((0, (0,) * 10), (1, (1,) * 10), (1, (1, 0) * 5))


def _case(
    n: int,
    labels: int,
    epsilon: Exact,
    delta: Exact,
    *,
    proper: bool = False,
    universe: tuple[Row, ...] = (),
) -> Case:
    learner = HistogramLearner(
        Points(1), labels=labels, epsilon=epsilon, delta=delta, proper=proper
    )
    rows = tuple((x, marks) for x in (0, 1) for marks in product((0, 1), repeat=labels))

    law = Route(learner, jointly(labels))

    setting = f"{labels} labels, n={n}, proper={proper}, epsilon={epsilon}, delta={delta}"
    return Case(
        "histogram-learner",
        setting,
        "learner",
        learner.cost,
        universe or rows,
        n,
        law,
        labels=labels,
    )


CASES = (
    _case(3, 2, "1", "1/10"),
    _case(4, 1, "2", "1/20"),
    _case(3, 2, "1/2", "1/100", proper=True),
    _case(3, 3, "6", "1/100", universe=FEW),
)

PROBES = tuple(
    Probe(
        _case(1000, 10, epsilon, delta, universe=MANY),
        database=MANY[:1] * (1000 - often) + MANY[1:2] * often,
    )
    for epsilon, delta, often in (("1/50", "3e-3", 150), ("8", "3e-4", 3))
)
