"""The label-private learner: neighbours differ in one label, and all points are public."""

from __future__ import annotations

from itertools import product

import numpy as np

from tacit.concepts.contract.specification import parse
from tacit.learners.every_class.label_private import LabelPrivateLearner
from tacit.statistics import LabelCounts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]


def _case(spec: str, n: int, epsilon: str, *, tight: bool = False) -> Case:
    concepts = parse(spec)
    learner = LabelPrivateLearner(concepts, epsilon=epsilon)
    universe: tuple[Row, ...] = tuple(
        (x, (y,)) for x, y in product(concepts.domain().tolist(), (0, 1))
    )

    law = Route(
        lambda held, *, rng: learner(*held, rng=rng),
        lambda rows: (np.array([point for point, _ in rows]), LabelCounts.of(rows, labels=1)),
        lambda held: learner.law(*held),
    )

    return Case(
        "label-private-learner",
        f"{spec}, n={n}, epsilon={epsilon}",
        "learner",
        learner.privacy,
        universe,
        n,
        law,
        tight=tight,
    )


CASES = (
    _case("thresholds(bits=2)", 3, "1"),
    _case("points(bits=2)", 4, "1/2"),
    _case("intervals(bits=2)", 3, "2"),
    _case("thresholds(bits=1)", 24, "1", tight=True),
    _case("thresholds(bits=1)", 3, "6"),
)

PROBES = tuple(Probe(_case("thresholds(bits=3)", 1000, epsilon)) for epsilon in ("1/20", "8"))
