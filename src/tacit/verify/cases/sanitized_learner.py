"""Sanitize, then learn: records dealt to the two pools by position."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from tacit.concepts.line.thresholds import Thresholds
from tacit.core.chance.law import Law
from tacit.core.composition import price
from tacit.core.cost import Pure
from tacit.learners.many_labels.covers_of_points import SplitCover
from tacit.learners.many_labels.sanitized import SanitizedLearner
from tacit.statistics import Counts, LabelCounts
from tacit.verify.dealing_alike import dealt
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int, ...]]


def _case(values: int, pools: tuple[int, int], cover: str, depth: int, epsilon: str) -> Case:
    splits = SplitCover(Thresholds(values=values), epsilon=cover, depth=depth)
    learner = SanitizedLearner(splits, epsilon=epsilon, share="1/2")
    first, n = pools[0], sum(pools)

    @cache
    def told(points: tuple[int, ...], rows: tuple[Row, ...]) -> Law[Any]:
        return learner.law_of_pools(Counts.of(points), LabelCounts.of(rows, labels=1))

    def law(database: tuple[Row, ...]) -> Law[Any]:
        points = tuple(sorted(x for x, _ in database[:first]))
        return told(points, tuple(sorted(database[first:])))

    claim = Pure(price(learner.cost).privacy.epsilon)
    name = f"{learner.concepts}, pools of {pools[0]} and {pools[1]}, cover {depth} x {cover}"
    setting = f"{name}, choice {epsilon}"
    universe = tuple(product(range(values), ((0,), (1,))))
    return Case(
        "sanitized-learner",
        setting,
        "learner",
        claim,
        universe,
        n,
        law,
        symmetric=False,
        drawn=Route(learner, labelled),
    )


CASES = (
    _case(3, (2, 1), "1/2", 1, "1/2"),
    _case(2, (2, 2), "1/4", 2, "1/2"),
    _case(3, (1, 2), "1/3", 2, "1"),
    _case(2, (1, 1), "6", 1, "6"),
)


def _alike(n: int, epsilon: str) -> Case:
    """Rows that are nearly all alike; one in a hundred is for the cover."""
    splits = SplitCover(Thresholds(values=3), epsilon=epsilon, depth=1)
    learner = SanitizedLearner(splits, epsilon=epsilon, share="1/100")
    sizes = [n // 100, n - n // 100]

    def law_of(rows: tuple[Row, ...]) -> Law[Any]:
        def told(parts: list[tuple[Row, ...]]) -> Law[Any]:
            points = Counts.of(x for x, _ in parts[0])
            return learner.law_of_pools(points, labelled(parts[1])).map(lambda both: both[1])

        return dealt(rows, sizes, told)

    universe = tuple(product(range(3), ((0,), (1,))))
    law = Route(lambda rows, *, rng: learner(labelled(rows), rng=rng), as_it_is, law_of)
    claim = Pure(price(learner.cost).privacy.epsilon)
    setting = f"{learner.concepts}, n={n}, nearly all rows alike, epsilon={epsilon} twice"
    return Case("sanitized-learner", setting, "learner", claim, universe, n, law)


PROBES = tuple(Probe(_alike(1000, epsilon), 300, ((1, (1,)),) * 1000) for epsilon in ("1/500", "8"))
