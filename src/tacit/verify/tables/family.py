"""The verbs that read a table, audited from the file on: all neighbouring tiny tables, exactly."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Hashable, Iterator
from contextvars import Context
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core.chance.law import Law, certain
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Added, Approximate, Pure
from tacit.core.label_privacy import LabelPrivacy
from tacit.core.unit import Neighbours
from tacit.data import class_for, read_points
from tacit.data.reading.source import Source
from tacit.data.reading.template import template
from tacit.learners.contract.model import Model
from tacit.verify.enumeration import Case
from tacit.verify.finding import budget
from tacit.verify.tables.cells import FEATURES, LABEL, SCHEMA, Storage
from tacit.verify.tables.persons import person_case
from tacit.verify.tables.watching import Known, law_of
from tacit.verify.tables.writers import Writer
from tacit.workflows import count, learn, measure, optimise, quantile, sanitize
from tacit.workflows.sites.answering import answer
from tacit.workflows.sites.asking import ask
from tacit.workflows.sites.question import SiteQuestion

Rows = tuple[Any, ...]
"""Which of a storage's cells each row holds, in every column; or in every feature, and as label."""
Verb = Callable[[Source], Hashable]
_KNOWN: Known = {}
"""The laws that were computed, for all writers: most of their tables have the same counts."""


def cases_of(writer: Writer) -> Iterator[Case]:
    """Yield what is proved of a writer: the release of each verb, and the codes of each row."""
    target, first = f"table-{writer.name}", writer.storages[0]
    for storage in writer.storages:
        yield case_of(target, "learn", writer, storage, _learn, Pure(1))
    for storage in writer.storages:
        yield _coded(target, writer, storage)
    yield case_of(target, "quantile", writer, first, _quantile, Pure("1/2"), n=3, most=4)
    yield case_of(target, "optimise", writer, first, _optimise, Pure(1), most=4)
    yield case_of(target, "sanitize", writer, first, _sanitize, Pure(2), most=5)
    yield case_of(target, "count", writer, first, _count, Pure(1), most=4)
    yield case_of(target, "jointly", writer, first, _jointly, Approximate(1, "1/10"), most=4)
    yield case_of(target, "held out", writer, first, _held_out, Pure(1), most=3)
    yield case_of(target, "measure", writer, first, _measure, Pure(1), most=3)
    yield case_of(target, "site", writer, first, _site, Pure(1), most=4)
    yield case_of(target, "site, added", writer, first, _site, Added(Pure(1)), most=3)
    yield case_of(target, "parties", writer, first, _parties, Pure(1), most=3, tables=2)
    yield case_of(target, "labels only", writer, first, _labels_only, LabelPrivacy(1), most=3)
    yield case_of(target, "public", writer, first, _public, Pure(1), most=4)
    yield case_of(target, "public labels", writer, first, _public_labels, Pure(1), most=4)
    yield case_of(target, "learn, added", writer, first, _added, Added(Pure(1)), most=3)
    yield case_of(target, "measure, added", writer, first, _measure, Added(Pure(1)), most=3)
    yield case_of(target, "quantile, added", writer, first, _quantile, Added(Pure("1/2")), most=4)
    yield case_of(target, "count, added", writer, first, _count, Added(Pure(1)), most=3)
    yield case_of(target, "names", writer, first, _names, Pure(0), most=3)
    for name, verb, claim, most in OF_PERSONS:
        yield person_case(target, name, writer, verb, claim, most)


def law_of_table(
    verb: Verb, known: Known, writer: Writer, storage: Storage, tables: int, rows: Rows
) -> Law[Any]:
    """Write these rows, dealt to some tables, and return the law of all that a verb lets out."""
    with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
        sources = []
        for place in range(tables):
            held = [row if isinstance(row, tuple) else (row, row) for row in rows[place::tables]]
            column, labels = ([storage.cells[row[i]] for row in held] for i in (0, 1))
            columns = {**dict.fromkeys(FEATURES, (storage, column)), LABEL: (storage, labels)}
            sources.append(writer(columns, Path(folder) / f"table{place}"))
        source = sources[0] if tables == 1 else sources
        return law_of(lambda: verb(source), private=folder, known=known)


