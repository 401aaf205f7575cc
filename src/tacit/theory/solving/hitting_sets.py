"""Smallest hitting sets of bitmaps, and few of most weight, by branch and bound, in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tacit.core.errors import InvalidArgument
from tacit.kernels.deadline import NO_LIMIT, Deadline, OutOfTime


@dataclass(frozen=True, slots=True)
class HittingSet:
    """`lower <= least number of elements that meet all sets <= len(chosen)`, and such elements."""

    lower: int
    chosen: tuple[int, ...]

    @property
    def exact(self) -> bool:
        """Whether no fewer elements are enough."""
        return self.lower == len(self.chosen)


def smallest_hitting_set(sets: Iterable[int], deadline: Deadline = NO_LIMIT) -> HittingSet:
    """Return fewest elements such that each set, an integer with a bit an element, has one.

    After the deadline the search stops with what is certain.

    >>> smallest_hitting_set([0b011, 0b110, 0b101]).chosen
    (0, 1)
    """
    given = set(sets)
    if 0 in given:
        raise InvalidArgument("an empty set cannot be hit")
    if deadline.over:
        return HittingSet(min(1, len(given)), tuple(sorted(_greedy(list(given)))))
    least = _smallest(given)
    chosen, lower = _greedy(least), _disjoint(least)
    try:
        while lower < len(chosen):
            found = _within(least, lower, deadline)
            if found is not None:
                chosen = found
                break
            lower += 1
    except OutOfTime:
        pass
    return HittingSet(lower, tuple(sorted(chosen)))


def hits(sets: Iterable[int], chosen: Iterable[int]) -> bool:
    """Check that each set has one of the elements.

    >>> hits([0b011, 0b110], (1,)), hits([0b011, 0b100], (1,))
    (True, False)
    """
    mask = sum(1 << e for e in set(chosen))
    return all(each & mask for each in sets)


def heaviest_union(
    sets: Sequence[int],
    weights: Sequence[int],
    size: int,
    above: int,
    deadline: Deadline = NO_LIMIT,
) -> tuple[int, tuple[int, ...]] | None:
    """Return at most `size` of the sets whose union weighs most, if that is above what is asked.

    Elements weigh integers. A union weighs no more than what it has and the largest gains that are
    left together.

    >>> heaviest_union([0b0011, 0b0110, 0b1100], [3, 1, 1, 3], 2, 7)
    (8, (0, 2))
    """
    weighed = sum(1 << e for e, weight in enumerate(weights) if weight)
    first = {each & weighed: i for i, each in reversed(list(enumerate(sets)))}
    largest = [each for each in first if not any(each != o and each & o == each for o in first)]
    best: tuple[int, tuple[int, ...]] = (above, ())

    def extend(union: int, got: int, chosen: tuple[int, ...], left: list[int]) -> None:
        nonlocal best
        deadline.check()
        if got > best[0]:
            best = got, chosen
        gains = sorted(
            ((sum(weights[e] for e in members(each & ~union)), each) for each in left), reverse=True
        )
        room = size - len(chosen)
        for i, (gain, each) in enumerate(gains):
            if got + sum(more for more, _ in gains[i : i + room]) <= best[0]:
                return
            rest = [other for _, other in gains[i + 1 :]]
            extend(union | each, got + gain, (*chosen, first[each]), rest)

    extend(0, 0, (), largest)
    return (best[0], tuple(sorted(best[1]))) if best[1] else None


def members(bitmap: int) -> Iterator[int]:
    """Yield the places of the ones, lowest first.

    >>> list(members(0b1010))
    [1, 3]
    """
    while bitmap:
        low = bitmap & -bitmap
        yield low.bit_length() - 1
        bitmap ^= low


def _smallest(sets: Iterable[int]) -> list[int]:
    """Leave out sets that contain another one."""
    kept: list[int] = []
    for each in sorted(sets, key=lambda s: (s.bit_count(), s)):
        if not any(other & each == other for other in kept):
            kept.append(each)
    return kept


def _disjoint(sets: list[int]) -> int:
    """Return how many sets are disjoint, taken greedily: a lower bound."""
    used, count = 0, 0
    for each in sets:
        if not each & used:
            used |= each
            count += 1
    return count


def _greedy(sets: list[int]) -> list[int]:
    chosen, left = [], sets
    while left:
        best = _busiest(left)
        chosen.append(best)
        left = [each for each in left if not each >> best & 1]
    return chosen


def _busiest(sets: list[int]) -> int:
    counts = Counter(e for each in sets for e in members(each))
    return max(counts, key=lambda e: (counts[e], -e))


def _within(sets: list[int], budget: int, deadline: Deadline) -> list[int] | None:
    """Return at most `budget` elements that meet all sets, or None if there are none."""
    deadline.check()
    if not sets:
        return []
    if _disjoint(sets) > budget:
        return None
    first, barred = sets[0], 0
    for e in sorted(members(first), key=lambda e: -sum(s >> e & 1 for s in sets)):
        left = [each & ~barred for each in sets if not each >> e & 1]
        if 0 not in left:
            found = _within(_smallest(left), budget - 1, deadline)
            if found is not None:
                return [e, *found]
        barred |= 1 << e
    return None
