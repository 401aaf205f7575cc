"""Rules over a table: conjunctions of few literals from a public list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    Bracket,
    Cells,
    Concept,
    Gains,
    Points,
    listable,
    one_by_one,
)
from tacit.concepts.contract.domains import within
from tacit.concepts.contract.feature import Feature, both, ranged
from tacit.concepts.rules.bitmaps import TOGETHER, label_gains
from tacit.concepts.rules.literal_class import LiteralClass
from tacit.concepts.rules.literals import FAR, Comparison, Literal
from tacit.concepts.rules.selections import Selections
from tacit.core import InvalidArgument, TacitError, check, hold
from tacit.core.numbers.exact import told
from tacit.kernels.bits.packing import Words, pack

DISTANCES = (-128, -32, -8, 0, 8, 32, 128)
"""Twice the distances from a rule's edge, in codes, that part the rows it is measured on."""


@dataclass(frozen=True, slots=True)
class Rule(Concept):
    """Yes where all its literals hold; if it is negated, no there and yes elsewhere.

    >>> rule = Rule((Literal(0, ">=", 40), Literal(1, "=", 1, shown="yes")))
    >>> rule.rule(["age", "smoker"]), rule.sql(["age", "smoker"])
    ('age is at least 40 and smoker is yes', '("age" >= 40 AND "smoker" = \\'yes\\')')
    >>> Rule(rule.literals, negated=True).rule(["age", "smoker"])
    'age is below 40 or smoker is not yes'
    """

    literals: tuple[Literal, ...]
    negated: bool = False

    @property
    def levels(self) -> tuple[int, ...]:
        """Each number of broken literals; where numbers are compared, some distances."""
        if any(literal.ordered for literal in self.literals):
            return DISTANCES
        broken = range(0, -2 * max(len(self.literals), 1), -2)
        return tuple(-level for level in broken) if self.negated else tuple(reversed(broken))

    def score(self, points: Points, /) -> NDArray[np.int64]:
        """Say how far inside or outside each point is, as an odd number: what is free to know.

        Inside it is how far a number may move before a literal breaks; outside, how far all that
        are broken have to move. Levels are even, so each score has a level's sides to itself.

        >>> rule = Rule((Literal(0, ">=", 40), Literal(1, "=", 1, shown="yes")))
        >>> rule.score(np.array([[45, 1], [40, 1], [39, 1], [30, 0]])).tolist()
        [11, 1, -1, -21]
        """
        inside = np.full(len(points), FAR, dtype=np.int64)
        outside = np.zeros(len(points), dtype=np.int64)
        for literal in self.literals:
            depth = literal.depth(points)
            outside += np.minimum(depth, 0)
            if literal.ordered:
                inside = np.minimum(inside, depth)
        if not any(literal.ordered for literal in self.literals):
            inside[:] = 0
        score = 2 * np.where(outside < 0, outside, inside) + 1
        return -score if self.negated else score

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        holds = np.ones(len(points), dtype=np.bool_)
        for literal in self.literals:
            holds &= literal(points)
        return ~holds if self.negated else holds

    def rule(self, names: Sequence[str], /) -> str:
        if self.negated:
            said = [literal.opposite.rule(names) for literal in self.literals]
            some = " or ".join(part for part in said if part != "never")
            return "always" if "always" in said else some or "never"
        columns = dict.fromkeys(literal.column for literal in self.literals)
        return both(
            said
            for column in columns
            for said in _said([x for x in self.literals if x.column == column], names)
        )

    def sql(self, columns: Sequence[str], /) -> str:
        parts = " AND ".join(literal.sql(columns) for literal in self.literals)
        return f"(NOT ({parts or '1 = 1'}))" if self.negated else f"({parts or '1 = 1'})"


