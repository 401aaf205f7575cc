"""Records that are added: databases of every size up to n, neighbours of which one has one more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tacit import concepts, learners
from tacit.concepts.line.points import Point
from tacit.concepts.rules.literals import Literal
from tacit.concepts.rules.rules import Column, Rules
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Exact, composition
from tacit.core.cost import Added, Approximate, BoundedRange, Pure
from tacit.learners.made_from.added import LISTED
from tacit.mechanisms import ToldNumber
from tacit.mechanisms.measuring.group_measurement import GroupReading
from tacit.statistics.counts.person_counts import PersonCounts
from tacit.verify.cases import persons as of_persons
from tacit.verify.cases.persons import persons
from tacit.verify.cases.statement import Audited, Rows, case, cut, rows, spent
from tacit.verify.enumeration import Case
from tacit.verify.route import jointly, labelled
from tacit.verify.sampling import Probe

BITS = rows((0, 1))


def _points(epsilon: Exact) -> Any:
    return learners.GenericLearner(concepts.Points(1), epsilon=epsilon)


def _made(learner: Any, public: int, labels: int = 1) -> learners.AddedLearner:
    return learners.AddedLearner(learners.DirectSum(learner, labels), public)


def counted(database: Rows) -> PersonCounts:
    """Count persons, of whom there may be none."""
    if database:
        return of_persons.counted(database)
    nobody, nothing = np.zeros((0, 1), dtype=np.int64), np.zeros((0, 2), dtype=np.int64)
    return PersonCounts.of(nobody, nothing, features=1)


def told_number() -> Audited:
    """The number of records with noise, and a rule by a learner that is told that number."""

    def told(first: Exact, then: Exact, n: int, most: int) -> Case:
        mechanism = ToldNumber(
            first, lambda n: _made(_points(then), n), Added(BoundedRange(then)), most
        )
        claim, read = spent(mechanism.cost), jointly(1)
        return case(mechanism, n, f"cut to {most}", BITS, read, claim=claim)

    return (
        told(1, "1/2", 3, 3),
        told("1/10", "1/10", 2, 1),
        told(3, 3, 2, 4),
    ), tuple(Probe(told(e, e, 300, 320), 300) for e in ("1/20", "4"))


def added_learner() -> Audited:
    """Each learner that is made for added records, with a public number that is none of theirs."""

    def learned(made: Any, n: int, about: str, universe: Sequence[Any], **more: Any) -> Case:
        read = more.pop("read", jointly(made.labels))
        return case(made, n, f"{about}, told {made.rows}", universe, read, **more)

    def points(epsilon: Exact, n: int = 3, public: int = 1000) -> Case:
        return learned(_made(_points(epsilon), public), n, "points", BITS, tight=True)

    def prior(epsilon: Exact) -> Case:
        line = learners.PriorLearner(concepts.Thresholds(1), epsilon=epsilon)
        return learned(_made(line, 2), 3, "a prior", BITS)

    def short(epsilon: Exact) -> Case:
        columns = [Column("a", 0, 1), Column("b", 0, 1)]
        rules = Rules(columns, [Literal(0, "=", 1), Literal(1, "=", 0)], 1, negated=True)
        universe = rows(product((0, 1), repeat=2))
        made = _made(learners.ShortRuleLearner(rules, epsilon=epsilon), 0)
        return learned(made, 2, "short rules", universe, tight=True)

    def counts(values: str, epsilon: Exact, n: int, public: int, caution: int = 0) -> Case:
        learner = learners.CountedLearner(Scorecards(values), epsilon=epsilon, caution=caution)
        made, about = _made(learner, public), f"counted, {values}, {caution=}"
        inner: Any = made.inner
        told = None if caution else inner.learner.told
        universe = rows(range(3) if "3" in values else (0, 1))
        claim = Added(Pure(epsilon))
        return learned(made, n, about, universe, read=labelled, claim=claim, transcript=told)

    def margin(rho: int, epsilon: int, public: int, values: str = "3", caution: int = 0) -> Case:
        cards = Scorecards(values)
        learner = learners.MarginLearner(cards, rho=rho, steps=1, bits=0, caution=caution)
        delta = composition.delta_of_rho(Fraction(rho), Fraction(epsilon))
        claim = Added(Approximate(epsilon, delta))
        return learned(_made(learner, public), 2, "margin", rows((0, 2))[:3], claim=claim)

    def by_person(epsilon: Exact, weight: int, n: int) -> Case:
        person = learners.ByPerson(learners.DirectSum(_points(epsilon), 1), weight)
        made = learners.AddedLearner(person, 2)
        about = f"persons, weight {weight}"
        claim = Added(BoundedRange(epsilon) if weight > 1 else Pure(epsilon))
        return learned(made, n, about, persons(BITS, 2)[:6], read=counted, claim=claim)

    two = _made(_points("1/3"), 5, labels=2)
    return (
        points("1/3", 4, 0),
        points(1),
        points(6, 3, 1),
        prior(1),
        prior(6),
        short("1/2"),
        short(8),
        learned(two, 2, "two labels", rows((0, 1), 2), claim=spent(two.cost)),
        counts("2", 1, 2, 2),
        counts("2", 6, 1, 3),
        counts("c3", "1/2", 1, 1),
        counts("s3", 1, 1, 2),
        counts("2", 1, 3, 4, caution=100),
        margin(8, 10, 2),
        margin(4, 6, 1),
        margin(8, 10, 1, "c2"),
        margin(2, 4, 3, caution=3472),
        by_person(1, 60, 2),
        by_person("1/3", 1, 2),
        by_person(6, 6, 2),
    ), tuple(Probe(points(e, 1000), 300) for e in ("1/300", "8"))


def _cut(told: Iterable[GroupReading]) -> tuple[GroupReading, ...]:
    """Cut what was told to 0 and the rows that laws are listed for, as laws are."""
    ends, lines = cut(0, LISTED), ("errors", "positives", "rows")
    return tuple(
        replace(each, **{line: ends(getattr(each, line)) for line in lines}) for each in told
    )


def added_measurement() -> Audited:
    """A rule measured on rows whose number is secret, all together and in groups."""

    def measured(epsilon: Exact, n: int, edges: tuple[int, ...] = ()) -> Case:
        measure = learners.AddedMeasurement(
            (Point(0),), concepts.Points(1), Fraction(epsilon), 0, edges
        )
        told: dict[str, Any] = {"shown": _cut, "tight": True, "kind": "mechanism"}
        claim, about = spent(measure.cost), f"edges {edges}"
        return case(measure, n, about, BITS, jointly(1), claim=claim, **told)

    return (
        measured(1, 3),
        measured("1/10", 2),
        measured(6, 2),
        measured(2, 1, (1,)),
    ), tuple(Probe(measured(e, 3), 300) for e in ("1/4", 8))


def added_measured_learner() -> Audited:
    """A rule, and what rows that were held out by coins told of it."""

    def both(found: Any) -> Any:
        return found[0], _cut(found[1])

    def learned(epsilon: Exact, share: str, n: int, universe: Any = BITS) -> Case:
        whole = learners.AddedMeasuredLearner(
            _made(_points(epsilon), 2), share=share, epsilon=epsilon
        )
        claim, read = spent(whole.cost), jointly(1)
        told: dict[str, Any] = {"claim": claim, "shown": both, "labels": 1}
        return case(whole, n, f"share {share}", universe, read, **told)

    def by_person(epsilon: Exact, weight: int) -> Case:
        inner = learners.ByPerson(learners.DirectSum(_points(epsilon), 1), weight)
        made = learners.AddedLearner(inner, 1)
        whole = learners.AddedMeasuredLearner(made, share="1/2", epsilon=epsilon)
        universe = [((0, (0,)),) * 2, ((1, (1,)),), ((0, (0,)), (1, (1,)))]
        about, claim = f"persons, weight {weight}", spent(whole.cost)
        return case(whole, 2, about, universe, counted, claim=claim, shown=both, labels=1)

    return (
        learned(1, "1/5", 2),
        learned("1/3", "1/2", 2),
        learned(6, "2/7", 2),
        learned(2, "1/2", 3, BITS[1:]),
        by_person(1, 60),
        by_person(2, 1),
    ), tuple(Probe(learned(e, "1/5", 3), 300) for e in ("1/4", 8))
