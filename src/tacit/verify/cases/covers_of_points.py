"""Covers of the points: the splits of a line, and the points that occur often."""

from __future__ import annotations

from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.exact import Exact
from tacit.learners.many_labels.covers_of_points import SplitCover, ToldCover
from tacit.statistics import Counts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

UNIVERSE = (0, 1, 2)


def _split(n: int, depth: int, epsilon: Exact, values: int = 3) -> Case:
    """On three points every cover of depth 1 is the same; from five on they differ."""
    cover = SplitCover(Thresholds(values=values), epsilon=epsilon, depth=depth)

    law = Route(cover, Counts.of)

    setting = f"{values} points, n={n}, depth {depth}, epsilon={epsilon} a level"
    claim = Pure(depth * cover.epsilon)
    return Case("split-cover", setting, "mechanism", claim, tuple(range(values)), n, law)


def _told(n: int, epsilon: Exact, delta: Exact) -> Case:
    cover = ToldCover(Points(values=3), epsilon=epsilon, delta=delta)

    law = Route(cover, Counts.of)

    setting = f"3 points, n={n}, epsilon={epsilon}, delta={delta}"
    claim = Approximate(cover.epsilon, cover.delta)
    return Case("told-cover", setting, "mechanism", claim, UNIVERSE, n, law)


CASES = (
    _split(3, 1, "1"),
    _split(4, 2, "1/2"),
    _split(3, 1, "2"),
    _told(4, "1", "1/10"),
    _told(5, "1/2", "1/50"),
    _split(3, 1, "1/4", 5),
    _split(3, 1, "6", 5),
    _told(4, "6", "1/100"),
)

PROBES = (
    Probe(_split(60, 1, "1/4", 6), 600, neighbours=1),
    Probe(_split(30, 1, "8", 6), 600, neighbours=1),
    *(
        Probe(_told(1000, epsilon, delta), database=(0,) * (1000 - often) + (1,) * often)
        for epsilon, delta, often in (("1/50", "3e-3", 150), ("8", "3e-4", 3))
    ),
)
