"""From a table to counts, means and quantiles: check what is public, count, divide one budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import Any

from tacit.core import Exact, InvalidArgument, Privacy, Random, TooLarge, check
from tacit.core.budget import read_budget, read_share
from tacit.core.composition import calibrate, price
from tacit.core.cost import Added
from tacit.core.numbers.enclosures import lower, real, round_down
from tacit.core.unit import Neighbours, Unit, check_declared
from tacit.data.reading.coding import Coding
from tacit.data.reading.source import Source
from tacit.data.schema.bits import Bits
from tacit.data.schema.columns import Column
from tacit.data.schema.real import Real
from tacit.data.schema.schema import Schema
from tacit.mechanisms import DiscreteGaussianVector, DiscreteLaplace
from tacit.sanitizers import TreeSanitizer
from tacit.sanitizers.line.tree import DEEPEST
from tacit.theory.solving.logarithms import float_above, float_below
from tacit.workflows.charging import Charge, Prepared, released
from tacit.workflows.counting.answers import TableAnswers, TableNumber
from tacit.workflows.counting.bins import numbers_of, read_bins
from tacit.workflows.counting.parts import Part, Ranks, Sums, TableParts, TreeRanks
from tacit.workflows.counting.units import count_units, of_units

BINS = 8
"""Bins of a column of numbers, unless it is cut where told."""
CELLS, LEVELS = 1 << 16, 99
"""Cells of a table, and quantiles of a column, at most: nobody reads more."""
MOST = 1 << 53
"""More rows than any table has: what counts are cut to, where their number is secret."""
Share = tuple[Fraction, bool]
"""What a part may spend: an epsilon, or if true a rate rho of concentrated privacy."""


def count(
    source: Source,
    schema: Schema,
    *,
    by: Sequence[str] = (),
    mean: Sequence[str] = (),
    quantiles: Mapping[str, Sequence[Exact]] | None = None,
    epsilon: Exact,
    delta: Exact = 0,
    confidence: Exact = "0.95",
    person: Sequence[str] = (),
    neighbours: str = Neighbours.REPLACED,
    rows: int | None = None,
    rng: Random | None = None,
    charge: Charge | None = None,
    rehearsal: Callable[[TableAnswers], object] = TableAnswers.describe,
) -> TableAnswers:
    """Count rows by the values of some columns, with means and quantiles, from one budget.

    `by` names the columns of one cross-table, whose cells are all that the schema allows; numbers
    are cut at round ones, or where `age=18:40:65` says. Means are told for each cell of it, or
    without it for all rows; quantiles for all rows. The number of rows is public, unless
    `neighbours` is "added": then it is told with noise where a mean needs it, `rows` is what was
    declared of it, and quantiles are left to `quantile`. With `person`,
    columns that tell persons apart, one row of each is drawn and counted. The budget is divided
    equally among the table, each mean, and each column with quantiles. Coins are the operating
    system's unless `rng` is given.

    Guarantee:
        (epsilon, delta)-DP for replaced rows of the table, or for all rows of replaced persons, or
        for added ones (docs/proofs/added.md).
        Each interval holds the table's own number with probability at least `confidence`. Noise is
        discrete Laplace, or with a delta discrete Gaussian where that is narrower. With `charge`,
        charged and rehearsed as `quantile` is; all that is refused is refused for public reasons,
        before anything is drawn.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.data import Category, Integer
    >>> schema = Schema({"sex": Category(["f", "m"]), "age": Integer(0, 120)})
    >>> people = {"sex": ["f", "f", "m"] * 900, "age": [20, 40, 70] * 900}
    >>> told = count(people, schema, by=["sex"], mean=["age"], epsilon=1, rng=Seeded(1))
    >>> [(a.cell, a.kind, round(a.value), round(a.high - a.low)) for a in told.answers][::2]
    [(('f',), 'count', 1802, 12), (('m',), 'count', 898, 12)]
    """
    bins, levels = read_bins(schema, by, BINS), _levels(quantiles or {})
    total, miss = read_budget(epsilon, delta), 1 - read_share(confidence=confidence)
    read_share(unsure=miss)
    for name in mean:
        numbers_of(schema, name, bits=True)
    for name in levels:
        numbers_of(schema, name)
    grouped = [each.name for each in bins]
    columns = list(dict.fromkeys([*grouped, *mean, *levels]))
    if not columns:
        raise InvalidArgument("nothing is asked: name columns to count by, or a mean or quantiles")
    cells = prod(each.size for each in bins)
    if cells > CELLS:
        raise TooLarge(
            f"by: the table would have {cells} cells, more than {CELLS}; name fewer "
            "columns, or cut numbers into fewer bins, as in age=40:65"
        )
    if cells == 1 and not (mean or levels):
        raise InvalidArgument(
            "by: the table would have one cell, which holds all rows; name a column of two values "
            "or more"
        )
    Coding.of(schema, list(mean) or columns, role="mean")
    coding = Coding.of(schema, [*grouped, *(c for c in columns if c not in grouped)], role="by")
    unit = Unit(person, neighbours)
    check_declared(unit, rows)
    if unit.added and levels:
        raise InvalidArgument(
            "quantiles are drawn by public ranks: with neighbours=added (--neighbours) ask for one "
            "by one (tacit quantile)"
        )
    counts = count_units(source, coding, unit, none="there is nothing to count")
    n = MOST if unit.added else counts.n
    shapes = partial(_parts, coding, cells, mean, levels, n, miss, added=unit.added)
    asked, spent = _chosen(partial(TableParts, len(columns), tuple(bins)), shapes, total, n, miss)
    laplace = not spent.delta
    blank = TableAnswers(
        by=tuple(grouped),
        answers=(),
        n=rows if unit.added else counts.n,
        noise="discrete Laplace" if laplace else "discrete Gaussian",
        confidence=1 - miss,
        cost=Added(asked.cost) if unit.added else asked.cost,
        privacy=spent,
        secure=False,
        unit=unit,
    )
    labels = list(product(*(each.labels for each in bins)))
    told = partial(_told, asked, labels, schema, list(mean), levels, miss)
    said = [f"counts by {', '.join(grouped)}"] * bool(bins) + [f"the mean of {m}" for m in mean]
    purpose = "; ".join([*said, *(f"quantiles of {name}" for name in levels)])
    held, answering = of_units(counts, asked)
    return released(
        Prepared(held, coding.sizes, answering, blank, told, purpose), rng, charge, rehearsal
    )


def _levels(asked: Mapping[str, Sequence[Exact]]) -> dict[str, list[Fraction]]:
    """Read which quantiles are asked for."""
    found = {}
    for name, levels in asked.items():
        read = [check.nonnegative(level=level) for level in levels]
        if not read or len(read) > LEVELS or max(read) > 1:
            raise InvalidArgument(
                f"quantiles of {name!r} must be 1 to {LEVELS} levels from 0 to 1, as in 0.25:0.5"
            )
        found[name] = read
    return found


def _chosen(
    make: Callable[[tuple[Part, ...]], TableParts],
    parts: Callable[[Share], tuple[Part, ...]],
    total: Privacy,
    n: int,
    miss: Fraction,
) -> tuple[TableParts, Privacy]:
    """Divide the budget, with the noise whose intervals are narrower; all by public numbers."""
    pure = make(parts((total.epsilon, False)))
    if not total.delta:
        return pure, Privacy(total.epsilon)
    rho = calibrate(total, lambda rho: make(parts((rho, True))).cost)
    near = make(parts((rho, True)))
    widths = [prod(max(1, part.width(n, miss)) for part in each.parts) for each in (pure, near)]
    if widths[0] <= widths[1]:
        return pure, Privacy(total.epsilon)
    return near, Privacy(price(near.cost, total.delta).privacy.epsilon, total.delta)


def _parts(
    coding: Coding,
    cells: int,
    mean: Sequence[str],
    levels: Mapping[str, Sequence[Fraction]],
    n: int,
    miss: Fraction,
    whole: Share,
    *,
    added: bool = False,
) -> tuple[Part, ...]:
    """Give an equal share to the table, each mean, and each column with quantiles."""
    places: list[int | None] = [None] if cells > 1 or added else []
    places += [coding.names.index(name) for name in mean]
    amount, rate = whole[0] / (len(places) + len(levels)), whole[1]
    parts: list[Part] = []
    for place in places:
        top = 0 if place is None else coding.columns[place].size - 1
        total, squared = Sums.moved(place, top, cells, added=added)
        noise = (
            DiscreteGaussianVector(squared / (2 * amount), squared)
            if rate
            else DiscreteLaplace(amount, total)
        )
        parts.append(Sums(place, top, cells, noise, n if added else None))
    for name, asked in levels.items():
        place = coding.names.index(name)
        parts.append(_ranks(place, coding.columns[place], asked, n, miss, (amount, rate)))
    return tuple(parts)


def _ranks(
    place: int, column: Column, levels: Sequence[Fraction], n: int, miss: Fraction, share: Share
) -> Part:
    """Return quantiles that are drawn one by one, or a tree of all, if that is off by fewer."""
    amount, rate = share

    def each(draws: int) -> Fraction:
        return _root(8 * amount / draws) if rate else amount / draws

    drawn = Ranks.of(place, (column.bits, column.size), levels, n, miss, each)
    if column.bits > DEEPEST:
        return drawn
    tree = TreeSanitizer(column.bits, epsilon=_root(2 * amount) if rate else amount)
    off = int(n * tree.error(n, miss))
    ranks = tuple(triple[1] for triple in drawn.ranks)
    return drawn if drawn.off <= off else TreeRanks(place, column.size, ranks, off, tree)


def _root(square: Fraction) -> Fraction:
    """Return a square root, rounded down to 20 bits."""
    return round_down(lower(lambda: real(square).sqrt()), 20)


def _told(
    asked: TableParts,
    labels: Sequence[tuple[str, ...]],
    schema: Schema,
    mean: Sequence[str],
    levels: Mapping[str, Sequence[Fraction]],
    miss: Fraction,
    blank: TableAnswers,
    drawn: Sequence[Any],
) -> TableAnswers:
    """Say what was drawn, with intervals."""
    secret = blank.unit.added
    n: int = MOST if secret else blank.n  # type: ignore[assignment]
    parts, given = iter(asked.parts), iter(drawn)
    answers, rows = [list[TableNumber]() for _ in labels], [(n, n, n)] * len(labels)
    if len(labels) > 1 or secret:
        noisy, part = next(given), next(parts)
        noisy = (*noisy, n - noisy[0]) if len(labels) == 2 and not secret else noisy
        own, rows = (
            [within(c, part.width(n, share), n) for c in noisy] for share in (miss, miss / 2)
        )
        for found, cell, ends in zip(answers, labels, own, strict=True):
            found.append(TableNumber(*ends, cell=cell))
    for name in mean:
        sums, part = next(given), next(parts)
        wide = part.width(n, miss / 2 if len(labels) > 1 or secret else miss)
        for found, cell, total, many in zip(answers, labels, sums, rows, strict=True):
            found.append(TableNumber(*mean_of(schema[name], total, wide, many), of=name, cell=cell))
    last = []
    for name, wanted in levels.items():
        value: Any = schema[name].decode
        for level, (low, at, high) in zip(wanted, next(given), strict=True):
            last.append(TableNumber(value(at), value(low), value(high), of=name, level=level))
    return replace(blank, answers=(*(a for found in answers for a in found), *last))


def within(noisy: int, wide: int, n: int) -> tuple[int, int, int]:
    """Return a count that could be, and its ends: between 0 and n."""
    ends = (noisy, noisy - wide, noisy + wide)
    return tuple(min(max(value, 0), n) for value in ends)  # type: ignore[return-value]


def mean_of(
    column: Any, total: int, wide: int, rows: tuple[int, int, int]
) -> tuple[float, float, float]:
    """Return a mean and its ends, from a noisy sum of doubled and centred codes and a noisy count.

    A sum above 0 is most among fewest rows, one below 0 among most; no mean is outside the range.
    """
    top, (many, fewest, most) = column.size - 1, (max(1, told) for told in rows)
    step = column.step if isinstance(column, Real) else Fraction(1)
    start = Fraction(0) if isinstance(column, Bits) else Fraction(column.low)

    def at(offset: Fraction, near: Callable[[Fraction], float] = float) -> float:
        return near(start + step * (min(max(offset, Fraction(-top)), Fraction(top)) + top) / 2)

    low, high = total - wide, total + wide
    return (
        at(Fraction(total, many)),
        at(Fraction(low, fewest if low < 0 else most), float_below),
        at(Fraction(high, fewest if high > 0 else most), float_above),
    )