def case_of(
    target: str,
    name: str,
    writer: Writer,
    storage: Storage,
    verb: Callable[[Any, Source], Hashable],
    claim: Pure | Approximate | LabelPrivacy | Added,
    *,
    n: int = 2,
    most: int = 6,
    tables: int = 1,
) -> Case:
    """Make a case of all ordered tables of n rows over the first cells of a storage.

    Of a claim about labels a row has a cell for its features and another for its label.
    """
    law = partial(law_of_table, partial(verb, claim), _KNOWN, writer, storage, tables)
    setting = f"{name}, {storage.name}, n={n}, epsilon={budget(claim)}"
    universe: Rows = tuple(range(len(storage.cells)))[:most]
    universe = tuple(product(universe, universe)) if isinstance(claim, LabelPrivacy) else universe
    return Case(target, setting, "learner", claim, universe, n, law, symmetric=False)


def _coded(target: str, writer: Writer, storage: Storage) -> Case:
    """Claim that whatever one row holds, and wherever it is, the other row's codes stay.

    A database is the row that is replaced; seen is what is read of the other one, for every cell
    that it may hold, before and after it.
    """
    universe = tuple(range(len(storage.cells)))

    @cache
    def read(rows: Rows) -> Any:
        ((told, codes, _),) = law_of_table(_codes, {}, writer, storage, 1, rows).probabilities
        return told, codes or [None] * len(rows)

    def other(rows: Rows, place: int) -> Any:
        told, codes = read(rows)
        return told, codes[place]

    def law(database: Rows) -> Law[Any]:
        (replaced,) = database
        before = [other((kept, replaced), 0) for kept in universe]
        return certain((*before, *(other((replaced, kept), 1) for kept in universe)))

    setting = f"codes, {storage.name}, n=2: of the other row"
    return Case(target, setting, "learner", Pure(0), universe, 1, law)


def _free(*_: object) -> None:
    """Charge nothing, but have all done that comes before a charge: a rehearsal, say."""


def _learned(claim: Pure | Approximate, source: Source, **asked: Any) -> None:
    """Learn what is asked, by the learner that is asked for."""
    delta = claim.delta if isinstance(claim, Approximate) else 0
    given: Any = {**asked, "epsilon": claim.epsilon, "delta": delta, "agnostic": False}
    learn(source, SCHEMA, **given, rng=Seeded(0), charge=_free)


def _learn(claim: Pure, source: Source, **units: Any) -> None:
    _learned(claim, source, concepts=_rules(), features=list(FEATURES), labels=[LABEL], **units)


@cache
def _rules() -> ConceptClass[Any]:
    """Return a class that looks at every column, made once: it is public."""
    return class_for("rules(width=1)", SCHEMA, list(FEATURES))


def _told_apart(claim: Pure | Added) -> dict[str, Any]:
    """Return the budget of a claim, and how its neighbours differ."""
    related = Neighbours.ADDED if isinstance(claim, Added) else Neighbours.REPLACED
    return {"epsilon": budget(claim), "neighbours": related}


def _added(claim: Added, source: Source) -> None:
    """Learn from rows whose number is secret, and measure on those that coins held out."""
    asked: Any = {"features": ["bits_clip"], "labels": [LABEL], "hold_out": "1/2", "rows": 2}
    asked |= _told_apart(claim)
    learn(source, SCHEMA, concepts="conjunctions", **asked, rng=Seeded(0), charge=_free)


def _quantile(claim: Pure | Added, source: Source, **units: Any) -> None:
    asked: Any = {"column": "real_clip", **_told_apart(claim)} | units
    quantile(source, SCHEMA, **asked, rng=Seeded(0), charge=_free)


def _optimise(claim: Pure, source: Source, **units: Any) -> None:
    asked: Any = {"columns": ["integer_clip", "real_clip"], "epsilon": claim.epsilon} | units
    optimise(source, SCHEMA, problem="centre-point", **asked, rng=Seeded(0), charge=_free)


def _sanitize(claim: Pure, source: Source, **units: Any) -> None:
    asked: Any = {"columns": ["category_null"], "epsilon": claim.epsilon} | units
    sanitize(source, SCHEMA, **asked, rng=Seeded(0), charge=_free)


def _count(claim: Pure | Added, source: Source, **units: Any) -> None:
    """Count by a column in bins, with the mean of another in each, and a quantile by its rank."""
    asked: Any = {"by": ["integer_clip=2"], "mean": ["bits_clip"], **_told_apart(claim)}
    if not isinstance(claim, Added):
        asked["quantiles"] = {"real_clip": ["1/2"]}
    asked |= units
    count(source, SCHEMA, **asked, rng=Seeded(0), charge=_free)


