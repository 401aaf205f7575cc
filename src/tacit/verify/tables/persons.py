"""Files with persons, audited from the file on: all rows of one are replaced by any others.

A record of a database is one person: rows that say how the person is called there, which cell they
hold, and whether they stand in the first file or the second; of a table in memory, before or after.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from tacit.core import Approximate, Law, Pure
from tacit.data.reading.source import Source
from tacit.verify.enumeration import Case
from tacit.verify.tables.cells import FEATURES, LABEL, LINES, Storage
from tacit.verify.tables.watching import Known, law_of
from tacit.verify.tables.writers import Writer

WHO = "who"
OTHER = 2
"""By this a person is somebody else; by 0 and 1 the same, spelled in two ways."""
_TEXTS = Storage(WHO, pa.string(), ("a7", " A7\t", "zz", "9", "09.0", None))
_OBJECTS = Storage(WHO, None, ("a7", b" A7", "zz", 9, 9.0, None))
_LINES = Storage(WHO, None, (b"a7", b'" A7"', b"zz", b"9", b" 9.0", b""))

Row = tuple[int, int, int]
Person = tuple[Row, ...]
PERSONS: tuple[Person, ...] = (
    ((0, 0, 0),),
    ((1, 1, 1),),
    ((0, 1, 0), (1, 1, 1)),
    ((1, 0, 0), (0, 1, 0), (0, 1, 1)),
    ((OTHER, 0, 1), (OTHER, 0, 1), (OTHER, 2, 0)),
)
"""One row or several, in one file or two, called the same or not."""
_KNOWN: Known = {}


def person_case(
    target: str,
    name: str,
    writer: Writer,
    verb: Callable[..., Hashable],
    claim: Pure | Approximate,
    most: int = len(PERSONS),
) -> Case:
    """Make a case of all tables of two of the first persons, whom a verb is told to protect."""
    law = partial(_law, partial(verb, claim, person=[WHO]), writer)
    setting = f"{name}, persons, n=2, epsilon={claim.epsilon}"
    return Case(target, setting, "learner", claim, PERSONS[:most], 2, law, symmetric=False)


def _law(verb: Callable[[Source], Hashable], writer: Writer, persons: tuple[Person, ...]) -> Any:
    """Write these persons, and return the law of all that the verb lets out."""
    with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
        source = laid_out(writer, persons, Path(folder))
        law: Law[Any] = law_of(lambda: verb(source), private=folder, known=_KNOWN)
    return law


def laid_out(writer: Writer, persons: tuple[Person, ...], folder: Path) -> Source:
    """Write two files, or one table in memory of what would be in the first and in the second."""
    storage = writer.storages[0]
    called = _LINES if storage is LINES else _OBJECTS if storage.type is None else _TEXTS
    rows = [(3 * i + how, cell, file) for i, each in enumerate(persons) for how, cell, file in each]
    rows.sort(key=lambda row: row[2])

    def written(held: list[Row], path: Path) -> Source:
        cells = [storage.cells[cell] for _, cell, _ in held]
        columns = {**dict.fromkeys(FEATURES, (storage, cells)), LABEL: (storage, cells)}
        columns[WHO] = called, [called.cells[who] for who, _, _ in held]
        return writer(columns, path)

    files = [[row for row in rows if row[2] == file] for file in (0, 1)]
    first = written(files[0], folder / "first")
    if not isinstance(first, Path):
        return written(rows, folder / "all")
    return [first, written(files[1], folder / "second")]
