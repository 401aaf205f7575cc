"""The share that one random hypothesis covers: a game that pins representations from both sides.

One player draws a hypothesis, the other a concept and a distribution; the first wins if the
hypothesis is within alpha. Its value says how large random sets must be, and need be.

Of the papers: BNS19 Def 12, BNS19 Def 31, BNS19 Def 34.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil

import numpy as np

from tacit.core import check
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.exact import Exact
from tacit.theory.representations.drawn import draws_until
from tacit.theory.representations.representation import Rows
from tacit.theory.solving.matrix_game import game_value

POINTS = 5
"""On more points than this, hypotheses must be given."""

HYPOTHESES = 64  # the functions of six points: beyond, games take minutes

Challenge = tuple[int, tuple[Fraction, ...]]
"""A concept, by its line, and a distribution over the points."""


@dataclass(frozen=True, slots=True, eq=False)
class CoveredShare:
    """Hypotheses drawn with these probabilities cover every challenge with at least `share`.

    Of the challenges drawn with these weights, no hypothesis covers more than `share`.
    """

    share: Fraction
    hypotheses: Rows
    probabilities: tuple[Fraction, ...]
    challenges: tuple[Challenge, ...]
    weights: tuple[Fraction, ...]
    whole: int
    """How many hypotheses represent the class without fail: its concepts, or all there are."""

    def sizes(self, beta: Exact) -> tuple[int, int]:
        """Bound the least sets of an (alpha, beta)-representation from both sides.

        N hypotheses cover N times the share at most; N draws miss with (1 - share)^N; the concepts
        themselves never do.
        """
        beta = check.probability(beta=beta)
        lower = ceil((1 - beta) / self.share)
        return lower, min(draws_until(1 - self.share, beta), self.whole)

    @property
    def deterministic(self) -> int:
        """Bound deterministic representations from below."""
        return ceil(1 / self.share)


def covered_share(concepts: Rows, alpha: Exact, *, among: Rows | None = None) -> CoveredShare:
    """Return the largest share of good hypotheses that a distribution over them guarantees.

    `among` are the hypotheses, or all functions of at most five points.

    Exactness:
        Rationals. Challenges are added until the best distribution over hypotheses has none that
        it covers less than the value; that is decided by exhaustive search over the sets of
        hypotheses that a distribution of points can rule out together, each an exact game
        (docs/proofs/representation.md). `share_of_challenges` and `ProbabilisticRepresentation`
        check either side.

    >>> covered_share(np.eye(4, dtype=bool), "1/4").share
    Fraction(1, 4)
    """
    alpha = check.small_probability(alpha=alpha)
    table = np.unique(concepts, axis=0)
    if table.ndim != 2 or not table.size:
        raise InvalidArgument("a class is a table of truth values, one line a concept")
    hypotheses = _everything(table.shape[1]) if among is None else np.unique(among, axis=0)
    if len(hypotheses) > HYPOTHESES:
        raise TooLarge(f"{len(hypotheses)} hypotheses; at most {HYPOTHESES} are searched")
    search = _Heavy(table.shape[1], alpha)
    even = (Fraction(1, table.shape[1]),) * table.shape[1]
    challenges: list[Challenge] = [(c, even) for c in range(len(table))]
    while True:
        covers = [[_good(h, table[c], d, alpha) for c, d in challenges] for h in hypotheses]
        value = game_value([[Fraction(int(not good)) for good in line] for line in covers])
        new = [
            (c, masses)
            for c in range(len(table))
            for missed, masses in [search.heaviest(hypotheses, table[c], value.paying)]
            if missed > value.upper
        ]
        if not new:
            assert value.lower == value.upper, "small games are solved exactly"
            share, chosen = 1 - value.upper, value.paying
            return CoveredShare(
                share, hypotheses, chosen, tuple(challenges), value.paid, _whole(table, hypotheses)
            )
        challenges += new


def _whole(concepts: Rows, hypotheses: Rows) -> int:
    """Return how many hypotheses are enough for every concept and distribution at once."""
    known = {row.tobytes() for row in hypotheses}
    proper = all(row.tobytes() in known for row in concepts.astype(hypotheses.dtype))
    return min(len(concepts), len(hypotheses)) if proper else len(hypotheses)


def share_of_challenges(concepts: Rows, alpha: Exact, found: CoveredShare) -> Fraction:
    """Return the most of the weighted challenges that one hypothesis covers: an upper bound.

    >>> points = np.eye(3, dtype=bool)
    >>> share_of_challenges(points, "1/4", covered_share(points, "1/4"))
    Fraction(1, 3)
    """
    alpha, table = check.small_probability(alpha=alpha), np.unique(concepts, axis=0)
    return max(
        sum(
            (
                w
                for w, (c, d) in zip(found.weights, found.challenges, strict=True)
                if _good(h, table[c], d, alpha)
            ),
            Fraction(0),
        )
        for h in found.hypotheses
    )


def missed_share(
    hypotheses: Rows, probabilities: Sequence[Fraction], concept: Rows, alpha: Exact
) -> Fraction:
    """Return how likely a drawn hypothesis misses a concept, under the worst distribution, exactly.

    Of N independent draws all miss with the N-th power of it, and under no distribution more often.

    >>> everything = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> missed_share(everything, [Fraction(1, 4)] * 4, everything[1], "1/4")
    Fraction(3, 4)
    """
    search = _Heavy(hypotheses.shape[1], check.small_probability(alpha=alpha))
    return search.heaviest(hypotheses, concept, probabilities)[0]


class _Heavy:
    """Which sets of points can all have mass above alpha at once; remembered by least sets."""

    def __init__(self, points: int, alpha: Fraction) -> None:
        self.points, self.alpha = points, alpha
        self.known: dict[frozenset[int], tuple[Fraction, ...] | None] = {}

    def heaviest(
        self, hypotheses: Rows, concept: Rows, chances: Sequence[Fraction]
    ) -> tuple[Fraction, tuple[Fraction, ...]]:
        """Return the largest chance of hypotheses that a distribution makes err, and the latter."""
        sets: dict[int, Fraction] = {}
        for h, chance in zip(hypotheses, chances, strict=True):
            wrong = sum(1 << int(x) for x in np.flatnonzero(h != concept))
            if chance and wrong:
                sets[wrong] = sets.get(wrong, Fraction(0)) + chance
        order = sorted(sets.items(), key=lambda pair: (-pair[1], pair[0]))
        even = (Fraction(1, self.points),) * self.points
        best = Fraction(0), even
        stack: list[tuple[int, tuple[int, ...], Fraction, Fraction]] = [
            (0, (), Fraction(0), sum(sets.values(), Fraction(0)))
        ]
        while stack:
            place, chosen, mass, left = stack.pop()
            if mass > best[0]:
                best = mass, self._masses(chosen) or even
            if place == len(order) or mass + left <= best[0]:
                continue
            wrong, chance = order[place]
            stack.append((place + 1, chosen, mass, left - chance))
            if self._masses((*chosen, wrong)) is not None:
                stack.append((place + 1, (*chosen, wrong), mass + chance, left - chance))
        return best

    def _masses(self, sets: tuple[int, ...]) -> tuple[Fraction, ...] | None:
        least = frozenset(s for s in sets if not any(t != s and t & s == t for t in sets))
        if least not in self.known:
            table = [[s >> x & 1 for x in range(self.points)] for s in sorted(least)]
            value = game_value(np.array(table, dtype=np.int64))
            assert value.lower > self.alpha or value.upper <= self.alpha, "the game is solved"
            self.known[least] = value.paid if value.lower > self.alpha else None
        return self.known[least]


def _good(h: Rows, concept: Rows, masses: Sequence[Fraction], alpha: Fraction) -> bool:
    wrong = np.flatnonzero(h != concept).tolist()
    return sum((masses[x] for x in wrong), Fraction(0)) <= alpha


def _everything(points: int) -> Rows:
    if points > POINTS:
        raise TooLarge(f"2^{points} functions; give `among` above {POINTS} points")
    return np.array(list(product((False, True), repeat=points)), dtype=np.bool_)
