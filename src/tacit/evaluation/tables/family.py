"""The verbs that read a table, audited from the file on: all neighbouring tiny tables, exactly."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Hashable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from tacit.concepts.concept_class import ConceptClass
from tacit.core.cost import Pure
from tacit.core.law import Law, certain
from tacit.core.randomness import Seeded
from tacit.data import class_for, learn, quantile, read_points, sanitize
from tacit.data.source import Source
from tacit.evaluation.finding import Kind
from tacit.evaluation.tables.cells import FEATURES, LABEL, SCHEMA, Storage
from tacit.evaluation.tables.watching import Known, law_of
from tacit.evaluation.tables.writers import Writer
from tacit.evaluation.verification import Case

Rows = tuple[int, ...]
"""Which of a storage's cells each row holds, in every column."""
Verb = Callable[[Source], Hashable]
_KNOWN: dict[Hashable, Known] = {}
"""The laws of each verb, whatever wrote the table: equal counts have equal laws."""


def cases_of(writer: Writer) -> Iterator[Case]:
    """Yield what is proved of a writer: the release of each verb, and the codes of each row."""
    target, first = f"table-{writer.name}", writer.storages[0]
    for storage in writer.storages:
        yield _released(target, writer, storage, _learn, "learner", "1", 2)
    for storage in writer.storages:
        yield _coded(target, writer, storage)
    yield _released(target, writer, first, _quantile, "mechanism", "1/2", 3, most=4)
    yield _released(target, writer, first, _sanitize, "sanitizer", "2", 2, most=5)


def law_of_table(
    verb: Verb, known: Known, writer: Writer, storage: Storage, rows: Rows
) -> Law[Any]:
    """Write a table of these rows, and return the law of all that a verb then lets out."""
    with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
        path = Path(folder) / "table"
        columns = {name: [storage.cells[row] for row in rows] for name in SCHEMA.names}
        source = writer(columns, storage, path)
        return law_of(lambda: verb(source), private=str(path), known=known)


def _released(
    target: str,
    writer: Writer,
    storage: Storage,
    verb: Callable[..., None],
    kind: Kind,
    epsilon: str,
    n: int,
    most: int | None = None,
) -> Case:
    universe = tuple(range(len(storage.cells)))[:most]
    asked, known = partial(verb, epsilon=epsilon), _KNOWN.setdefault((verb, epsilon), {})
    law = partial(law_of_table, asked, known, writer, storage)
    setting = f"{verb.__name__[1:]}, {storage.name}, n={n}, epsilon={epsilon}"
    return Case(target, setting, kind, Pure(epsilon), universe, n, law, symmetric=False)


def _coded(target: str, writer: Writer, storage: Storage) -> Case:
    """Claim that whatever one row holds, and wherever it is, the other row's codes stay.

    A database is the row that is replaced; seen is what is read of the other one, for every cell
    that it may hold, before and after it.
    """
    universe = tuple(range(len(storage.cells)))

    @cache
    def read(rows: Rows) -> Any:
        (((told, seen, _), _),) = law_of_table(
            _codes, {}, writer, storage, rows
        ).probabilities.items()
        return told, seen

    def law(database: Rows) -> Law[Any]:
        (replaced,) = database
        others = [(*_row(read((other, replaced)), 0), *_row(read((replaced, other)), 1))
                  for other in universe]  # fmt: skip
        return certain(tuple(others))

    setting = f"codes, {storage.name}, n=2: those of the other row"
    return Case(target, setting, "mechanism", Pure(0), universe, 1, law)


def _row(read: tuple[tuple[str, ...], Any], place: int) -> tuple[tuple[str, ...], Any]:
    """Return what was said, and the codes of one row, if any were read."""
    told, seen = read
    return told, seen[place] if seen else seen


def _learn(source: Source, *, epsilon: str) -> None:
    learn(
        source,
        SCHEMA,
        concepts=_rules(),
        features=list(FEATURES),
        labels=[LABEL],
        epsilon=epsilon,
        agnostic=False,
        rng=Seeded(0),
    )


@cache
def _rules() -> ConceptClass[Any]:
    """Return a class that looks at every column, made once: it is public."""
    return class_for("rules(width=1)", SCHEMA, list(FEATURES))


def _quantile(source: Source, *, epsilon: str) -> None:
    quantile(source, SCHEMA, column="real_clip", epsilon=epsilon, rng=Seeded(0))


def _sanitize(source: Source, *, epsilon: str) -> None:
    sanitize(source, SCHEMA, columns=["category_null"], epsilon=epsilon, rng=Seeded(0))


def _codes(source: Source) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, read_points(source, SCHEMA, SCHEMA.names).tolist()))
