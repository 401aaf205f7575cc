"""Rules chosen by scores that one row moves by more than 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tacit.core.chance.law import Law
from tacit.core.cost import Pure
from tacit.mechanisms import Exponential
from tacit.statistics import ScoreProfile
from tacit.verify.enumeration import Case

Row = tuple[int, int]
ROWS: tuple[Row, ...] = tuple(product((0, 1), (0, 1)))
EPSILON = Fraction(1, 2)
CAUTION = 3


def _covered(database: tuple[Row, ...]) -> list[tuple[int, int]]:
    """Count, for each rule "if x is v then b", the rows it is right and wrong for."""
    marks = [[y for x, y in database if x == value] for value in (0, 1)]
    return [(m.count(said), m.count(1 - said)) for m in marks for said in (0, 1)]


def _caution_forgotten(database: tuple[Row, ...]) -> Law[int]:
    """Count a wrong row as -3 and go on as if each row could move a score by 1 only."""
    scores = [right - CAUTION * wrong for right, wrong in _covered(database)]
    return Exponential(EPSILON).law(ScoreProfile.of(scores))


def _by_purity(database: tuple[Row, ...]) -> Law[int]:
    """Choose the purest rule: the share of right rows among few moves by much more than 1 / n."""
    n = len(database)
    scores = [n * right // max(right + wrong, 1) for right, wrong in _covered(database)]
    return Exponential(EPSILON).law(ScoreProfile.of(scores))


CASES = (
    Case("list-caution-forgotten", "4 rules", "broken", Pure(EPSILON), ROWS, 4, _caution_forgotten),
    Case("list-by-purity", "4 rules", "broken", Pure(EPSILON), ROWS, 4, _by_purity),
)
