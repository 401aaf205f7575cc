"""The linear program of private laws: its unknowns, what privacy asks of them, and the losses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import TooLarge

LARGEST = 300_000
"""Constraints of a program that is solved: about two minutes of one core."""

Indices = NDArray[np.int64]
Edge = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """Losses, one a line: on line i the law loses the sum of `numerators` x / `denominator`.

    `names[i]` is what the line is about: a database, a population.
    """

    names: tuple[Any, ...]
    lines: Indices
    columns: Indices
    numerators: tuple[int, ...]
    denominator: int

    @classmethod
    def of(
        cls, lines: Iterable[tuple[Any, Iterable[tuple[int, int]]]], *, denominator: int
    ) -> Losses:
        """Gather names and lines of (unknown, numerator), added up; of equal lines the first."""
        names: dict[tuple[tuple[int, int], ...], Any] = {}
        for name, line in lines:
            added: Counter[int] = Counter()
            for v, w in line:
                added[v] += w
            names.setdefault(tuple(sorted((v, w) for v, w in added.items() if w)), name)
        places = [(i, v, w) for i, line in enumerate(names) for v, w in line]
        return cls(
            tuple(names.values()),
            np.array([i for i, _, _ in places], dtype=np.int64),
            np.array([v for _, v, _ in places], dtype=np.int64),
            tuple(w for _, _, w in places),
            denominator,
        )

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        return zip(self.lines.tolist(), self.columns.tolist(), self.numerators, strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class Unknowns:
    """Probabilities of *one* hypothesis on a database each, both up to symmetry.

    On a database of state `states[v]` there are `multiplicities[v]` hypotheses like that of unknown
    v, and `errors[v]` rows speak against each; these scale the floats, no more.
    """

    states: Indices
    multiplicities: tuple[int, ...]
    errors: Indices

    def totals(self, masses: Sequence[int]) -> list[int]:
        """Add up what the hypotheses of each state have; masses of hubs may follow."""
        found = [0] * self.databases
        for v, (state, many) in enumerate(self):
            found[state] += many * masses[v]
        return found

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.states.tolist(), self.multiplicities, strict=True)

    def __len__(self) -> int:
        return len(self.multiplicities)

    @property
    def databases(self) -> int:
        """How many states there are."""
        return int(self.states.max()) + 1

    @property
    def hypotheses(self) -> int:
        """How many hypotheses there are, on each state."""
        return sum(many for state, many in self if state == 0)


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """What privacy asks: an edge (a, b) says a <= F b, F = e^epsilon where it `grows`, else 1.

    Without a delta there are `hubs` behind the unknowns: a hub stands for a hypothesis and a
    database that lacks one row, and lies between the largest probability of its completions and
    e^epsilon times the smallest: two edges for each completion instead of one for each pair of
    them. With a delta there are `pairs` of databases instead: the excesses of the edges of one
    pair, each as often as its `weights` say, add up to at most delta.
    """

    edges: Indices
    grows: NDArray[np.bool_]
    hubs: int = 0
    pairs: Indices | None = None
    weights: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.edges) > LARGEST:
            raise TooLarge(
                f"the program has {len(self.edges)} constraints, up to {LARGEST} are solved: "
                "take a smaller n, fewer points, --proper (proper=True) or --delta 0"
            )

    def __iter__(self) -> Iterator[tuple[int, int, bool]]:
        first, second = self.edges.T.tolist()
        return zip(first, second, self.grows.tolist(), strict=True)

    @classmethod
    def by_hubs(cls, completions: Indices) -> Limits:
        """Make the edges between hubs and unknowns, given (unknown, hub) once or more each.

        >>> limits = Limits.by_hubs(np.array([[0, 2], [1, 2], [0, 2]]))
        >>> list(limits), limits.hubs
        ([(0, 2, False), (1, 2, False), (2, 0, True), (2, 1, True)], 1)
        """
        once = np.unique(completions, axis=0)
        edges, grows = np.concatenate((once, once[:, ::-1])), np.repeat([False, True], len(once))
        return cls(edges, grows, hubs=len(np.unique(once[:, 1])))

    @classmethod
    def by_pairs(cls, neighbours: Iterable[Counter[Edge]]) -> Limits:
        """Make the edges of pairs of neighbours, each with how often it counts; equal are one.

        >>> Limits.by_pairs([Counter({(0, 1): 2}), Counter({(0, 1): 2})]).weights
        (2,)
        """
        kept = sorted({tuple(sorted(pair.items())) for pair in neighbours})
        edges = np.array([edge for pair in kept for edge, _ in pair], dtype=np.int64)
        return cls(
            edges.reshape(-1, 2),
            np.ones(len(edges), dtype=np.bool_),
            pairs=np.array([i for i, pair in enumerate(kept) for _ in pair], dtype=np.int64),
            weights=tuple(many for pair in kept for _, many in pair),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Minimise the greatest loss of a law over hypotheses that is private within the limits."""

    unknowns: Unknowns
    losses: Losses
    limits: Limits

    @property
    def nodes(self) -> int:
        """How many unknowns and hubs there are."""
        return len(self.unknowns) + self.limits.hubs