def _said(literals: list[Literal], names: Sequence[str]) -> list[str]:
    """Say literals about one column; of a `Feature`, all bounds as one range."""
    column = literals[0].column
    name = names[column]
    fixed = [x.value for x in literals if x.comparison == Comparison.IS]
    if fixed and not Rule(tuple(literals))(np.full((1, column + 1), fixed[0])).all():
        return ["never"]
    lows = [x.value for x in literals if x.comparison == Comparison.AT_LEAST]
    highs = [x.value - 1 for x in literals if x.comparison == Comparison.BELOW]
    if not isinstance(name, Feature) or len(lows) + len(highs) < 2:
        return [literal.rule(names) for literal in literals]
    rest = [x.rule(names) for x in literals if x.comparison in (Comparison.IS, Comparison.IS_NOT)]
    return [ranged(name, max(lows, default=0), min(highs, default=None)), *rest]


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name, and the least and the greatest integer that a point may hold for it.

    >>> Column("smoker", 0, 1).size
    2
    """

    name: str
    low: int
    high: int

    def __post_init__(self) -> None:
        check.count(high=self.high, least=check.count(low=self.low, least=-(1 << 62)))

    @property
    def size(self) -> int:
        """How many values there are."""
        return self.high - self.low + 1


@dataclass(frozen=True, slots=True)
class Rules(LiteralClass[Rule]):
    """All conjunctions of at most `width` literals of a public list; the empty one says always.

    With `negated` also what each of them denies, such as "age < 40 or not a smoker", and never.

    Two rules may be one function, such as "age >= 40" and "age >= 40 and age >= 18", or never be
    true. So this class is a family of rules rather than a set of functions: `size` counts rules,
    cells partition the rules, and a uniform draw is uniform over rules. Scores stay exact, and
    privacy and accuracy of a choice by score hold for families as for sets, with `size` as given.

    >>> ages = [Literal(0, ">=", 40), Literal(0, "<", 65), Literal(1, "=", 1, shown="yes")]
    >>> little = Rules([Column("age", 0, 120), Column("smoker", 0, 1)], ages, width=2)
    >>> little.size, little.names
    (7, ('age', 'smoker'))
    >>> print(Rules([Column("age", 0, 120)], ages[:2], width=1))
    rules({"width":1,"columns":[["age",0,120]],"literals":[[0,">=",40],[0,"<",65]]})
    >>> [rule.rule(little.names) for rule in little.concepts()][-1]
    'age is below 65 and smoker is yes'
    """

    columns: tuple[Column, ...]
    literals: tuple[Literal, ...]
    width: int
    negated: bool = False

    family: ClassVar[str] = "rules"
    distinct: ClassVar[bool] = False

    def __init__(
        self,
        columns: Iterable[Column],
        literals: Iterable[Literal],
        width: int,
        *,
        negated: bool = False,
    ) -> None:
        hold(self, columns=tuple(columns), literals=tuple(literals)).count(width=width, least=1)
        hold(self, negated=negated is True)
        if not self.literals or len(set(self.literals)) != len(self.literals):
            raise InvalidArgument("literals must be at least one, and all different")
        if self.width > len(self.literals):
            raise InvalidArgument(f"width must be at most {len(self.literals)}, got {told(width)}")
        if any(literal.column >= len(self.columns) for literal in self.literals):
            raise InvalidArgument(f"literals must be about columns 0 to {len(self.columns) - 1}")
        within(sum((c.size - 1).bit_length() for c in self.columns), said="the bits of all columns")
        assert self.selections.width == self.width  # which refuses rules too many to count

    def __str__(self) -> str:
        told: dict[str, Any] = {"negated": True} if self.negated else {}
        told |= {
            "width": self.width,
            "columns": [[column.name, column.low, column.high] for column in self.columns],
            "literals": [literal.encode() for literal in self.literals],
        }
        return f"rules({json.dumps(told, separators=(',', ':'))})"

    @classmethod
    def read(cls, text: str) -> Rules:
        """Read what `str` wrote between the brackets."""
        try:
            told = json.loads(text)
            columns = [Column(*column) for column in told["columns"]]
            literals = [Literal.decode(encoded) for encoded in told["literals"]]
            return cls(columns, literals, told["width"], negated=told.get("negated", False))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            reason = f": {error}" if isinstance(error, TacitError) else ""
            raise InvalidArgument(
                "rules are over the columns of a table: write rules or rules(width=2) where there "
                f"is a schema, else what str(rules) says{reason}"
            ) from None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def features(self) -> int:
        return len(self.columns)

    @property
    def domain_size(self) -> int:
        return prod(column.size for column in self.columns)

    @property
    def selections(self) -> Selections:
        """Which literals make a rule: C(literals, w) of them for each w up to the width."""
        return Selections(len(self.literals), 1, self.width)

    @property
    def size(self) -> int:
        """The number of selections; twice that, with what they deny."""
        return self.selections.size << self.negated

    def nth(self, index: int, /) -> Rule:
        """Return the rule of this number: short ones first, then in this order what they deny."""
        denied, chosen = divmod(index, self.selections.size)
        return Rule(self.conjunction(self.selections.pick(chosen)).literals, bool(denied))

    def concepts(self) -> Iterator[Rule]:
        """Yield all rules in canonical order."""
        listable(self.size, what="concepts")
        return map(self.nth, range(self.size))

    def scored(self, gains: Gains) -> Cells[Rule]:
        """Return the cells for one gain a conjunction; what it denies gains the rest of all."""
        return one_by_one(np.append(gains, gains[0] - gains) if self.negated else gains, self.nth)

    @property
    def vc(self) -> Bracket:
        """At least as many as columns that literals can divide, up to the width.

        Take a literal of each that some values meet and some do not; the points that fail one of
        them and meet the others are shattered by the conjunctions of these literals.
        """
        return Bracket(self._independent, self.size.bit_length() - 1, "independent columns; log2")

    @property
    def littlestone(self) -> Bracket:
        """At least the VC dimension and at most log2 of the number of rules."""
        return self.vc

    def clip(self, points: Points, /) -> Points:
        low = [column.low for column in self.columns]
        high = [column.high for column in self.columns]
        return np.minimum(np.maximum(points, low), high)

    def domain(self) -> Points:
        """Return all points, in lexicographic order."""
        listable(self.domain_size, what="points")
        axes = [np.arange(c.low, c.high + 1, dtype=np.int64) for c in self.columns]
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, self.features)

    def scorable_by_rows(self, labels: int, /) -> bool:
        """Whether the counters fit at once: of each rule, and of its agreements with each label."""
        return self.size * (labels + 1) <= TOGETHER

    def truths(self, points: Points, /) -> NDArray[np.bool_]:
        return np.array([literal(points) for literal in self.literals])

    def gains(self, rows: Points, labels: NDArray[np.bool_]) -> Gains:
        """Return each conjunction's gain for each label, one line a label, from rows as they come.

        `labels` has one line a label, as long as there are rows; rows may repeat. All labels share
        one walk through the rules; `scored` turns a line into cells.
        """
        return self.bitmap_gains(pack(self.truths(rows)), pack(labels), rows=len(rows))

    def bitmap_gains(self, literals: Words, labels: Words, *, rows: int) -> Gains:
        """Return what `gains` returns, from one bitmap a literal and one a label."""
        return label_gains(self.selections, literals, labels, rows=rows)

    def dichotomies(self, points: Points, /) -> list[Rule]:
        """Return one rule for each labelling of the points, a shortest one; O(literals) each."""
        found = self.selections.reach(self.truths(points))
        made = {where: self.conjunction(chosen) for where, chosen in found.items()}
        if self.negated:
            everywhere = (1 << len(points)) - 1
            denied = {
                everywhere ^ where: Rule(r.literals, negated=True) for where, r in made.items()
            }
            made = denied | made
        return list(made.values())

    def encode(self, concept: Rule, /) -> dict[str, Any]:
        """Return a JSON object for a rule; it carries its literals, not their places."""
        told: dict[str, Any] = {"literals": [literal.encode() for literal in concept.literals]}
        return told | ({"negated": True} if concept.negated else {})

    def decode(self, encoded: dict[str, Any], /) -> Rule:
        literals = tuple(Literal.decode(literal) for literal in encoded["literals"])
        known = [literal for literal in self.literals if literal in literals]
        denied = encoded.get("negated", False)
        if (
            len(literals) > self.width
            or tuple(known) != literals
            or denied not in (False, self.negated)
        ):
            raise InvalidArgument(f"{encoded} is no rule of {self}")
        return Rule(literals, denied)

    def conjunction(self, chosen: tuple[int, ...], /) -> Rule:
        """Return the rule of the literals of these numbers."""
        return Rule(tuple(self.literals[literal] for literal in chosen))

    @property
    def _independent(self) -> int:
        """How many columns some literal divides, up to the width."""
        divided = set()
        for literal in self.literals:
            column = self.columns[literal.column]
            near = {column.low, column.high, literal.value - 1, literal.value, literal.value + 1}
            inside = np.zeros((len(near), self.features), dtype=np.int64)
            inside[:, literal.column] = [min(max(v, column.low), column.high) for v in near]
            if len(set(literal(inside).tolist())) == 2:
                divided.add(literal.column)
        return min(self.width, len(divided))
