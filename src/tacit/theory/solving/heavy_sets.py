"""Which sets of points can all be heavy at once, and the distribution that fails a lottery most.

Proof in docs/proofs/representation.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from tacit.theory.solving.matrix_game import game_value

Masses = tuple[Fraction, ...]


class HeavySets:
    """Sets of points, as bits, that a distribution may all give mass above alpha; remembered."""

    def __init__(self, points: int, alpha: Fraction) -> None:
        self.points, self.alpha = points, alpha
        self._known: dict[tuple[int, ...], tuple[Masses | None, tuple[int, ...]]] = {}

    def worst(
        self,
        families: Iterable[Sequence[int]],
        chances: Iterable[Fraction],
        above: Fraction = Fraction(0),
    ) -> tuple[Fraction, Masses] | None:
        """Return the largest chance of families whose sets are all heavy, and such a distribution.

        None if that is not above what is asked. Branch and bound: where the sets of all families
        that are left cannot be heavy at once, a mixture of few of them shows it; one of these is
        light, the first, or else the second, and so on, and families with a part of it are lost.

        >>> third = Fraction(1, 3)
        >>> HeavySets(2, third).worst([(0b01,), (0b10,), (0b01, 0b11)], [third] * 3)
        (Fraction(1, 1), (Fraction(1, 2), Fraction(1, 2)))
        >>> HeavySets(2, Fraction(1, 2)).worst([(0b01,), (0b10,), (0b01, 0b11)], [third] * 3)
        (Fraction(2, 3), (Fraction(1, 1), Fraction(0, 1)))
        """
        weights: dict[tuple[int, ...], Fraction] = {}
        for family, chance in zip(families, chances, strict=True):
            sets = _least(family)
            if chance and 0 not in sets:
                weights[sets] = weights.get(sets, Fraction(0)) + chance
        best, masses = above, None
        stack: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
        while stack:
            light, heavy = stack.pop()
            left = {family: p for family, p in weights.items() if not _meets(family, light)}
            mass = sum(left.values(), Fraction(0))
            if mass <= best:
                continue
            found, clash = self._together([*heavy, *(s for family in left for s in family)])
            if found is not None:
                best, masses = mass, found
                continue
            lost = {
                s: sum((p for family, p in left.items() if _meets(family, (s,))), Fraction(0))
                for s in clash
                if s not in heavy
            }
            order = sorted(lost, key=lambda s: (lost[s], s))
            stack += [((*light, s), (*heavy, *order[:i])) for i, s in enumerate(order)][::-1]
        return None if masses is None else (best, masses)

    def _together(self, sets: Sequence[int]) -> tuple[Masses | None, tuple[int, ...]]:
        """Return a distribution that makes all sets heavy, or some that no distribution does."""
        least = _least(sets)
        if not least:  # lists without a hypothesis fail anyway
            return (Fraction(1, self.points),) * self.points, ()
        if least not in self._known:
            table = [[s >> x & 1 for x in range(self.points)] for s in least]
            value = game_value(np.array(table, dtype=np.int64))
            assert value.lower > self.alpha or value.upper <= self.alpha, "the game is solved"
            clash = tuple(s for s, p in zip(least, value.paying, strict=True) if p)
            self._known[least] = (value.paid, ()) if value.lower > self.alpha else (None, clash)
        return self._known[least]


def _least(sets: Iterable[int]) -> tuple[int, ...]:
    """Leave out sets that contain another one: they are heavy where that is."""
    kept: list[int] = []
    for each in sorted(set(sets), key=lambda s: (s.bit_count(), s)):
        if not any(other & each == other for other in kept):
            kept.append(each)
    return tuple(kept)


def _meets(family: tuple[int, ...], light: tuple[int, ...]) -> bool:
    """Whether a set of the family lies in a light one, and is light with it."""
    return any(s & other == s for s in family for other in light)
