"""k labels from one cover: the law of the cover together with all hypotheses."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.chance.law import Law
from tacit.core.composition import price
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.exact import Exact
from tacit.learners.many_labels.covers_of_points import SplitCover, ToldCover
from tacit.learners.many_labels.shared_cover import SharedCoverLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is, jointly
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int, ...]]
LINE, SPOTS = Thresholds(values=3), Points(values=3)


ONE = tuple(product(range(3), product((0, 1), repeat=1)))
THREE: tuple[Row, ...] = ((0, (0, 0, 1)), (1, (1, 0, 1)), (2, (1, 1, 0)))
MANY: tuple[Row, ...] = tuple((x, (y,) * 10) for x in range(3) for y in (0, 1))
TWO = tuple(product(range(3), ((0, 1), (1, 0))))


def _case(
    cover: SplitCover | ToldCover,
    epsilon: Exact,
    delta: Exact,
    universe: tuple[Row, ...] = ONE,
    n: int = 3,
) -> Case:
    labels = len(universe[0][1])
    learner = SharedCoverLearner(cover, labels=labels, epsilon=epsilon)
    two = SharedCoverLearner(cover, labels=min(labels, 2), epsilon=epsilon)  # the others are alike
    priced = price(learner.cost, delta).privacy
    claim = Approximate(priced.epsilon, priced.delta) if priced.delta else Pure(priced.epsilon)

    drawn = Route(
        lambda rows, *, rng: learner(jointly(labels)(rows), rng=rng),
        as_it_is,
        lambda rows: two.law(jointly(two.labels)(tuple((x, marks[:2]) for x, marks in rows))),
        lambda told: told[:2],
    )

    def law(database: tuple[Row, ...]) -> Law[Any]:
        return learner.law_with_cover(jointly(labels)(database))

    name = f"{cover.concepts}, {labels} labels, cover {cover.epsilon}, choices {learner.epsilon}"
    setting = f"{name}, delta={delta}"
    return Case(
        "shared-cover-learner",
        setting,
        "learner",
        claim,
        universe,
        n,
        law,
        labels=labels,
        drawn=drawn,
    )


CASES = (
    _case(SplitCover(LINE, epsilon="1/2", depth=1), "1/2", 0),
    _case(SplitCover(LINE, epsilon="1/2", depth=2), "1/2", 0, ONE[1:-1]),
    _case(SplitCover(LINE, epsilon="1", depth=1), "1/2", "1/50", TWO[1:-1]),
    _case(ToldCover(SPOTS, epsilon="4/5", delta="1/10"), "3/5", "1/5"),
    _case(ToldCover(SPOTS, epsilon="4/5", delta="1/10"), "3/5", "1/8", TWO[1:]),
    _case(SplitCover(LINE, epsilon="1/8", depth=1), "1/8", 0),
    _case(SplitCover(LINE, epsilon="4", depth=1), "4", 0, ONE[1:-1]),
    _case(SplitCover(LINE, epsilon="1", depth=1), "1/2", 0, THREE),
)

PROBES = tuple(
    Probe(
        _case(ToldCover(SPOTS, epsilon=cover, delta=delta), epsilon, "1/8", MANY, 1000),
        300,
        neighbours=0,
    )
    for cover, delta, epsilon in (("1/20", "1/100", "1/100"), ("8", "1/1000", "2"))
)
