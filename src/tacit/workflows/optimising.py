"""From the rows of a table to a solution that suits them: check what is public, count, choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any

from tacit.core import Exact, InvalidArgument, Law, Privacy, Random, TooLarge
from tacit.core.budget import read_budget, read_share
from tacit.core.cost import Cost
from tacit.core.unit import ROWS, Unit
from tacit.data.reading.coding import Coding
from tacit.data.reading.source import Source
from tacit.data.schema.integer import Integer
from tacit.data.schema.schema import Schema
from tacit.learners.rules.three_satisfiability import ThreeSatisfiability
from tacit.mechanisms import CentrePoint
from tacit.statistics import Counts
from tacit.workflows.charging import Charge, Prepared, released
from tacit.workflows.counting.bins import numbers_of
from tacit.workflows.counting.units import count_units, of_units, told_unit


@dataclass(frozen=True, slots=True)
class Optimised:
    """A solution, what it cost, and how good it is, whatever the rows, but for beta.

    Of `3-sat` the solution has a literal for each variable, and at most `promised` rows are left;
    of `centre-point` a value for each column, and no halfspace that holds it has fewer rows.
    """

    problem: str
    columns: tuple[str, ...]
    solution: tuple[int | float, ...]
    n: int
    promised: int
    beta: Fraction
    cost: Cost
    privacy: Privacy
    secure: bool
    unit: Unit = ROWS

    def describe(self) -> dict[str, Any]:
        """Return a JSON object; exact numbers are strings."""
        return {
            "problem": self.problem,
            "columns": list(self.columns),
            "solution": list(self.solution),
            "n": self.n,
            "promised": {PROMISES[self.problem]: self.promised},
            "beta": str(self.beta),
            "privacy": {"epsilon": str(self.privacy.epsilon), "delta": "0"},
            "secure": self.secure,
            **told_unit(self.unit),
        }


PROMISES = {"3-sat": "unsatisfied", "centre-point": "depth"}
"""The problems, and what is promised of a solution."""
LARGEST_WORK = 1 << 32
"""Comparisons that a choice takes at most: a minute or two."""


@dataclass(frozen=True, slots=True)
class _OfCodes:
    """A mechanism on the codes of rows: each is read as its record, by itself."""

    mechanism: ThreeSatisfiability | CentrePoint
    record: Callable[[tuple[int, ...]], Any]
    promise: Callable[[int, Fraction], int]
    work: Callable[[int], int]
    told: Callable[[Any], tuple[Any, ...]]

    def __call__(self, counts: Counts[Any], *, rng: Random) -> Any:
        return self.mechanism(self._records(counts), rng=rng)

    def law(self, counts: Counts[Any]) -> Law[Any]:
        return self.mechanism.law(self._records(counts))

    def _records(self, counts: Counts[Any]) -> Counts[Any]:
        read: dict[Any, int] = {}
        for codes, many in counts.table.items():
            record = self.record(codes if isinstance(codes, tuple) else (codes,))
            read[record] = read.get(record, 0) + many
        return Counts(counts.n, read)


def optimise(
    source: Source,
    schema: Schema,
    *,
    problem: str,
    columns: Sequence[str],
    epsilon: Exact,
    beta: Exact = "0.05",
    person: Sequence[str] = (),
    rng: Random | None = None,
    charge: Charge | None = None,
    rehearsal: Callable[[Optimised], object] = Optimised.describe,
) -> Optimised:
    """Choose a solution for the rows of a table: an assignment for clauses, or a point amid points.

    `3-sat` reads a row as a clause: three columns of integers, i for a variable and -i for its
    negation, as many variables as the declared ranges reach. A row that is no clause of three
    different literals, its cells read by the schema, is read as 1, 2, 3. `centre-point` reads it as
    a point of one to three columns of numbers, and chooses among all points of their declared grid.

    Guarantee:
        epsilon-DP for replaced rows of the table, see `ThreeSatisfiability` and `CentrePoint`. What
        is refused is refused for public reasons, before anything is drawn; with `charge`, charged
        and rehearsed as `quantile` is, and persons likewise.

    >>> from tacit.core.chance.randomness import Seeded
    >>> schema = Schema({name: Integer(-4, 4) for name in "abc"})
    >>> clauses = {"a": [1, -2] * 90, "b": [2, 3] * 90, "c": [-3, 4] * 90}
    >>> asked = {"problem": "3-sat", "columns": ["a", "b", "c"], "epsilon": 1}
    >>> told = optimise(clauses, schema, **asked, rng=Seeded(1))
    >>> told.solution, told.promised
    ((1, 2, 3, 4), 28)
    """
    total, beta = read_budget(epsilon, 0), read_share(beta=beta)
    coding = Coding.of(schema, list(columns))
    chosen = _posed(problem, schema, columns, total.epsilon)
    unit = Unit(person)
    counts = count_units(source, coding, unit, none="there is nothing to choose by")
    if chosen.work(counts.n) > LARGEST_WORK:
        raise TooLarge(f"{problem} would take too long; declare smaller ranges or coarser steps")
    blank = Optimised(
        problem=problem,
        columns=tuple(columns),
        solution=(),
        n=counts.n,
        promised=chosen.promise(counts.n, beta),
        beta=beta,
        cost=chosen.mechanism.cost,
        privacy=total,
        secure=False,
        unit=unit,
    )
    purpose = f"{problem} of {', '.join(columns)}"
    held, choosing = of_units(counts, chosen)
    prepared = Prepared(
        held,
        coding.sizes,
        choosing,
        blank,
        lambda empty, drawn: replace(empty, solution=chosen.told(drawn)),
        purpose,
    )
    return released(prepared, rng, charge, rehearsal)


def _posed(problem: str, schema: Schema, columns: Sequence[str], epsilon: Fraction) -> _OfCodes:
    """Return the mechanism of a problem, and how it reads the codes of these columns."""
    declared: list[tuple[str, Any]] = [(name, schema[name]) for name in columns]
    if problem == "3-sat":
        if len(declared) != 3 or not all(isinstance(column, Integer) for _, column in declared):
            raise InvalidArgument("3-sat needs three columns of type integer, one for each literal")
        reach = max(abs(end) for _, column in declared for end in (column.low, column.high))
        assign = ThreeSatisfiability(reach, epsilon=epsilon)

        def literals(codes: tuple[int, ...]) -> Any:
            pairs = zip(declared, codes, strict=True)
            return tuple(column.decode(code) for (_, column), code in pairs)

        def signed(values: Sequence[bool]) -> tuple[int, ...]:
            return tuple(i if value else -i for i, value in enumerate(values, start=1))

        return _OfCodes(assign, literals, assign.left, lambda n: n * assign.size, signed)
    if problem != "centre-point":
        raise InvalidArgument(f"problem must be one of {', '.join(PROMISES)}, got {problem!r}")
    for name, _ in declared:
        numbers_of(schema, name)
    centre = CentrePoint([column.size for _, column in declared], epsilon)

    def values(place: tuple[int, ...]) -> tuple[Any, ...]:
        return tuple(c.decode(code) for (_, c), code in zip(declared, place, strict=True))

    def work(n: int) -> int:
        grid: int = prod(centre.sizes)
        return int(grid * min(n, grid) ** len(declared))

    return _OfCodes(centre, tuple, centre.depth, work, values)
