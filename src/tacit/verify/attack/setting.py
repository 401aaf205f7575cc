"""How the words of a code become rows of a table, and the learned hypotheses a word.

Of the papers: BNS16 Def 4.2, BNS16 Thm 4.3, BNS16 Remark 4.4, BNS16 Thm 4.7, BNS16 Remark 4.8,
BNS16 Prop 4.11.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.algebra.parities import Parities
from tacit.concepts.contract.concept_class import Concept, ConceptClass
from tacit.concepts.line.thresholds import Thresholds
from tacit.core import Exact, InvalidArgument, check
from tacit.statistics import JointCounts
from tacit.theory.codes.boneh_shaw import BonehShaw
from tacit.theory.codes.codebook import Bits
from tacit.theory.codes.trace import Code

Read = Callable[[Concept, NDArray[Any]], bool]


def more_than_half(hypothesis: Concept, points: NDArray[Any]) -> bool:
    """Whether a hypothesis says yes on most points: right on marked columns if it errs on fewer."""
    return 2 * int(hypothesis(points).sum()) > len(points)


def at_the_point(hypothesis: Concept, points: NDArray[Any]) -> bool:
    """What a hypothesis says at the one point of all users."""
    return bool(hypothesis(points[:1])[0])


def more_than_a_quarter(hypothesis: Concept, points: NDArray[Any]) -> bool:
    """Whether a parity is not constant: the best one errs on half of a column of ones."""
    return 4 * int(hypothesis(points).sum()) > len(points)


@dataclass(frozen=True, slots=True)
class Setting:
    """Each user's row has a point and, as its k labels, the user's word.

    A user who is left out is replaced by a row at `absent`, labelled 0, which no word has a say in;
    so are the rows that fill the table up. `read` makes a bit of each hypothesis; a learner that
    errs less than `bearable` on the users' rows makes a feasible word.

    >>> thresholds(3).compatible(np.array([[True, True, False]]))
    True
    >>> thresholds(3).compatible(np.array([[False, True, False]]))
    False
    """

    name: str
    concepts: ConceptClass[Any]
    points: NDArray[Any]
    absent: NDArray[Any]
    read: Read
    agnostic: bool
    bearable: Fraction = Fraction(1, 2)

    @property
    def users(self) -> int:
        """How many users have a row."""
        return len(self.points)

    def compatible(self, labellings: Bits) -> bool:
        """Whether every one of these labellings of the users, one a row, is a concept's."""
        known = {tuple(h(self.points).tolist()) for h in self.concepts.dichotomies(self.points)}
        return all(tuple(labelling) in known for labelling in labellings.tolist())

    def takes(self, code: Code) -> bool:
        """Whether every column that a code may have is a concept's on the users [BNS16 Def 4.2]."""
        if isinstance(code, BonehShaw):
            return self.compatible(code.kinds())
        return len(self.concepts.dichotomies(self.points)) == 1 << self.users  # any column may come

    def most_rows(self, alpha: Exact) -> int:
        """Return up to how many rows, filled up, whoever errs at most alpha makes a feasible word.

        >>> thresholds(10).most_rows("0.1"), one_point(10).most_rows("0.1")
        (49, 99)
        """
        share = self.bearable / check.probability(alpha=alpha)
        return max(self.users, ceil(share * self.users) - 1)

    def table(self, words: Bits, present: Bits, *, rows: int) -> JointCounts:
        """Return a table of so many rows with the words of those users who are present."""
        if rows < self.users:
            raise InvalidArgument(f"rows must be at least users = {self.users}, got {rows}")
        side = (-1, 1) if self.points.ndim == 2 else (-1,)
        points = np.where(present.reshape(side), self.points, self.absent)
        marks, totals = words & present[:, None], np.ones(self.users, dtype=np.int64)
        if rows > self.users:
            points = np.concatenate((points, self.absent[:1]))
            marks = np.concatenate((marks, np.zeros((1, words.shape[1]), dtype=np.bool_)))
            totals = np.append(totals, rows - self.users)
        return JointCounts(rows, words.shape[1], points, marks, totals)

    def word(self, hypotheses: tuple[Concept, ...]) -> Bits:
        """Return the pirates' word: a bit of each hypothesis."""
        read = {h: self.read(h, self.points) for h in set(hypotheses)}
        return np.array([read[h] for h in hypotheses], dtype=np.bool_)


def thresholds(users: int) -> Setting:
    """Return users at different points of a line, for a code whose columns are thresholds.

    Hypotheses that err on less than half of the users' rows make a feasible word [BNS16 Thm 4.3];
    with the table filled up to N rows an error below users / (2N) is enough.
    """
    check.count(users=users, least=2)
    line, points = Thresholds(values=users + 1, direction="down"), np.arange(users)
    nobody = np.full(users, users)
    return Setting("thresholds", line, points, nobody, more_than_half, agnostic=False)


def one_point(users: int) -> Setting:
    """Return users at one point, for any code and any class with two concepts that differ there.

    Labels that nothing explains; a hypothesis within an excess error below users / N of the best
    makes a feasible word [BNS16 Thm 4.7].
    """
    check.count(users=users, least=2)
    line, points = Thresholds(values=2, direction="down"), np.zeros(users, dtype=np.int64)
    read, all_of = at_the_point, Fraction(1)
    return Setting("one point", line, points, points + 1, read, agnostic=True, bearable=all_of)


def parities(dims: int) -> Setting:
    """Return a user at every point of a cube, for any code and the parities on it.

    Parities within an excess error below 1/4 of the best make a feasible word [BNS16 Prop 4.11].
    """
    cube = Parities(check.count(dims=dims, least=1))
    points = cube.domain()
    read, part = more_than_a_quarter, Fraction(1, 4)
    return Setting("parities", cube, points, points, read, agnostic=True, bearable=part)
