"""The best of several learners: all that is trained and the choice told, rows dealt by position."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise, product
from typing import Any

from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.chance.law import Law
from tacit.core.composition.pricing import price
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.exact import Exact
from tacit.learners.contract.learner import Learner
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.made_from.selected import SelectedLearner
from tacit.learners.points.stable_point import StablePointLearner
from tacit.statistics import LabelCounts
from tacit.verify.dealing_alike import dealt
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]


def _case(
    candidates: Sequence[Learner[Any]],
    sizes: tuple[int, ...],
    epsilon: str,
    n: int,
    *,
    delta: Exact = 0,
    tight: bool = False,
) -> Case:
    search = SelectedLearner(candidates, sizes=sizes, epsilon=epsilon)
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product((0, 1), (0, 1)))
    cuts = list(pairwise(accumulate((*sizes, n - sum(sizes)), initial=0)))

    def law(database: tuple[Row, ...]) -> Law[Any]:
        blocks = [LabelCounts.of(database[start:end], labels=1) for start, end in cuts]
        return search.transcript(blocks)

    kept = price(search.cost, delta).privacy
    claim = Approximate(kept.epsilon, kept.delta) if delta else Pure(kept.epsilon)
    names = ", ".join(str(candidate.hypotheses) for candidate in candidates)
    setting = f"{names}, sizes={sizes}, n={n}, epsilon={epsilon}"
    return Case(
        "selected-learner",
        setting,
        "learner",
        claim,
        universe,
        n,
        law,
        symmetric=False,
        tight=tight,
        drawn=Route(search, labelled),
    )


CASES = (
    _case(
        [GenericLearner(c, epsilon=1) for c in (Points(1), Thresholds(1))],
        (1, 1),
        "1",
        4,
    ),
    _case(
        [GenericLearner(Points(1), epsilon="1/2"), GenericLearner(Thresholds(1), epsilon=2)],
        (1, 1),
        "1/4",
        3,
    ),
    _case(
        [
            StablePointLearner(Points(1), epsilon=1, delta="1/10"),
            GenericLearner(Thresholds(1), epsilon=1),
        ],
        (2, 1),
        "1",
        4,
        delta="1/10",
        tight=True,
    ),
    _case([GenericLearner(c, epsilon="1/3") for c in (Points(1), Thresholds(1))], (1, 1), "1/6", 3),
    _case([GenericLearner(c, epsilon=6) for c in (Points(1), Thresholds(1))], (1, 1), "6", 3),
)


def _alike(n: int, epsilon: str) -> Case:
    """Rows that are nearly all alike, dealt in a uniform order."""
    sizes = (n // 4, n // 4)
    candidates = [GenericLearner(c, epsilon=epsilon) for c in (Points(1), Thresholds(1))]
    search = SelectedLearner(candidates, sizes=sizes, epsilon=epsilon)

    def law_of(rows: tuple[Row, ...]) -> Law[Any]:
        def told(parts: list[tuple[Row, ...]]) -> Law[Any]:
            return search.transcript([*map(labelled, parts)]).map(lambda found: found[1])

        return dealt(rows, [*sizes, n - sum(sizes)], told)

    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product((0, 1), (0, 1)))
    law = Route(lambda rows, *, rng: search(labelled(rows), rng=rng), as_it_is, law_of)
    setting = f"points, thresholds, sizes={sizes}, n={n}, nearly all alike, epsilon={epsilon}"
    claim = Pure(price(search.cost).privacy.epsilon)
    return Case("selected-learner", setting, "learner", claim, universe, n, law)


PROBES = tuple(Probe(_alike(1000, epsilon), 300, ((0, (0,)),) * 1000) for epsilon in ("1/500", "8"))
