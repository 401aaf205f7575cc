"""What a promise about one row is worth to a person who has several."""

from __future__ import annotations

from tacit.core import check
from tacit.core.cost import (
    Added,
    BoundedRange,
    Cost,
    NearGaussian,
    Pure,
    Repeat,
    Sequential,
    ZeroConcentrated,
)
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.core.privacy import Privacy


def group_privacy(privacy: Privacy, rows: int) -> Privacy | None:
    """Return the promise for replacing so many rows at once; None where nothing is promised.

    Guarantee:
        k epsilon [DR14, Thm. 2.2], and delta (1 + e^epsilon + ... + e^((k-1) epsilon)), rounded
        up: put the promise for one row into itself, P0 <= e^epsilon (e^epsilon P2 + delta) + delta.

    >>> group_privacy(Privacy("0.5"), 4)
    Privacy(epsilon=Fraction(2, 1), delta=Fraction(0, 1))
    >>> group_privacy(Privacy(3, "1e-3"), 4) is None
    True
    """
    rows = check.count(rows=rows, least=1)
    if rows == 1 or not privacy.delta:
        return Privacy(rows * privacy.epsilon, privacy.delta)

    def total() -> Enclosure:
        step = real(privacy.epsilon)
        return real(privacy.delta) * (step * rows).expm1() / step.expm1()

    if not privacy.epsilon:
        delta = rows * privacy.delta
    elif rows * privacy.epsilon > 1000:
        return None
    else:
        delta = upper(total)
    return Privacy(rows * privacy.epsilon, delta) if delta < 1 else None


def grouped(cost: Cost, rows: int) -> Cost:
    """Return what a release costs one who has so many rows, leaf by leaf.

    Guarantee:
        Losses of neighbours add up along a chain of so many replacements: `Pure` and, as each
        interval holds 0, `BoundedRange` grow as their number, concentrated costs as its square
        [BS16, Prop. 1.9] and those of noise, vectors being so many times as far apart, and sums of
        releases as their parts. Refused for leaves of which no such rule is exact, and
        for blocks of rows, of which the rows of one may be in several.

    >>> grouped(Repeat(BoundedRange("1/60"), 3), 60)
    Repeat(part=BoundedRange(epsilon=Fraction(1, 1)), times=3, adaptive=True)
    """
    check.count(rows=rows, least=1)
    match cost:
        case Pure(epsilon) | BoundedRange(epsilon):
            return type(cost)(rows * epsilon)
        case ZeroConcentrated(rho):
            return ZeroConcentrated(rows**2 * rho)
        case NearGaussian(rho, mu_squared):
            return NearGaussian(rows**2 * rho, rows**2 * mu_squared)
        case Sequential(parts):
            return Sequential(*(grouped(part, rows) for part in parts))
        case Repeat(part, times, adaptive):
            return Repeat(grouped(part, rows), times, adaptive=adaptive)
    raise InvalidArgument(f"{type(cost).__name__} has no exact price for several rows of one")


def as_replaced(cost: Added) -> Cost:
    """Return what a release for added records costs where one is replaced: removed, then added.

    >>> as_replaced(Added(Pure("0.5")))
    Pure(epsilon=Fraction(1, 1))
    """
    return grouped(cost.part, 2)
