"""What a house tells: every kind of table, for replaced and for added rows, and for persons."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.composition import delta_of_rho
from tacit.core.cost import Added, Approximate
from tacit.data import Bits, Category, Integer, Schema
from tacit.data.schema.outcome import Outcome
from tacit.learners.contract.model import Model
from tacit.learners.linear.joint_margin import JointMargin
from tacit.mechanisms.one_row_each import OneRowEach
from tacit.statistics import Counts
from tacit.statistics.counts.marks import Marks
from tacit.verify.cases import persons as of_persons
from tacit.verify.cases.persons import persons
from tacit.verify.cases.statement import Audited, case, counts, cut, spent
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe
from tacit.workflows import learn
from tacit.workflows.sites.asking import ask
from tacit.workflows.sites.descent import Moments, Pulls, RowSums
from tacit.workflows.sites.tables import LISTED, NoisyTables, SiteTable, Vector

SCHEMA = Schema({"dose": Integer(0, 2), "ward": Category(["a", "b"]), "ill": Bits()})
HOUSES = ["0" * 64, "1" * 64, "2" * 64]
ROWS = tuple(product(range(2), range(2)))
"""All rows of two columns, of two values each."""


@dataclass(frozen=True, slots=True)
class _Together:
    """What is seen of as many honest houses as split the noise: one has rows, and all add noise."""

    tables: NoisyTables
    shares: int

    def __call__(self, held: Counts[Any], *, rng: Random) -> tuple[Vector, ...]:
        nobody: Counts[Any] = Counts(0, {})
        own = (self.tables(held if house == 0 else nobody, rng=rng) for house in range(self.shares))
        return tuple(tuple(map(sum, zip(*each, strict=True))) for each in zip(*own, strict=True))

    def law(self, held: Counts[Any]) -> Law[tuple[Vector, ...]]:
        return self.tables.law(held)


@cache
def _model() -> Model:
    """Return a public model, learned from rows of nobody."""
    rows = {"dose": [0, 2] * 9, "ill": [0, 1] * 9}
    asked: Any = {"concepts": "thresholds", "features": ["dose"], "labels": ["ill"], "epsilon": 9}
    return learn(rows, Schema({n: SCHEMA[n] for n in ("dose", "ill")}), **asked, rng=Seeded(1))


def _descent(bits: int = 0) -> tuple[Moments, Pulls]:
    """Return what two rounds ask for, in whole units or halves, so that noise can be listed."""
    made: Any = {"outcomes": (Marks(1, nested=False),), "steps": 1, "bits": bits, "caution": 0}
    learner = JointMargin(Scorecards("2"), rho=8, **made)
    starts, ill = learner.started([1], [2], 3), (Outcome.of("ill", SCHEMA["ill"]),)
    return Moments(("ill",), learner), Pulls(("ward",), ill, learner, starts, ((0, 0),))


def site() -> Audited:
    """One message of a house, whatever the others send: all tables of a question together."""

    def told(kind: str, epsilon: Any, n: int, universe: Any, **asked: Any) -> Case:
        schema = Schema.parse(asked["model"].schema) if "model" in asked else SCHEMA
        question = ask(kind, schema, epsilon=epsilon, sites=HOUSES, **asked)
        about, tables, shares = f"{kind}, {question.unit.said}", question.mechanism, question.honest
        return case(
            tables if shares is None else _Together(tables, shares),
            n,
            about if shares is None else f"{about}, noise split between {shares}",
            universe,
            counts,
            claim=spent(question.cost),
            shown=_listed(question, n),
            tight=kind != "measure",
            kind="mechanism",
        )

    def of_some_persons(epsilon: Any) -> Case:
        asked: Any = {"by": ["ward"], "epsilon": epsilon, "person": ["who"]}
        question = ask("count", SCHEMA, sites=HOUSES, **asked)
        each = OneRowEach(question.mechanism)
        return case(
            each,
            2,
            f"count, {question.unit.said}",
            persons((0, 1), 2),
            of_persons.counted,
            claim=spent(question.cost),
            shown=_listed(question, 2),
            kind="mechanism",
        )

    def summed(
        of: RowSums, rho: int, epsilon: int, n: int, universe: Any, *, added: bool = False
    ) -> Case:
        table = SiteTable((), Fraction(rho), gaussian=True, added=added, of=of)
        paid = Approximate(epsilon, delta_of_rho(Fraction(rho), Fraction(epsilon)))
        return case(
            NoisyTables(table.columns, (table,)),
            n,
            f"descent, {of.name}, {'added' if added else 'replaced'}, rho={rho}",
            universe,
            counts,
            claim=Added(paid) if added else paid,
            kind="mechanism",
        )

    moments, pulls = _descent()
    card: Any = {"features": ["ward"], "labels": ["ill"]}
    two: Any = {"features": ["ward"], "labels": ["ill", "dose"], "cuts": {"dose": [1]}}
    triples = tuple(product(range(2), range(2), range(2)))
    return (
        told("scorecard", 1, 2, ROWS, **card),
        told("scorecard", 1, 1, triples, **two),
        told("count", 1, 2, ROWS, by=["ward", "ill"], neighbours="added"),
        told("steps", 8, 3, tuple(range(3)), features=["dose"]),
        told("measure", 1, 1, tuple(product(range(3), range(2))), model=_model()),
        told("count", 1, 2, tuple(product(range(2), range(3))), by=["ward"], mean=["dose"]),
        told("count", "1/4", 2, (0, 1, 2), quantiles={"dose": ["1/2"]}),
        told("count", 3, 2, (0, 1), by=["ward"], neighbours="added"),
        told("survival", 1, 1, tuple(product(range(3), range(2))), time="dose", event="ill"),
        told("synthetic", 1, 3, ROWS, columns=["ward", "ill"]),
        told("count", 1, 2, ROWS, by=["ward", "ill"], honest=2),
        told("count", "1/2", 2, (0, 1, 2), by=["dose"], neighbours="added", honest=2),
        told("count", 6, 3, (0, 1), by=["ward"], honest=2),
        of_some_persons(1),
        summed(moments, 2, 6, 3, ((0,), (1,))),
        summed(pulls, 2, 6, 2, ROWS),
        summed(_descent(1)[1], 8, 10, 1, ROWS),
        summed(pulls, 2, 6, 2, ROWS, added=True),
    ), (
        *(Probe(told("count", e, 300, (0, 1), by=["ward"]), 300) for e in ("1/10", 8)),
        Probe(told("count", "1/10", 300, (0, 1), by=["ward"], honest=2), 300),
        Probe(summed(pulls, 2, 6, 300, ROWS), 300),
    )


def _listed(question: Any, n: int) -> Any:
    """Tell what is beyond the listed ends as the ends, as the law does."""
    most = LISTED if question.unit.added else max(n, 1)
    ends = [
        cut(-table.top * most, table.top * most) if table.of else cut(0, most)
        for table in question.tables
    ]
    return lambda told: tuple(end(each) for end, each in zip(ends, told, strict=True))
