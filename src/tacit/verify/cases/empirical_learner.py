"""Learners on rows drawn in secret, with replacement, over all databases."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.composition.pricing import price
from tacit.core.composition.subsampling import amplified
from tacit.core.cost import Approximate, Pure
from tacit.core.privacy import Privacy
from tacit.learners.contract.learner import Learner
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.made_from.empirical import EmpiricalLearner
from tacit.learners.points.stable_point import StablePointLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]


def _case(base: Learner[Any], drawn: int, n: int, privacy: Privacy | None = None) -> Case:
    learner = EmpiricalLearner(base, drawn=drawn, rows=n, privacy=privacy)
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product((0, 1), (0, 1)))

    law = Route(learner, labelled)

    if privacy is None:
        claim: Pure | Approximate = Pure(price(learner.cost).privacy.epsilon)
    else:
        kept = amplified(learner.cost, privacy)
        assert kept is not None
        claim = Approximate(kept.epsilon, kept.delta)
    setting = f"{drawn} of {n} rows, {type(base).__name__}, {learner.privacy}"
    return Case("empirical-learner", setting, "learner", claim, universe, n, law)


CASES = (
    _case(GenericLearner(Thresholds(1), epsilon=1), 3, 4),
    _case(GenericLearner(Points(1), epsilon=2), 2, 5),
    _case(StablePointLearner(Points(1), epsilon=1, delta="1/10"), 4, 4, Privacy(1, "1/10")),
    _case(StablePointLearner(Points(1), epsilon="1/2", delta="1/50"), 3, 5, Privacy("1/2", "1/50")),
    _case(GenericLearner(Thresholds(1), epsilon=8), 1, 3),
    _case(GenericLearner(Points(1), epsilon=7), 3, 3),
)

PROBES = tuple(
    Probe(_case(GenericLearner(Thresholds(1), epsilon=epsilon), drawn, 1000), 600)
    for epsilon, drawn in ((1, 3), (20, 5))
)
