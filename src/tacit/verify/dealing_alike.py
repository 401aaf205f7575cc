"""The exact law of what is learned from dealt rows, where nearly all rows are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from tacit.core.chance.law import Law, mixture

Rows = tuple[Any, ...]


def dealt(database: Rows, sizes: Sequence[int], law: Callable[[list[Rows]], Law[Any]]) -> Law[Any]:
    """Return the law over all ways to deal the rows to blocks of these sizes.

    All rows but a few must be alike: then only where the odd ones go matters, and thousands of rows
    are no harder than ten. Time is the number of blocks to the power of the number of odd rows.

    >>> from tacit.core.chance.law import certain
    >>> found = dealt((0, 0, 0, 1), [1, 2], lambda blocks: certain(sum(map(sum, blocks))))
    >>> found[1], found[0]
    (Fraction(3, 4), Fraction(1, 4))
    """
    common = Counter(database).most_common(1)[0][0]
    odd = [row for row in database if row != common]
    places = [*sizes, len(database) - sum(sizes)]

    def blocks(where: tuple[int, ...]) -> list[Rows]:
        held = [
            tuple(row for row, at in zip(odd, where, strict=True) if at == i)
            for i in range(len(sizes))
        ]
        return [
            (*rows, *(common,) * (size - len(rows))) for rows, size in zip(held, sizes, strict=True)
        ]

    return mixture((chance, law(blocks(where))) for chance, where in _ways(places, len(odd)))


def _ways(free: list[int], odd: int) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    """Yield where the odd rows may go, one after the other, with the chance of it."""
    if not odd:
        yield Fraction(1), ()
        return
    for place, room in enumerate(free):
        if room:
            left = [*free[:place], room - 1, *free[place + 1 :]]
            for chance, others in _ways(left, odd - 1):
                yield Fraction(room, sum(free)) * chance, (place, *others)
