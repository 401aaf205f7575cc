"""How likely a key that each row has with some probability stays untold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.core.frozen import hold
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.core.numbers.least import least
from tacit.mechanisms.stable.release_table import Failures
from tacit.probability.binomial_masses import binomial_masses

FEW = 8
MANY = 1 << 53
ROUGH = 1 << 30
"""So many rows are sought by floats alone, which are off by less than one in a million."""
ULP = 2.0**-53
TINY, NOTHING = 1e-290, 1e-300


def binomial_miss(missed: Sequence[Fraction], n: int, mass: Fraction) -> Fraction:
    """Bound sum_c P[Bin(n, mass) = c] missed[c], the counts beyond the list being never missed.

    Exactness:
        Enclosure arithmetic, rounded up; n may be large, the list is what costs time.

    >>> float(binomial_miss([Fraction(1), Fraction(1, 2)], 2, Fraction(1, 2)))
    0.5
    """
    if not 0 < mass < 1:
        count = n if mass >= 1 else 0
        return missed[count] if count < len(missed) else Fraction(0)

    def total() -> Enclosure:
        term, odds = real(1 - mass) ** n, real(mass) / real(1 - mass)
        added = real(0)
        for c, chance in enumerate(missed[: n + 1]):
            added += term * real(chance)
            term = term * odds * (n - c) / (c + 1)
        return added

    return min(Fraction(1), upper(total))


@dataclass(frozen=True, slots=True, eq=False)
class Missed:
    """The chances to be missed by counts, up to the last that may be; beyond it there is none.

    Exactness:
        What is compared with a goal is a float with a proved relative error; where that does not
        decide, `binomial_miss` does.

    >>> some = Missed((Fraction(1), Fraction(1, 2)))
    >>> some.at_most(Fraction(1, 2), 2, Fraction(1, 2)), some.rows(Fraction(1, 2), Fraction(1, 20))
    (True, 7)
    """

    chances: Sequence[Fraction]
    near: NDArray[np.float64]

    def __init__(self, chances: Iterable[Fraction]) -> None:
        listed = chances if isinstance(chances, Failures) else tuple(chances)
        near = listed.floats() if isinstance(listed, Failures) else np.array(listed, dtype=float)
        hold(self, chances=listed, near=near)

    def among(self, n: int, mass: Fraction) -> Fraction:
        """Bound the chance to miss something that each of n rows shows with chance `mass`."""
        return binomial_miss(self.chances, n, mass)

    def at_most(self, goal: Fraction, n: int, mass: Fraction, *, quick: bool = False) -> bool:
        """Whether `among` is certainly at most the goal; if `quick`, close cases are not."""
        if len(self.chances) > FEW and 0 < mass < 1 and n < MANY:
            masses = binomial_masses(n, mass, len(self.chances) - 1)
            kept = np.flatnonzero(masses > NOTHING)
            held = slice(kept[0], kept[-1] + 1) if len(kept) else slice(0)  # they rise, then fall
            found = float(np.sum(masses[held] * self.near[held]))
            off = 8 * (len(masses) + 1) * ULP
            if found * (1 + off) + TINY <= float(goal) * (1 - off):
                return True
            if quick or found * (1 - off) > float(goal) * (1 + off) + TINY:
                return False
        return self.among(n, mass) <= goal

    def rows(self, mass: Fraction, goal: Fraction) -> int:
        """Return the least number of rows that are certainly enough for the goal."""
        return least(lambda n: self.at_most(goal, n, mass, quick=n > ROUGH))
