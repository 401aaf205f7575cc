"""All coins that a sampler can see: its exact law, by walking the tree of its uniform draws."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Never, TypeVar

from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Random

T = TypeVar("T", bound=Hashable)
WIDEST = 4096


class _Cut(Exception):
    """The branch is too improbable to be followed."""


class _Walk:
    """Answers along a given path, and with 0 beyond it, noting how many answers there were."""

    def __init__(self, path: list[int], cutoff: Fraction) -> None:
        self.path = path
        self.bounds: list[int] = []
        self.probability = Fraction(1)
        self._cutoff = cutoff

    def below(self, bound: int, /) -> int:
        assert 1 <= bound <= WIDEST, "too many branches to walk"
        depth = len(self.bounds)
        if depth == len(self.path):
            if self.probability < self._cutoff:
                raise _Cut
            self.path.append(0)
        self.bounds.append(bound)
        self.probability /= bound
        return self.path[depth]

    def bits(self, count: int, /) -> int:
        return self.below(1 << count)

    def words(self, count: int, /) -> Never:
        raise AssertionError("words are too wide to be enumerated")


def law_of(run: Callable[[Random], T], *, cutoff: Fraction = Fraction(0)) -> Law[T]:
    """Return the law of what `run` answers; branches less likely than `cutoff` go to the slack."""
    gathered: dict[T, Fraction] = {}
    slack = Fraction(0)
    path: list[int] = []
    while True:
        walk = _Walk(path, cutoff)
        try:
            outcome = run(walk)
        except _Cut:
            slack += walk.probability
        else:
            gathered[outcome] = gathered.get(outcome, Fraction(0)) + walk.probability
        while path and path[-1] == walk.bounds[len(path) - 1] - 1:
            path.pop()
        if not path:
            return Law(gathered, slack)
        path[-1] += 1
