"""Random pairs of neighbouring files with persons: the exact law never exceeds the claim.

All rows of one person are replaced by any number of others, and the rows of both tables lie in any
order, in one file or several, with identifiers that are spelled and stored as they come. Laws are
those of what the verb releases and says, from the path on; they are compared both ways.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from math import nan
from pathlib import Path
from typing import Any

import pyarrow as pa

from tacit.core.chance.law import Law, certain
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.cost import Approximate, Pure
from tacit.data.reading.source import Source
from tacit.verify.enumeration import Case, both_ways, judge, seen
from tacit.verify.tables import WRITERS, cells
from tacit.verify.tables.cells import FEATURES, LABEL, SCHEMA, Storage
from tacit.verify.tables.watching import law_of
from tacit.verify.tables.writers import Writer
from tacit.workflows import count, learn, quantile, sanitize

WHO = "who"
EPSILONS = ("1/3", "1", "3", "8")
MOST = 3
"""Rows of a person at most; of persons there are two or three."""
TEXTS: dict[str, tuple[Any, ...]] = {
    "a7": ("a7", " A7", "a7\t"), "9": ("9", "09", " 9.0", "9"), "": (None, "", "  "),
    "strasse": ("Straße", "STRASSE"), "12e5": ("12e5", "12E5"), "-3": ("-3", "-3.0"),
    "e": ("é", "e\u0301", "É"), "big": (str(2**61 + 1),), "0.5": (".5", "0.50"),
}  # fmt: skip
FLOATS: dict[str, tuple[Any, ...]] = {"9": (9.0,), "": (None, nan), "-3": (-3.0,), "0.5": (0.5,)}
WHOLE: dict[str, tuple[Any, ...]] = {"9": (9,), "": (None,), "-3": (-3,), "big": (2**61 + 1,)}
OBJECTS: dict[str, tuple[Any, ...]] = TEXTS | {
    "9": (9, 9.0, "9", Decimal("9.00"), b"9"), "": (None, nan, "", [1]), "a7": ("a7", b" A7"),
}  # fmt: skip
LINES = {key: tuple((held or "").encode() for held in spelled) for key, spelled in TEXTS.items()}
Row = tuple[str, int, int]
"""Whose a row is, and which cells its features and its label hold."""


def violations(pairs: int, *, start: int = 0) -> Iterator[tuple[str, str | None]]:
    """Yield each pair's writer with its verb, and what was found, if it exceeds the claim."""
    for number in range(start, start + pairs):
        rng, writer = Seeded(number), WRITERS[number % len(WRITERS)]
        verb, asked, claim = _verb(rng)
        storage = _one(writer.storages, rng)
        stored = _stored(writer, rng)
        keys = [key for key in TEXTS if all(key in spelled for _, spelled in stored)]
        first = [_person(key, storage, rng) for key in _some(keys, 2 + rng.below(2), rng)]
        place = rng.below(len(first))
        free = [key for key in keys if key not in {each[0][0] for each in first}]
        second = list(first)
        second[place] = _person(_one([first[place][0][0], *free], rng), storage, rng)
        with tempfile.TemporaryDirectory() as folder:
            laws = []
            for i, persons in enumerate((first, second)):
                path = Path(folder) / f"table{i}"
                path.mkdir()
                laws.append(_law(verb, asked, writer, storage, stored, persons, path, rng))
        case = Case(writer.name, "", "learner", claim, (0, 1), len(first), certain)
        found = judge(case, both_ways([(laws[0], laws[1])]))
        bad = found.verdict == "refuted"
        told = f"pair {number}: {verb.__name__} {asked}: {found.epsilon} {found.delta}"
        yield f"{verb.__name__} {found.verdict}", told if bad else None


