"""The game between lists of hypotheses and challenges: the least lists of a drawn representation.

One player draws a list, the other a concept and a distribution of points; the first wins if the
list holds a hypothesis within alpha. A lottery (alpha, beta)-represents a class if it wins but for
beta, so that the least lists are found by playing with 1, 2, ... hypotheses a list. Lists and
challenges are added as they are needed (docs/proofs/representation.md).

Of the papers: FX14 Def 5, BNS19 Def 12, BNS19 Def 34.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations, count, product
from math import ceil, comb, lcm
from operator import or_

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import LinearConstraint, milp

from tacit.core import Exact, InvalidArgument, TooLarge, check
from tacit.kernels.bits.packing import bit_sets, pack
from tacit.kernels.deadline import NO_LIMIT, Deadline, OutOfTime
from tacit.theory.representations.representation import ProbabilisticRepresentation, Rows
from tacit.theory.solving.heavy_sets import HeavySets, Masses
from tacit.theory.solving.hitting_sets import heaviest_union
from tacit.theory.solving.matrix_game import GameValue, game_value

HYPOTHESES = 64  # the functions of six points: beyond, games take minutes
ROUNDS = 4  # of proposals among more hypotheses: they end at once, or hardly at all
SEEDS = 4096  # challenges with which proposals begin, if there are no more
PROGRAM = 10.0  # seconds for one of them

Challenge = tuple[int, Masses]
"""A concept, by its line, and a distribution over the points."""


class ListGame:
    """A class, hypotheses, and the challenges that are known, with who meets which.

    Of points on which all concepts and given hypotheses agree, the first stands for all.
    """

    def __init__(
        self, concepts: Rows, alpha: Fraction, among: Rows | None = None, *, most: int = HYPOTHESES
    ) -> None:
        rows = concepts if among is None else np.vstack((concepts, among))
        if concepts.ndim != 2 or not concepts.size:
            raise InvalidArgument("a class is a table of truth values, one line a concept")
        _, self._first, place = np.unique(rows, axis=1, return_index=True, return_inverse=True)
        if among is None:
            self.hypotheses = every_function(len(self._first), most)[:, place.ravel()]
        else:
            self.hypotheses = np.unique(among, axis=0)
        if len(self.hypotheses) > most:
            raise TooLarge(f"{len(self.hypotheses)} hypotheses; at most {most} are searched")
        self.alpha, self.challenges, self.covers = (
            alpha,
            list[Challenge](),
            [0] * len(self.hypotheses),
        )
        self.wrong = [(self.hypotheses != concept)[:, self._first] for concept in concepts]
        self._heavy = HeavySets(len(self._first), alpha)
        self._sets = [bit_sets(pack(errors)) for errors in self.wrong]
        for concept in range(len(concepts)):
            self.add(concept, (Fraction(1, len(self._first)),) * len(self._first))

    def add(self, concept: int, masses: Masses) -> None:
        """Let a challenge be known; whoever errs at most alpha meets it."""
        unit = lcm(*(mass.denominator for mass in masses))
        whole = np.array([int(mass * unit) for mass in masses], dtype=object)
        errors = self.wrong[concept].astype(np.int64).astype(object) @ whole
        for h in np.flatnonzero(errors <= self.alpha * unit):
            self.covers[h] |= 1 << len(self.challenges)
        everywhere = [Fraction(0)] * self.hypotheses.shape[1]
        for x, mass in zip(self._first, masses, strict=True):
            everywhere[x] = mass
        self.challenges.append((concept, tuple(everywhere)))

    def play(
        self, size: int, goal: Fraction | None = None, deadline: Deadline = NO_LIMIT
    ) -> tuple[bool, tuple[tuple[int, ...], ...], GameValue]:
        """Play with lists of at most so many hypotheses; return whether the goal is met, and how.

        The value is of missing a challenge. If the goal is met, or none is given, `paying` draws
        one of the lists and misses at most `upper` under every challenge, known or not; else `paid`
        draws challenges of which no list meets as many as the goal.
        """
        lists = [self.best_list([1] * len(self.challenges), size, -1, deadline)]
        while True:
            value = game_value(self._missed(lists))
            met = 1 - value.upper
            if goal is None or met < goal:
                unit = lcm(*(weight.denominator for weight in value.paid))
                whole = [int(weight * unit) for weight in value.paid]
                least = met * unit if goal is None else Fraction(ceil(goal * unit) - 1)
                better = self.best_list(whole, size, int(least), deadline)
                if better:
                    assert better not in lists, "small games are solved exactly"
                    lists.append(better)
                    continue
                if goal is not None:
                    return False, tuple(lists), value
            new = self._unmet(lists, value.paying, value.upper if goal is None else 1 - goal)
            if not new:
                return True, tuple(lists), value
            for concept, masses in new:
                self.add(concept, masses)

    def fewest(self, deadline: Deadline = NO_LIMIT) -> tuple[int, tuple[int, ...]]:
        """Return few hypotheses that meet every challenge, and what bounds their number below.

        A program in floats proposes hypotheses that meet the known challenges until all are met;
        first come even weights on so few points that no error is light. Of the challenges in the
        best proportions no hypothesis meets more than a share, exactly: that is the bound.
        """
        points = len(self._first)
        few = min(points, ceil(1 / self.alpha) - 1) if self.alpha else points
        many = comb(points, few) * len(self.wrong) > SEEDS
        seeds = () if many else combinations(range(points), few)
        for at, concept in product(seeds, range(len(self.wrong))):
            self.add(concept, tuple(Fraction(x in at, few) for x in range(points)))
        rounds = count() if len(self.covers) <= HYPOTHESES else range(ROUNDS)
        for _ in rounds:
            deadline.check()
            places = range(len(self.challenges))
            met = np.array([[each >> j & 1 for each in self.covers] for j in places])
            program = milp(
                np.ones(len(self.covers)),
                constraints=LinearConstraint(met, lb=1),
                integrality=1,
                bounds=(0, 1),
                options={"time_limit": min(max(deadline.left, 0.1), PROGRAM)},
            )
            if program.x is None:
                break
            chosen = np.flatnonzero(program.x > 0.5)
            games = [game_value(errors[chosen].astype(np.int64)) for errors in self.wrong]
            if all(game.upper <= self.alpha for game in games):
                value = game_value(1 - met.T)
                return ceil(1 / (1 - value.lower)), tuple(chosen.tolist())
            for concept, game in enumerate(games):
                if game.upper > self.alpha:
                    self.add(concept, game.paid)
        raise OutOfTime

    def best_list(
        self, weights: Sequence[int], size: int, above: int, deadline: Deadline = NO_LIMIT
    ) -> tuple[int, ...]:
        """Return a list that meets most of the weighted challenges, if that is above so much."""
        found = heaviest_union(self.covers, weights, size, above, deadline)
        return found[1] if found else ()

    def _missed(self, lists: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
        met = [reduce(or_, (self.covers[h] for h in chosen)) for chosen in lists]
        places = range(len(self.challenges))
        return np.array([[~each >> j & 1 for j in places] for each in met], dtype=np.int64)

    def _unmet(
        self, lists: Sequence[tuple[int, ...]], chances: Sequence[Fraction], above: Fraction
    ) -> list[Challenge]:
        """Return for each concept the challenge that a lottery misses most, if it is above."""
        found = (
            self._heavy.worst([[sets[h] for h in chosen] for chosen in lists], chances, above)
            for sets in self._sets
        )
        return [(concept, worst[1]) for concept, worst in enumerate(found) if worst]


@dataclass(frozen=True, slots=True, eq=False)
class SmallestLottery:
    """`lower <= least lists of an (alpha, beta)-representation <= size`, and such a lottery.

    Of the challenges drawn with these weights, no `lower - 1` hypotheses meet as much as 1 - beta.
    """

    lower: int
    lottery: ProbabilisticRepresentation
    challenges: tuple[Challenge, ...]
    weights: tuple[Fraction, ...]
    why: str

    @property
    def size(self) -> int:
        """The most hypotheses that a list has."""
        return max(len(rows) for rows in self.lottery.sets)


def exact_lottery(
    concepts: Rows,
    alpha: Exact,
    beta: Exact,
    *,
    among: Rows | None = None,
    time_limit: float | None = None,
) -> SmallestLottery:
    """Return a lottery over least lists that (alpha, beta)-represents a class [BNS19 Def 12].

    The hypotheses are all functions, or those `among` given ones.

    Exactness:
        Rationals; floats only propose. `ProbabilisticRepresentation.represents` checks the lottery,
        `most_met` the challenges.

    Cost:
        Up to six points that the class tells apart, or 64 hypotheses. With `time_limit`, in
        seconds, it stops with what is certain.

    >>> found = exact_lottery(np.tri(5, dtype=bool), "1/4", "1/4")
    >>> found.lower, found.size, found.lottery.represents(np.tri(5, dtype=bool), "1/4", "1/4")
    (4, 4, True)
    """
    alpha, beta = check.small_probability(alpha=alpha), check.small_probability(beta=beta)
    table = np.unique(concepts, axis=0)
    game, deadline = ListGame(table, alpha, among), Deadline(time_limit)
    lower, why = 1, "a game of lists and challenges"
    challenges: tuple[Challenge, ...] = ()
    weights: tuple[Fraction, ...] = ()
    sure = table if among is None else game.hypotheses
    lottery = ProbabilisticRepresentation((sure,), (Fraction(1),))
    if not lottery.represents(table, alpha, beta):
        raise InvalidArgument(
            f"no set of the given hypotheses represents the class at {alpha=!s}; take a larger "
            "alpha, or more hypotheses"
        )
    try:
        for size in range(1, len(sure) + 1):
            met, lists, value = game.play(size, 1 - beta, deadline)
            if met:
                used = [i for i, chance in enumerate(value.paying) if chance]
                sets = tuple(game.hypotheses[list(lists[i])] for i in used)
                lottery = ProbabilisticRepresentation(sets, tuple(value.paying[i] for i in used))
                break
            lower, challenges, weights = size + 1, tuple(game.challenges), value.paid
    except OutOfTime:
        why = deadline.why
    return SmallestLottery(lower, lottery, challenges, weights, why)


def most_met(
    concepts: Rows,
    alpha: Exact,
    challenges: Sequence[Challenge],
    weights: Sequence[Fraction],
    size: int,
    *,
    among: Rows | None = None,
) -> Fraction:
    """Return the most of weighted challenges that so many hypotheses meet: what no lottery exceeds.

    >>> found = exact_lottery(np.tri(5, dtype=bool), "1/4", "1/4")
    >>> most_met(np.tri(5, dtype=bool), "1/4", found.challenges, found.weights, 3) < Fraction(3, 4)
    True
    """
    alpha, table = check.small_probability(alpha=alpha), np.unique(concepts, axis=0)
    masses = np.array([each for _, each in challenges], dtype=object)
    used = np.flatnonzero(masses.any(axis=0))
    hypotheses = every_function(len(used)) if among is None else among[:, used]
    covers = [0] * len(hypotheses)
    for j, (concept, _) in enumerate(challenges):
        wrong = (hypotheses != table[concept, used]).astype(np.int64).astype(object)
        for h in np.flatnonzero(wrong @ masses[j, used] <= alpha):
            covers[h] |= 1 << j
    unit = lcm(*(weight.denominator for weight in weights))
    found = heaviest_union(covers, [int(weight * unit) for weight in weights], size, -1)
    return Fraction(found[0] if found else 0) / (unit * sum(weights))


def every_function(points: int, most: int = HYPOTHESES) -> Rows:
    """Return all functions of a few points, a line each."""
    if 1 << points > most:
        raise TooLarge(f"2^{points} functions are not searched; give `among` which there are")
    return np.array(list(product((False, True), repeat=points)), dtype=np.bool_)
