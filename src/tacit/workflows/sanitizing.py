"""From a table to made-up rows like it: check what is public, count, sanitize, and say the cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod

import numpy as np

from tacit.core import Exact, Privacy, Random, check
from tacit.core.budget import read_budget, read_share
from tacit.core.composition import price
from tacit.core.cost import Cost, Pure
from tacit.core.errors import InvalidArgument
from tacit.core.unit import Unit
from tacit.core.version import __version__
from tacit.data.reading.coding import Coding
from tacit.data.reading.source import Source
from tacit.data.schema.integer import Integer
from tacit.data.schema.real import Real
from tacit.data.schema.schema import Schema
from tacit.sanitizers.choice import Method, Task, choose, possible
from tacit.sanitizers.contract.attributes import LARGEST
from tacit.sanitizers.contract.questions import Questions
from tacit.sanitizers.contract.rounding import whole
from tacit.sanitizers.contract.synthetic import Synthetic, SyntheticRows
from tacit.workflows.charging import Charge, Prepared, released
from tacit.workflows.counting.bins import Bins, binned, read_bins
from tacit.workflows.counting.units import count_units, of_units
from tacit.workflows.synthetic_table import SyntheticTable

MOST_ROWS = 10**8
"""Rows that are made up: more would take an hour to write."""
BINS = 16
"""So many bins has a column of numbers in a table that is too wide for its values."""


def sanitize(
    source: Source,
    schema: Schema,
    *,
    columns: Sequence[str],
    epsilon: Exact,
    delta: Exact = 0,
    queries: str | None = None,
    method: str | None = None,
    rows: int | None = None,
    beta: Exact = "0.05",
    outcome: str | None = None,
    person: Sequence[str] = (),
    rng: Random | None = None,
    charge: Charge | None = None,
    rehearsal: Callable[[SyntheticTable], object] = SyntheticTable.describe,
) -> SyntheticTable:
    """Make a synthetic table that answers every question of a family within a promised error.

    Asked are thresholds of one column of numbers, else conjunctions of up to three columns, unless
    `queries` says otherwise. The method is chosen by public numbers: of rows, of values, epsilon,
    delta, and the questions. There are as many rows as in the table, or as told. Coins are the
    operating system's unless `rng` is given. A column of numbers may be cut, as in `age=18:40:65`;
    if there are more cells than can be held, all of them are, at round numbers: then questions are
    about bins, and values within one are spread evenly. Where all pairs of columns are measured,
    those with the `outcome`, a column that models shall foretell from the others, have less noise.

    Guarantee:
        (epsilon, delta)-DP for replaced rows of the table; with `person` for all rows of replaced
        persons, told from others by these columns, of whom one row each is drawn and made rows
        like. With probability at least 1 - beta no
        answer is off by more than `error`, whatever the table is. Everything that can be refused
        is refused for public reasons, before anything is drawn. With `charge`, such as
        `Ledger.charging` gives, nothing is drawn before the cost is on the ledger, and nothing is
        charged before `rehearsal` was told a table that was made from made-up rows.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.data import Bits, Category
    >>> schema = Schema({"sex": Category(["f", "m"]), "smoker": Bits()})
    >>> people = {"sex": ["f", "f", "m"] * 900, "smoker": [0, 0, 1] * 900}
    >>> made = sanitize(people, schema, columns=["sex", "smoker"], epsilon=1, rng=Seeded(1))
    >>> made.rows, made.method, float(made.error) < 0.02
    (2700, 'histogram', True)
    >>> sorted(set(zip(*made.table.values())))
    [('f', 0), ('m', 1)]
    >>> wide = Schema({name: Integer(0, 99) for name in "abcde"})
    >>> same = {name: [7, 60] * 4000 for name in "abcde"}
    >>> made = sanitize(same, wide, columns="abcde", epsilon=2, delta="1e-6", rng=Seeded(1))
    >>> made.method, float(made.error) < 0.03
    ('pairs', True)
    """
    bins = read_bins(schema, columns, role="columns")
    coding, unit = Coding.of(schema, [each.name for each in bins], role="columns"), Unit(person)
    asked = _usual(bins) if queries is None else queries
    if "conjunctions" in asked and prod(each.size for each in bins) > LARGEST:
        bins = [each.coarse(BINS) for each in bins]
    shape = tuple(each.size for each in bins)
    questions = Questions.read(asked, shape)
    names = [each.name for each in bins]
    if outcome is not None and outcome not in names:
        raise InvalidArgument(
            f"outcome (--outcome) names {outcome!r}: name one of the columns {', '.join(names)}"
        )
    place = None if outcome is None else names.index(outcome)
    asked_of = read_budget(epsilon, delta)
    task = Task(questions, shape, asked_of, 1, read_share(beta=beta), place)
    possible(task, method)
    if rows is not None:
        check.count(rows=rows, least=1, up_to=MOST_ROWS)
    counts = count_units(source, coding, unit, none="there is nothing to make rows like")
    chosen = choose(replace(task, n=counts.n), method)
    cost = chosen.sanitizer.cost
    blank = SyntheticTable(
        bins=tuple(bins),
        synthetic=Synthetic(shape, ()),
        schema=schema,
        questions=questions,
        method=chosen.method,
        n=counts.n,
        cost=cost,
        privacy=_spent(cost, task.privacy.delta),
        error=Fraction(1),
        beta=task.beta,
        secure=False,
        version=__version__,
        unit=unit,
    )
    filled = partial(_filled, chosen, counts.n if rows is None else rows)
    purpose = f"synthetic rows of {', '.join(blank.columns)} for {questions}"
    held, sanitizer = of_units(counts, chosen.sanitizer, partial(binned, bins))
    sizes = coding.sizes if unit.person else shape
    return released(
        Prepared(held, sizes, sanitizer, blank, filled, purpose), rng, charge, rehearsal
    )


def _filled(
    chosen: Method, rows: int, blank: SyntheticTable, made: Synthetic | SyntheticRows
) -> SyntheticTable:
    """Make so many rows of what was drawn, and promise what both steps may be off by."""
    fitted, moved = resized(_held(made, blank.synthetic.shape), rows, blank.questions)
    error = min(Fraction(1), chosen.promise(made) + moved)
    return replace(blank, synthetic=fitted, error=error)


def _spent(cost: Cost, delta: Fraction) -> Privacy:
    """Return what was spent; a pure cost needs no delta, whatever was allowed."""
    if isinstance(cost, Pure):
        return Privacy(cost.epsilon)
    return Privacy(price(cost, delta).privacy.epsilon, delta)


def _usual(bins: Sequence[Bins]) -> str:
    numbers = len(bins) == 1 and isinstance(bins[0].column, Integer | Real)
    return "thresholds" if numbers else "conjunctions"


def _held(made: Synthetic | SyntheticRows, shape: tuple[int, ...]) -> Synthetic | SyntheticRows:
    """Move rows beyond the last value to it: a tree has 2^bits points; no answer changes."""
    last = shape[0] - 1
    if isinstance(made, SyntheticRows) or made.shape == shape or made.table[-1][0] <= last:
        return replace(made, shape=shape)
    below = tuple((cell, count) for cell, count in made.table if cell < last)
    rest = made.n - sum(count for _, count in below)
    return replace(made, shape=shape, table=(*below, (last, rest)))


def resized(
    made: Synthetic | SyntheticRows, rows: int, questions: Questions
) -> tuple[Synthetic | SyntheticRows, Fraction]:
    """Return so many rows in the same proportions, and by how much answers have moved at most.

    >>> fitted, moved = resized(Synthetic((4,), ((0, 1), (3, 1))), 5, Questions("thresholds"))
    >>> fitted.table, moved
    (((0, 2), (3, 3)), Fraction(1, 10))
    """
    if made.n == rows:
        return made, Fraction(0)
    if isinstance(made, SyntheticRows):
        kept = made.rows()[np.arange(rows) * made.n // rows]
        taken = SyntheticRows.of(made.shape, kept, made.deviations)
        return taken, questions.distance(made, taken)
    counts = whole(np.array([count for _, count in made.table], dtype=np.float64), rows)
    cells = zip((cell for cell, _ in made.table), counts.tolist(), strict=True)
    fitted = Synthetic(made.shape, tuple((cell, count) for cell, count in cells if count))
    return fitted, questions.distance(made, fitted)
