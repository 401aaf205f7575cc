"""Votes of the standard optimal algorithm: records dealt to the blocks by position."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from tacit.concepts.contract.specification import parse
from tacit.core.chance.law import Law
from tacit.core.composition import price
from tacit.core.cost import Approximate
from tacit.learners.every_class.stable_erm import StableErmLearner
from tacit.statistics import LabelCounts
from tacit.verify.dealing_alike import dealt
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is, labelled
from tacit.verify.sampling import Probe

Row = tuple[Any, tuple[int]]


def _case(
    spec: str, blocks: int, size: int, epsilon: str, delta: str, *, tight: bool = False
) -> Case:
    concepts = parse(spec)
    learner = StableErmLearner(concepts, epsilon=epsilon, delta=delta, blocks=blocks)
    universe: tuple[Row, ...] = tuple(
        (x, (y,)) for x, y in product(concepts.domain().tolist(), (0, 1))
    )

    def law(database: tuple[Row, ...]) -> Law[Any]:
        starts = range(0, blocks * size, size)
        dealt = [LabelCounts.of(database[i : i + size], labels=1) for i in starts]
        sample = LabelCounts.of(database, labels=1)
        return learner.law_of_votes(map(learner.vote, dealt), sample)

    total = price(learner.cost, delta).privacy
    setting = f"{spec}, {blocks} blocks of {size}, epsilon={epsilon}, delta={delta}"
    return Case(
        "stable-erm-learner",
        setting,
        "learner",
        Approximate(total.epsilon, total.delta),
        universe,
        blocks * size,
        law,
        symmetric=False,
        tight=tight,
        drawn=Route(learner, labelled),
    )


def _alike(n: int, epsilon: str, delta: str) -> Case:
    """Rows that are nearly all alike, dealt in a uniform order to 20 blocks."""
    learner = StableErmLearner(parse("points(bits=1)"), epsilon=epsilon, delta=delta, blocks=20)

    def law_of(rows: tuple[Row, ...]) -> Law[Any]:
        def told(parts: list[tuple[Row, ...]]) -> Law[Any]:
            return learner.law_of_votes([vote(part) for part in parts], labelled(rows))

        return dealt(rows, [n // 20] * 20, told)

    @cache
    def vote(part: tuple[Row, ...]) -> Any:
        return learner.vote(labelled(part))

    total = price(learner.cost, delta).privacy
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product((0, 1), (0, 1)))
    law = Route(lambda rows, *, rng: learner(labelled(rows), rng=rng), as_it_is, law_of)
    setting = f"points, 20 blocks, n={n}, nearly all alike, epsilon={epsilon}, delta={delta}"
    claim = Approximate(total.epsilon, total.delta)
    return Case("stable-erm-learner", setting, "learner", claim, universe, n, law)


CASES = (
    _case("thresholds(bits=1)", 4, 1, "2", "1/5"),
    _case("thresholds(bits=1)", 2, 2, "1", "1/10"),
    _case("points(bits=1)", 3, 1, "4", "1/3", tight=True),
    _case("points(bits=1)", 2, 1, "1/4", "1/10"),
    _case("points(bits=1)", 2, 1, "6", "1/10"),
)

PROBES = tuple(
    Probe(_alike(1000, epsilon, delta), 100, (((0, (1,)),) * 1000))
    for epsilon, delta in (("1/100", "4e-2"), ("16", "1e-66"))
)
