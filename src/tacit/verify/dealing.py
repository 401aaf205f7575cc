"""Rows that are dealt to blocks: by position, or nearly all alike in a uniform order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from tacit.core.chance.law import Law, mixture
from tacit.core.chance.randomness import Random
from tacit.verify.cases.statement import Read, Rows, case
from tacit.verify.enumeration import Case
from tacit.verify.finding import Claim
from tacit.verify.route import as_it_is, labelled


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


def by_position(
    sizes: Iterable[int], read: Read, law: Callable[[list[Any]], Law[Any]]
) -> Callable[[Rows], Law[Any]]:
    """Deal the rows of a database to blocks of these sizes, one after the other."""
    cuts = list(pairwise(accumulate(sizes, initial=0)))
    return lambda database: law([read(database[start:end]) for start, end in cuts])


def placed(
    learner: Any,
    sizes: Sequence[int],
    about: str,
    universe: Iterable[Any] | None = None,
    *,
    read: Read = labelled,
    law: Callable[[list[Any]], Law[Any]] | None = None,
    vote: Read | None = None,
    symmetric: bool = False,
    **more: Any,
) -> Case:
    """Deal rows by position: harder than a uniform order, since everybody knows who is where.

    A learner takes what is read of all rows; its law, what is read of each block, or the vote.
    """
    told, setting = law or learner.blocks_law, f"{about}, by position"
    made = case(learner, sum(sizes), setting, universe, read, symmetric=symmetric, **more)
    return replace(made, law=by_position(sizes, vote or read, told), drawn=made.route)


def alike(
    learner: Any,
    sizes: Sequence[int],
    n: int,
    about: str,
    universe: Iterable[Any],
    *,
    read: Read = labelled,
    law: Callable[[list[Any]], Law[Any]] | None = None,
    vote: Read | None = None,
    claim: Claim | None = None,
) -> Case:
    """Let nearly all rows be alike: the law over all ways to deal them has few terms.

    What is read, and of what the law is, are as in `placed`.
    """

    def learn(database: Rows, *, rng: Random) -> Any:
        return learner(read(database), rng=rng)

    def law_of(database: Rows) -> Law[Any]:
        told = law or learner.blocks_law
        return dealt(database, sizes, lambda parts: told([*map(vote or read, parts)]))

    return case(
        learn,
        n,
        f"{about}, nearly all rows alike",
        universe,
        as_it_is,
        claim=claim or learner.cost,
        law=law_of,
        labels=getattr(learner, "labels", 1),
        kind="learner",
    )
