"""A private centre point on a line, in the plane and in space."""

from __future__ import annotations

from itertools import product

from tacit.mechanisms.points.centre_point import CentrePoint
from tacit.statistics import Counts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe


def _case(sizes: tuple[int, ...], n: int, epsilon: str, *, tight: bool = False) -> Case:
    mechanism = CentrePoint(sizes, epsilon)
    universe = tuple(product(*map(range, sizes)))

    law = Route(mechanism, Counts.of)

    shape = "x".join(map(str, sizes))
    setting = f"{shape} grid, n={n}, epsilon={epsilon}"
    return Case("centre-point", setting, "mechanism", mechanism.cost, universe, n, law, tight=tight)


CASES = (
    _case((4,), 4, "1", tight=True),
    _case((2,), 1, "2", tight=True),
    _case((2, 2), 3, "1"),
    _case((3, 2), 3, "2", tight=True),
    _case((2, 2, 2), 2, "1/2", tight=True),
    _case((3,), 3, "6"),
)

PROBES = tuple(Probe(_case((4,), 1000, epsilon)) for epsilon in ("1/20", "8"))
