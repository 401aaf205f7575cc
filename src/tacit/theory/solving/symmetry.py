"""Symmetries of a class: renamings of concepts and points that keep it, up to flipped points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.named_problem import AtLeast, Equality, InnerProduct, OnTheLine
from tacit.core.errors import InvalidArgument

Map = Callable[[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Concept c becomes `concepts[c]`, point x becomes `points[x]`, answers flip where told.

    It keeps the class if c'(x') = c(x) xor flips[x], for the renamed c' and x'.
    """

    concepts: tuple[int, ...]
    points: tuple[int, ...]
    flips: tuple[bool, ...]

    def keeps(self, truth: NDArray[np.bool_]) -> bool:
        """Check that it is a symmetry of this table of values."""
        n, m = truth.shape
        named = sorted(self.concepts) == list(range(n)) and sorted(self.points) == list(range(m))
        if not named or len(self.flips) != m:
            return False
        renamed = truth[np.ix_(self.concepts, self.points)]
        return bool((renamed == (truth ^ np.array(self.flips))).all())


def orbits(truth: NDArray[np.bool_], symmetries: tuple[Symmetry, ...]) -> NDArray[np.int64]:
    """Number the classes of (concept, point) that the symmetries carry into each other.

    >>> swap = Symmetry((1, 0), (1, 0), (False, False))
    >>> orbits(np.eye(2, dtype=bool), (swap,)).tolist()
    [[0, 1], [1, 0]]
    """
    n, m = truth.shape
    parent = np.arange(n * m)
    for symmetry in symmetries:
        if not symmetry.keeps(truth):
            raise InvalidArgument("a symmetry must keep the class")
        moved = np.array(symmetry.concepts)[:, None] * m + np.array(symmetry.points)[None, :]
        for a, b in zip(range(n * m), moved.ravel().tolist(), strict=True):
            x, y = _root(parent, a), _root(parent, b)
            parent[max(x, y)] = min(x, y)
    found = np.array([_root(parent, i) for i in range(n * m)])
    _, numbers = np.unique(found, return_inverse=True)
    return numbers.reshape(n, m).astype(np.int64)


def _root(parent: NDArray[Any], i: int) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = int(parent[i])
    return i


def symmetries_of(concepts: ConceptClass[Any]) -> tuple[Symmetry, ...]:
    """Return generators of the symmetries of the problem that a class is, in canonical order.

    >>> from tacit.concepts.line.points import Points
    >>> len(symmetries_of(Points(2)))
    2
    """
    match concepts.problem:
        case Equality(size):
            return _permutations(size)
        case AtLeast(size):
            return _reversal(size)
        case InnerProduct(dims):
            return _translations(dims)
        case OnTheLine(p):
            return _affine(p)
    return ()


def _permutations(n: int) -> tuple[Symmetry, ...]:
    swap = (1, 0, *range(2, n))
    cycle = (*range(1, n), 0)
    none = (False,) * n
    return tuple(Symmetry(p, p, none) for p in (swap, cycle))


def _reversal(n: int) -> tuple[Symmetry, ...]:
    """Turn the line around: below becomes above, but for the last point, where all say yes."""
    points = (*range(n - 2, -1, -1), n - 1)
    return (Symmetry(tuple(range(n - 1, -1, -1)), points, (*[True] * (n - 1), False)),)


def _translations(dims: int) -> tuple[Symmetry, ...]:
    """Add a unit vector to the parity and flip the points that hold it; permute the variables."""
    size = 1 << dims
    same = tuple(range(size))
    added = [
        Symmetry(tuple(c ^ 1 << i for c in same), same, tuple(bool(x >> i & 1) for x in same))
        for i in range(dims)
    ]
    none = (False,) * size
    mixed = []
    for i in range(dims):
        for j in range(dims):
            if i != j:  # x_i += x_j goes with c_j += c_i
                points = tuple(x ^ (x >> j & 1) << i for x in same)
                renamed = tuple(c ^ (c >> i & 1) << j for c in same)
                mixed.append(Symmetry(renamed, points, none))
    return (*added, *mixed)


def _affine(p: int) -> tuple[Symmetry, ...]:
    """Shift x, shift y, shear, and scale: maps of the plane that keep the lines y = a x + c."""
    moves: list[tuple[Map, Map]] = [
        (lambda a, c: (a, c - a), lambda x, y: (x + 1, y)),
        (lambda a, c: (a, c + 1), lambda x, y: (x, y + 1)),
        (lambda a, c: (a + 1, c), lambda x, y: (x, y + x)),
        *((_times(s, s), _times(1, s)) for s in range(2, p)),
        *((_times(pow(s, -1, p), 1), _times(s, 1)) for s in range(2, p)),
    ]
    plane = [(x, y) for x in range(p) for y in range(p)]
    return tuple(
        Symmetry(
            tuple(_code(line(*pair), p) for pair in plane),
            tuple(_code(point(*pair), p) for pair in plane),
            (False,) * (p * p),
        )
        for line, point in moves
    )


def _times(first: int, second: int) -> Map:
    return lambda u, v: (u * first, v * second)


def _code(pair: tuple[int, int], p: int) -> int:
    return pair[0] % p * p + pair[1] % p
