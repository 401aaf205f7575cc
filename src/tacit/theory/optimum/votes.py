"""Votes for one of any number of candidates: the states are partitions of the votes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb

import numpy as np

from tacit.core import InvalidArgument, check
from tacit.core.numbers.exact import integer, told
from tacit.theory.optimum.program import Edge, Limits, Losses, Program, Unknowns

CANDIDATES = 1 << 62
"""So many candidates at most: more are no easier to tell apart, and no float counts them."""
VOTES = 24
"""Votes that are solved for: 1,575 partitions, and more with abstentions."""

_SPECIFICATION = re.compile(r"\s*votes\s*\(\s*candidates\s*=\s*(\d+)\s*(?:\^\s*(\d+)\s*)?\)\s*")

Partition = tuple[int, ...]
"""The votes of those candidates that have any, most first."""
Kind = tuple[Partition, int]
"""A candidate up to symmetry: all votes, and its own."""


def read_votes(text: str) -> int | None:
    """Return how many candidates a specification names; None if it is one of a class.

    >>> read_votes("votes(candidates=2^32)"), read_votes("points(bits=32)")
    (4294967296, None)
    """
    found = _SPECIFICATION.fullmatch(text)
    if found is None:
        if text.strip().startswith("votes"):
            raise InvalidArgument(f"votes look like votes(candidates=2^32), got {told(text)!r}")
        return None
    base, power = (integer(part or "1", name="candidates") for part in found.groups())
    return base if power == 1 else base ** min(power, CANDIDATES.bit_length())


def partitions(total: int, largest: int | None = None) -> Iterator[Partition]:
    """Yield the ways to write a number as a sum, largest part first.

    >>> list(partitions(3))
    [(3,), (2, 1), (1, 1, 1)]
    """
    if total == 0:
        yield ()
        return
    for part in range(min(total, total if largest is None else largest), 0, -1):
        for rest in partitions(total - part, part):
            yield part, *rest


def votes_program(
    candidates: int, *, n: int, mass: Fraction, pure: bool
) -> tuple[Program, tuple[Kind, ...]]:
    """Make the program of n rows, each for the target with probability `mass`, else for nobody.

    Returned with what each unknown is about: a partition, and the votes of a candidate.
    With mass 1 no row abstains. What is lost is the probability of an answer other than the target.
    Points are such votes: a row at the target's own point is a vote for it, one at a point where
    all concepts that matter say no is none.

    Proof:
        All permutations of the candidates are symmetries, so a state is a partition, and its
        candidates of equal votes are alike: an unknown is (partition, votes).
    """
    check.count(candidates=candidates, least=1, up_to=CANDIDATES)
    abstains = mass < 1
    states = _states(n, candidates, abstains=abstains)
    keys = _kinds(states, candidates)
    index, number = {key: v for v, key in enumerate(keys)}, {p: s for s, p in enumerate(states)}
    wrong = [
        (
            index[(k,) if k else (), 0],
            comb(n, k) * mass.numerator**k * (mass.denominator - mass.numerator) ** (n - k),
        )
        for k in (range(n + 1) if abstains else [n])
        if candidates > 1
    ]
    unknowns = Unknowns(
        np.array([number[p] for p, _ in keys], dtype=np.int64),
        tuple(_held(p, candidates)[k] for p, k in keys),
        np.array([n - k for _, k in keys], dtype=np.int64),
    )
    line = [(v, chance * (candidates - 1)) for v, chance in wrong]
    losses = Losses.of([(mass, line)], denominator=mass.denominator**n)
    if pure:
        smaller = _kinds(_states(n - 1, candidates, abstains=abstains), candidates)
        completions = [
            (index[completed], hub)
            for hub, kind in enumerate(smaller, len(keys))
            for completed in _completed(*kind, candidates, abstains=abstains)
        ]
        limits = Limits.by_hubs(np.array(completions, dtype=np.int64))
    else:
        limits = Limits.by_pairs(
            _changes(p, index, candidates, changed)
            for p in states
            for changed in _replaced(p, n, candidates, abstains=abstains)
        )
    return Program(unknowns, losses, limits), tuple(keys)


def _states(rows: int, candidates: int, *, abstains: bool) -> list[Partition]:
    totals = range(rows + 1) if abstains else [rows]
    return [p for k in totals for p in partitions(k) if len(p) <= candidates]


def _kinds(states: list[Partition], candidates: int) -> list[Kind]:
    return [(p, k) for p in states for k in _held(p, candidates)]


def _held(partition: Partition, candidates: int) -> Counter[int]:
    """Count the candidates by their votes."""
    held = Counter(partition)
    held[0] = candidates - len(partition)
    return +held


def _moved(partition: Partition, *steps: tuple[int, int]) -> Partition:
    """Return the partition after candidates of some votes have others."""
    parts = list(partition)
    for before, after in steps:
        if before:
            parts.remove(before)
        parts.append(after)
    return tuple(sorted(filter(None, parts), reverse=True))


def _completed(
    partition: Partition, votes: int, candidates: int, *, abstains: bool
) -> Iterator[Kind]:
    """Yield what one more row makes of a partition and of a candidate with so many votes."""
    if abstains:
        yield partition, votes
    yield _moved(partition, (votes, votes + 1)), votes + 1
    others = _held(partition, candidates)
    others[votes] -= 1
    for k in +others:
        yield _moved(partition, (k, k + 1)), votes


Changed = tuple[tuple[int, int], ...]


def _replaced(
    partition: Partition, n: int, candidates: int, *, abstains: bool
) -> Iterator[Changed]:
    """Yield how the votes of one or two candidates change when a row is replaced."""
    held = _held(partition, candidates)
    for i in held:
        if i:
            left = +(held - Counter([i]))
            yield from (((i, i - 1), (j, j + 1)) for j in left)
            if abstains:
                yield ((i, i - 1),)
    if sum(partition) < n:
        yield from (((j, j + 1),) for j in held)


def _changes(
    partition: Partition, index: dict[Kind, int], candidates: int, changed: Changed
) -> Counter[Edge]:
    after = _moved(partition, *changed)
    edges = Counter({(index[partition, i], index[after, j]): 0 for i, j in changed})
    same = _held(partition, candidates)
    for i, j in changed:
        edges[index[partition, i], index[after, j]] += 1
        same[i] -= 1
    for k, many in (+same).items():
        edges[index[partition, k], index[after, k]] += many
    return edges