def _jointly(claim: Approximate, source: Source, **units: Any) -> None:
    """Learn from counts of records: a point and all labels."""
    asked = {"features": ["integer_null"], "labels": [LABEL, "bits_clip"]}
    _learned(claim, source, concepts="points", learner="histogram", **asked, **units)


def _held_out(claim: Pure, source: Source, **units: Any) -> None:
    """Learn from one half of the rows what the other half measures."""
    asked = {"features": ["bits_clip"], "labels": [LABEL], "hold_out": "1/2"}
    _learned(claim, source, concepts="conjunctions", **asked, **units)


def _measure(claim: Pure | Added, source: Source, **units: Any) -> None:
    """Measure a rule that these rows had no part in."""
    asked = _told_apart(claim) | units
    measure(_model(), source, **asked, rng=Seeded(0), charge=_free)


@cache
def _model() -> Model:
    """Return a model, made once from rows of nobody: it is public."""
    asked: Any = {"features": ["integer_clip"], "labels": [LABEL], "epsilon": 1}
    nobody = {"integer_clip": [3, 5], LABEL: [0, 1]}
    make = partial(learn, nobody, SCHEMA, concepts="thresholds", **asked, rng=Seeded(0))
    return Context().run(make)  # where nobody watches: this is no part of what is audited


HOUSE, LATE = "0" * 64, datetime(2026, 12, 31, tzinfo=UTC)
"""A house that signs nothing, and until when it is asked: an audit sees all that it would sign."""


def _site(claim: Pure | Added, source: Source, **units: Any) -> None:
    """Answer a question by a column in bins, by another, and by a label."""
    question = _question(claim, tuple(units.get("person", ())))
    answer(source, SCHEMA, question=question, site=HOUSE, now=LATE, rng=Seeded(0), charge=_free)


@cache
def _question(claim: Pure | Added, person: tuple[str, ...]) -> SiteQuestion:
    """Pose the question once: it is public."""
    asked: Any = {"features": ["integer_clip"], "labels": [LABEL], "steps": {"integer_clip": [2]}}
    kind = "scorecard"
    if isinstance(claim, Added):  # all cells are told then: fewer of them are listed in no time
        kind, asked = "count", {"by": ["integer_clip=2"]}
    asked |= _told_apart(claim) | {"person": person}
    posed = ask(kind, SCHEMA, **asked, sites=[HOUSE], until=LATE)
    return replace(posed, nonce=HOUSE)


def _parties(claim: Pure, sources: Source) -> None:
    """Learn from a table of each party."""
    asked = {"features": ["bits_clip"], "labels": [LABEL]}
    _learned(claim, sources, concepts="conjunctions", learner="parties", **asked)


def _labels_only(claim: LabelPrivacy, source: Source) -> None:
    """Learn where features are public, without a ledger: it takes no such release."""
    asked: Any = {"features": ["integer_clip"], "labels": [LABEL], "epsilon": claim.epsilon}
    learn(source, SCHEMA, concepts="thresholds", **asked, labels_only=True, rng=Seeded(0))


def _public(claim: Pure, source: Source, *, labelled: bool = False) -> None:
    """Learn with a file of public rows, which is the same for all tables."""
    asked = {"features": ["integer_clip"], "labels": [LABEL], "public_labelled": labelled}
    with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
        shown = Path(folder) / "public.csv"
        shown.write_text(f"integer_clip,{LABEL}\n3,0\n5,1\n5,1\n", encoding="utf-8")
        _learned(claim, source, concepts="thresholds", public=shown, **asked)


_public_labels = partial(_public, labelled=True)


def _names(_: Pure, source: Source) -> str:
    """Tell what a schema can be written from: names, and no cell."""
    return template(source)


def _codes(source: Source) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, read_points(source, SCHEMA, SCHEMA.names).tolist()))


OF_PERSONS: tuple[tuple[str, Callable[..., None], Pure | Approximate, int], ...] = (
    ("learn", _learn, Pure(1), 5),
    ("jointly", _jointly, Approximate(1, "1/10"), 5),
    ("held out", _held_out, Pure(1), 3),
    ("measure", _measure, Pure(1), 4),
    ("site", _site, Pure(1), 4),
    ("count", _count, Pure(1), 4),
    ("quantile", _quantile, Pure("1/2"), 5),
    ("sanitize", _sanitize, Pure(2), 5),
    ("optimise", _optimise, Pure(1), 5),
)
"""What is audited with persons too, by their means and by one row each, and of how many."""
