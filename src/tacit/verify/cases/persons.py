"""Persons with any number of rows: a record of a database is all rows of one person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from tacit import concepts, learners
from tacit.core import Exact, Law, Privacy, Pure
from tacit.mechanisms import DiscreteLaplace, OneRowEach, PrivateQuantile
from tacit.statistics.counts.line_counts import LineCounts
from tacit.statistics.counts.person_counts import PersonCounts
from tacit.verify.cases.made_from import cut_readings
from tacit.verify.cases.statement import Audited, Rows, case, cut, rows, spent
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe


def persons(held: Iterable[Any], most: int) -> tuple[Any, ...]:
    """Return every person with up to so many of these rows."""
    known = tuple(held)
    return tuple(
        each for m in range(1, most + 1) for each in combinations_with_replacement(known, m)
    )


def counted(database: Rows) -> PersonCounts:
    """Count persons whose rows are points with labels, or points alone."""
    who = np.array([[i] for i, person in enumerate(database) for _ in person], dtype=np.int64)
    flat = [(point, *labels) for person in database for point, labels in map(_labelled, person)]
    return PersonCounts.of(who, np.array(flat, dtype=np.int64), features=1)


def _labelled(row: Any) -> tuple[int, tuple[int, ...]]:
    return row if isinstance(row, tuple) else (row, ())


def by_person() -> Audited:
    """Linear learners by the mean of the rows, all learners by one row each, and both measured."""
    few = persons(rows((0, 1)), 2)
    pairs = [((0, (0,)),) * 2, ((1, (1,)),), ((0, (0,)), (1, (1,))), ((0, (1,)),) * 3]

    def made(learner: Any, weight: int, n: int, universe: Sequence[Any], **more: Any) -> Case:
        mechanism = learners.ByPerson(learners.DirectSum(learner, 1), weight)
        about = f"{type(learner).__name__}, weight {weight}"
        return case(mechanism, n, about, universe, counted, **more)

    def points(epsilon: Exact) -> Any:
        return learners.GenericLearner(concepts.Points(1), epsilon=epsilon)

    def measured(epsilon: Exact, weight: int) -> Case:
        inner = learners.ByPerson(learners.DirectSum(points(epsilon), 1), weight)
        whole = learners.MeasuredLearner.within(inner, Privacy(epsilon), rows=1)
        told: dict[str, Any] = {"shown": lambda found: (found[0], cut_readings(found[1]))}
        about = f"measured, weight {weight}"
        return case(whole, 2, about, pairs, counted, claim=spent(whole.cost), **told)

    stable = learners.StablePointLearner(concepts.Points(1), epsilon=1, delta="1/10")
    line = learners.PriorLearner(concepts.Thresholds(1), epsilon="1/3")
    return (
        made(points(1), 60, 2, few, tight=True),
        made(points("1/3"), 6, 3, few),
        made(points(6), 4, 3, few[:6]),
        made(points(1), 1, 3, few[:8], claim=Pure(1)),
        made(line, 60, 2, few),
        made(stable, 1, 2, few),
        measured(1, 60),
        measured("1/2", 1),
    ), tuple(
        Probe(made(points(e), 6, 1000, few), 300, (few[0], few[3], few[5], few[9]) * 250)
        for e in ("1/300", "8")
    )


def one_row_each() -> Audited:
    """Noise on a count, and a quantile, of one row of each person."""

    def ones(drawn: Any) -> int:
        return int(drawn[1])

    def noisy(epsilon: Exact, n: int, most: int, ends: tuple[int, int] | None = None) -> Case:
        low, high = ends or (0, n)
        noise = DiscreteLaplace(epsilon)
        mechanism = OneRowEach(noise, ones)

        def law(held: PersonCounts) -> Law[Any]:
            shares = [_share(held, i) for i in range(held.n)]
            return _binomials(shares).then(lambda c: noise.law(c, low=low, high=high))

        return case(
            mechanism,
            n,
            "a noisy count",
            persons((0, 1), most),
            counted,
            law=law,
            shown=cut(low, high),
            labels=1,
        )

    def median(epsilon: Exact, n: int) -> Case:
        ranks = PrivateQuantile(2, level="1/2", epsilon=epsilon)
        return case(
            OneRowEach(ranks, _line),
            n,
            "the median",
            (*persons((0, 3), 2), (1, 2, 2)),
            counted,
            claim=spent(ranks.cost),
            labels=1,
        )

    return (
        noisy("1/3", 3, 2),
        noisy(6, 3, 2),
        median(1, 3),
    ), tuple(Probe(noisy(e, 1000, 1, (480, 520)), 300, ((0,), (1,)) * 500) for e in ("1/2", "8"))


def _line(drawn: Any) -> LineCounts:
    return LineCounts.of([x for x, many in drawn.table.items() for _ in range(many)], bits=2)


def _share(held: PersonCounts, person: int) -> Fraction:
    """Return the share of a person's rows that are 1."""
    entries = slice(held.starts[person], held.starts[person + 1])
    marks, times = held.codes[held.cells[entries], 0], held.times[entries]
    return Fraction(int((marks * times).sum()), int(times.sum()))


def _binomials(shares: Sequence[Fraction]) -> Law[int]:
    """Return the law of how many of independent events come true."""
    masses = [Fraction(1)]
    for share in shares:
        if share in (0, 1):
            masses = [Fraction(0)] * int(share) + masses
            continue
        rest, true = ([m * s for m in masses] for s in (1 - share, share))
        none = [Fraction(0)]
        masses = [a + b for a, b in zip(rest + none, none + true, strict=True)]
    return Law({count: mass for count, mass in enumerate(masses) if mass})
