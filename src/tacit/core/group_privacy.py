"""What a promise about one row is worth to a person who has several."""

from __future__ import annotations

from tacit.core import check
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
