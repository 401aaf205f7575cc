"""The fewest hypotheses that represent a class, whatever functions they are.

Of the papers: FX14 Def 4, BNS19 Def 8, BNS19 Remark 9, BNS19 Def 30, BNS19 Ex 9.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tacit.core import Exact, InvalidArgument, TooLarge, check
from tacit.kernels.bits.packing import bit_sets, pack
from tacit.kernels.deadline import Deadline, OutOfTime
from tacit.theory.representations.bounds import separation_bound
from tacit.theory.representations.light_families import (
    LARGEST_DETERMINANT,
    Template,
    opposite,
    templates,
)
from tacit.theory.representations.list_game import HYPOTHESES, ListGame
from tacit.theory.representations.representation import Rows, represents
from tacit.theory.solving.hitting_sets import smallest_hitting_set

FEW = 5  # points: challenges to all their functions are fewer than templates
PROPOSED = 256  # functions of eight points: programs over more take minutes
LISTING = 15.0
"""Seconds without which the largest list of templates is not begun."""


@dataclass(frozen=True, slots=True, eq=False)
class SmallestRepresentation:
    """`lower <= least number of hypotheses <= len(hypotheses)`, and such hypotheses."""

    lower: int
    hypotheses: Rows
    why: str

    @property
    def exact(self) -> bool:
        """Whether no fewer hypotheses are enough."""
        return self.lower == len(self.hypotheses)


def exact_representation(
    concepts: Rows, alpha: Exact, *, among: Rows | None = None, time_limit: float | None = None
) -> SmallestRepresentation:
    """Return fewest functions that alpha-represent a class [BNS13], or fewest among given ones.

    From one side, hypotheses are proposed until they meet every challenge, and what challenges in
    the best proportions ask for bounds their number (docs/proofs/representation.md). From the
    other, given k functions, a point is a pattern, the set of functions that say no; a concept
    needs a template that holds its patterns, complemented where it says no. Templates are given to
    the concepts one by one, up to renaming of the functions; a point is left with the patterns that
    suit all, and that there is one is all that is asked (docs/proofs/communication.md).

    Exactness:
        Integers and rationals; searches exclude fewer functions, `represents` checks those that are
        found.

    Cost:
        Up to five points, or 7 functions for alpha = 1/4, or where the challenges' bound is met,
        as it often is. With `time_limit`, in seconds, it stops with what is certain.

    >>> found = exact_representation(np.eye(5, dtype=bool), "1/4")
    >>> found.lower, len(found.hypotheses)
    (5, 5)
    """
    alpha = check.small_probability(alpha=alpha)
    table = np.unique(concepts, axis=0)
    if concepts.ndim != 2 or not table.size:
        raise InvalidArgument("a class is a table of truth values, one line a concept")
    if among is not None and not represents(among, table, alpha):
        raise InvalidArgument(
            f"no set of the given hypotheses represents the class at {alpha=!s}; take a larger "
            "alpha, or more hypotheses"
        )
    if among is None and 2 * alpha >= 1:
        return _with_constants(table)
    deadline, points = Deadline(time_limit), len(np.unique(table.T, axis=0))
    if among is not None:
        return _by_challenges(SmallestRepresentation(1, among, ""), table, alpha, among, deadline)
    lower = min(separation_bound(points, alpha=alpha), len(table))
    best = SmallestRepresentation(lower, table, "points must be told apart")
    if points <= FEW:
        return _by_challenges(best, table, alpha, None, deadline)
    best = _by_templates(best, table, alpha, deadline)
    if best.exact or 1 << points > PROPOSED:
        return best
    return _by_challenges(best, table, alpha, None, deadline)


def _by_challenges(
    known: SmallestRepresentation,
    table: Rows,
    alpha: Fraction,
    among: Rows | None,
    deadline: Deadline,
) -> SmallestRepresentation:
    """Propose hypotheses until every challenge is met; bound them by what challenges ask for."""
    game = ListGame(table, alpha, among, most=PROPOSED)
    try:
        lower, chosen = game.fewest(deadline)
    except OutOfTime:
        why = known.why or "programs over so many hypotheses take too long"
        return SmallestRepresentation(known.lower, known.hypotheses, why)
    lower, why = max(lower, known.lower), "challenges in the best proportions"
    if lower < len(chosen) and len(game.hypotheses) <= HYPOTHESES:
        challenges = range(len(game.challenges))
        hit = [sum((c >> j & 1) << h for h, c in enumerate(game.covers)) for j in challenges]
        lower, why = max(lower, smallest_hitting_set(hit, deadline).lower), "a game of challenges"
    assert represents(game.hypotheses[list(chosen)], table, alpha), "every challenge is met"
    return SmallestRepresentation(lower, game.hypotheses[list(chosen)], why)


def _by_templates(
    known: SmallestRepresentation, table: Rows, alpha: Fraction, deadline: Deadline
) -> SmallestRepresentation:
    """Exclude numbers of functions one by one, or find them."""
    lower, why = known.lower, "exhaustive search over templates"
    try:
        for k in range(lower, len(known.hypotheses)):
            found = _search(table, k, alpha, deadline)
            if found is not None:
                assert represents(found, table, alpha), "a template is a mixture"
                return SmallestRepresentation(k, found, why)
            lower = k + 1
    except TooLarge as limit:
        why = str(limit)
    except OutOfTime:
        why = deadline.why
    return SmallestRepresentation(lower, known.hypotheses, why)


def smallest_representation(concepts: Rows, alpha: Exact, *, among: Rows | None = None) -> Rows:
    """Return fewest hypotheses that alpha-represent a class; among given ones, or any functions.

    `exact_representation` also says what is certain where it cannot end.

    >>> points = np.eye(3, dtype=bool)
    >>> len(smallest_representation(points, 0.25))
    3
    """
    found = exact_representation(concepts, alpha, among=among)
    if not found.exact:
        raise TooLarge(f"between {found.lower} and {len(found.hypotheses)}: {found.why}")
    return np.asarray(found.hypotheses)


def _with_constants(table: Rows) -> SmallestRepresentation:
    """From alpha = 1/2 on, the two constants do; one function does if every error is below."""
    if len(table) == 1:
        return SmallestRepresentation(1, table, "there is one concept")
    both = np.array([[False] * table.shape[1], [True] * table.shape[1]])
    return SmallestRepresentation(2, both, "the two constants; two concepts need two functions")


def _search(table: Rows, k: int, alpha: Fraction, deadline: Deadline) -> Rows | None:
    if k >= len(LARGEST_DETERMINANT):
        raise TooLarge(f"{k} hypotheses are not searched, at most {len(LARGEST_DETERMINANT) - 1}")
    slow = k == len(LARGEST_DETERMINANT) - 1
    if slow and deadline.left < LISTING:
        raise TooLarge(f"the templates of {k} hypotheses take about {LISTING:.0f} s to list")
    known = templates(k, alpha)
    if len(known) < len(table):
        return None
    points = np.unique(table.T, axis=0)
    patterns = _Search(points.T, k, known, deadline).run()
    if patterns is None:
        return None
    place = {point.tobytes(): pattern for point, pattern in zip(points, patterns, strict=True)}
    said = [place[np.ascontiguousarray(point).tobytes()] for point in table.T]
    return np.array([[not z >> h & 1 for z in said] for h in range(k)], dtype=np.bool_)


@dataclass(slots=True)
class _Search:
    """Templates for concepts: all distinct, the hardest concept first, renamings left out."""

    table: Rows
    k: int
    known: tuple[Template, ...]
    deadline: Deadline
    words: NDArray[np.uint64] = field(init=False)
    turned: NDArray[np.uint64] = field(init=False)

    def __post_init__(self) -> None:
        self.words = _packed(self.known)
        self.turned = _packed([opposite(family, self.k) for family in self.known])

    def run(self) -> list[int] | None:
        everything = np.full((self.table.shape[1], 2), ~np.uint64(0))
        if self.k < 7:
            everything[:, 1] = 0
            everything[:, 0] = np.uint64((1 << (1 << self.k)) - 1)
        renamings = _renamings(self.k, self.known)
        left = self._given(everything, {}, renamings)
        return None if left is None else [_first(words) for words in left]

    def _given(
        self, left: NDArray[np.uint64], given: dict[int, int], renamings: NDArray[np.int64]
    ) -> NDArray[np.uint64] | None:
        """Give the concepts that have none a template; return the patterns left for each point."""
        self.deadline.check()
        fits = self._fitting(left, given)
        if not fits:
            return left
        concept = min(fits, key=lambda c: len(fits[c]))
        for t in _unlike(fits[concept], renamings):
            cut = np.where(self.table[concept][:, None], self.words[t], self.turned[t])
            fixed = renamings[renamings[:, t] == t]
            found = self._given(left & cut, {**given, concept: t}, fixed)
            if found is not None:
                return found
        return None

    def _fitting(
        self, left: NDArray[np.uint64], given: dict[int, int]
    ) -> dict[int, NDArray[np.int64]]:
        """Return for each concept the templates that leave every point a pattern."""
        yes = ((left[None] & self.words[:, None]) != 0).any(axis=2)
        no = ((left[None] & self.turned[:, None]) != 0).any(axis=2)
        free = np.ones(len(self.known), dtype=np.bool_)
        free[list(given.values())] = False
        fits = {}
        for concept, said in enumerate(self.table):
            if concept not in given:
                fits[concept] = np.flatnonzero(free & np.where(said, yes, no).all(axis=1))
        return fits


def _unlike(candidates: NDArray[np.int64], renamings: NDArray[np.int64]) -> list[int]:
    """Keep one candidate of those that the renamings which are left carry into each other."""
    kept: list[int] = []
    done: set[int] = set()
    for t in candidates.tolist():
        if t not in done:
            kept.append(t)
            done.update(np.unique(renamings[:, t]).tolist())
    return kept


@lru_cache(maxsize=16)
def _renamings(k: int, known: tuple[Template, ...]) -> NDArray[np.int64]:
    """Return what each renaming of the hypotheses makes of each template, one line a renaming."""
    number = {family: t for t, family in enumerate(known)}
    bits = np.array([[family >> s & 1 for s in range(1 << k)] for family in known], dtype=np.bool_)
    sets = np.arange(1 << k)
    lines = []
    for names in permutations(range(k)):
        moved = sum(((sets >> i & 1) << names[i] for i in range(k)), np.zeros_like(sets))
        there = np.zeros_like(bits)
        there[:, moved] = bits
        lines.append([number[family] for family in bit_sets(pack(there))])
    return np.array(lines, dtype=np.int64)


def _packed(families: tuple[Template, ...] | list[Template]) -> NDArray[np.uint64]:
    low = (1 << 64) - 1
    return np.array([[family & low, family >> 64] for family in families], dtype=np.uint64)


def _first(words: NDArray[np.uint64]) -> int:
    value = int(words[0]) | int(words[1]) << 64
    return (value & -value).bit_length() - 1