def _verb(rng: Random) -> tuple[Any, dict[str, Any], Pure | Approximate]:
    """Draw what is asked; of each way to use persons something."""
    epsilon = Fraction(_one(EPSILONS, rng))
    claim: Pure | Approximate = Pure(epsilon)
    feature, label = _one(list(FEATURES), rng), {"labels": [LABEL], "agnostic": False}
    number = _one([name for name in FEATURES if name.startswith(("integer", "real"))], rng)
    asked: dict[str, Any] = {"epsilon": epsilon, "person": [WHO]}
    match rng.below(6):
        case 0:
            return quantile, asked | {"column": number, "level": _one(["1/4", "1/2"], rng)}, claim
        case 1:
            few = _one(["bits_clip", "bits_null", "words_null", "category_null"], rng)
            return sanitize, asked | {"columns": [few], "queries": "points"}, claim
        case 2:
            return count, asked | {"by": [_one(["bits_clip", "words_clip"], rng)]}, claim
        case 3:
            asked |= {"concepts": "points", "features": [feature], "learner": "histogram"}
            claim = Approximate(epsilon, "1/10")
            return learn, asked | label | {"delta": "1/10"}, claim
        case 4:
            asked |= {"concepts": _one(["points", "thresholds", "intervals"], rng)}
            return learn, asked | label | {"features": [number]}, claim
    several = {"concepts": "rules(width=1)", "features": sorted({feature, number})}
    return learn, asked | label | several, claim


def _stored(writer: Writer, rng: Random) -> list[tuple[Storage, dict[str, tuple[Any, ...]]]]:
    """Draw how identifiers are stored, file by file."""
    if writer.storages[0] is cells.LINES:
        kinds = [(Storage(WHO, None, ()), LINES)]
    elif writer.storages[0].type is None:
        kinds = [(Storage(WHO, None, ()), OBJECTS)]
    else:
        kinds = [
            (Storage(WHO, pa.string(), ()), TEXTS),
            (Storage(WHO, pa.large_string(), ()), TEXTS),
            (Storage(WHO, pa.float64(), ()), FLOATS),
            (Storage(WHO, pa.int64(), ()), WHOLE),
        ]
        if (
            "pandas" in writer.name
        ):  # which makes floats of integers, and rounds, where one is missing
            kinds[-1] = kinds[-1][0], {key: held for key, held in WHOLE.items() if key != "big"}
    text = rng.below(2)  # else identifiers are numbers, in one file as texts and in another not
    return [_one(kinds[:2] if text else kinds, rng) for _ in range(1 + rng.below(3))]


def _person(key: str, storage: Storage, rng: Random) -> list[Row]:
    few = min(4, len(storage.cells))
    return [(key, rng.below(few), rng.below(few)) for _ in range(1 + rng.below(MOST))]


def _law(
    verb: Any,
    asked: dict[str, Any],
    writer: Writer,
    storage: Storage,
    stored: Sequence[tuple[Storage, dict[str, tuple[Any, ...]]]],
    persons: list[list[Row]],
    folder: Path,
    rng: Random,
) -> Law[Any]:
    """Lay rows out in any order over files, and return the law of all that is let out."""
    rows = _some([row for person in persons for row in person], sum(map(len, persons)), rng)
    files: list[list[Row]] = [[] for _ in stored]
    for row in rows:
        _one(files, rng).append(row)

    def written(held: list[Row], place: int) -> Source:
        features = [storage.cells[first] for _, first, _ in held]
        labels = [storage.cells[second] for _, _, second in held]
        columns = {**dict.fromkeys(FEATURES, (storage, features)), LABEL: (storage, labels)}
        kind, spelled = stored[place]
        columns[WHO] = kind, [_one(spelled[key], rng) for key, _, _ in held]
        return writer(columns, folder / f"file{place}")

    source = written(files[0], 0)
    if isinstance(source, Path):
        source = [source, *(written(held, i) for i, held in enumerate(files[1:], start=1))]
    else:  # a table in memory has all rows
        source = written(rows, 0)
    released = law_of(
        lambda: verb(source, SCHEMA, **asked, rng=Seeded(0)), private=str(folder), known={}
    )
    return seen(released)


def _some(choices: Sequence[Any], many: int, rng: Random) -> list[Any]:
    """Draw so many different ones, in any order."""
    left = list(choices)
    return [left.pop(rng.below(len(left))) for _ in range(min(many, len(left)))]


def _one(choices: Sequence[Any], rng: Random) -> Any:
    return choices[rng.below(len(choices))]
