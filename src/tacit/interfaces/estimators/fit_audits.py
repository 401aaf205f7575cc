"""The estimators' `fit`, audited as every verb that reads a table: from the rows on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from tacit.core.cost import Added, Pure
from tacit.data import Schema
from tacit.data.reading.source import Source
from tacit.verify.enumeration import Case
from tacit.verify.finding import budget
from tacit.verify.tables import WRITERS, case_of
from tacit.verify.tables.cells import FEATURES, LABEL
from tacit.verify.tables.persons import person_case
from tacit.verify.tables.writers import Writer

CONTAINERS = ("pandas", "polars", "pyarrow", "numpy", "lists")
HALF = {"hold_out": "1/2"}
THREE = {"classes": ("f", 1, "NA"), "hold_out": 0}  # what is measured of three has too many laws
NUMBER = {"y_bounds": (0, 2), "y_step": 1, "cuts": [1]}


ADDED = {"classes": (0, 1), "neighbours": "added", "rows": 2} | HALF


def _threshold(estimators: Any, claim: Pure) -> Any:
    """Declare bounds alone, and the two classes."""
    return estimators.PrivateThresholdClassifier(
        epsilon=claim.epsilon, bounds=(0, 3), step=1, classes=(0, 1), random_state=0
    )


def _point(estimators: Any, claim: Pure) -> Any:
    """Declare a schema, by which nothing of a cell is refused."""
    return estimators.PrivatePointClassifier(
        epsilon=claim.epsilon, schema=_one("category_null"), classes=("f", 1), random_state=0
    )


def _many(estimators: Any, claim: Pure) -> Any:
    return estimators.MultiLabelPrivateClassifier(_threshold(estimators, claim), random_state=0)


def _synthesizer(estimators: Any, claim: Pure) -> Any:
    return estimators.PrivateSynthesizer(
        epsilon=claim.epsilon, schema=_one("category_null"), random_state=0
    )


def _by_a_bit(name: str, asked: dict[str, Any], estimators: Any, claim: Pure | Added) -> Any:
    """Have class and learner chosen, for one column of two values."""
    declared = {"bounds": (0, 1), "step": 1, "epsilon": budget(claim), "random_state": 0}
    return getattr(estimators, name)(**declared, **asked)


def _one(name: str) -> Schema:
    return Schema({name: FEATURES[name]})


ESTIMATORS: dict[str, tuple[Callable[[Any, Pure], Any], str]] = {
    "threshold": (_threshold, "integer_clip"),
    "point": (_point, "category_null"),
    "multi-label": (_many, "integer_clip"),
    "chosen": (partial(_by_a_bit, "PrivateClassifier", {"classes": (0, 1)} | HALF), "integer_clip"),
    "several": (partial(_by_a_bit, "PrivateClassifier", THREE), "integer_clip"),
    "number": (partial(_by_a_bit, "PrivateRegressor", NUMBER | HALF), "integer_clip"),
    "synthesizer": (_synthesizer, "category_null"),
}
"""Estimators, each with the column that it is given: all others are fitted on the same way."""
MEASURED = ("chosen", "several", "number")
OF_PERSONS = ("point", "multi-label", "synthesizer")
"""Those that have a `fit` of their own, or inherit it: with `groups` too."""


def _fit(
    make: Callable[[Any, Any], Any],
    column: str,
    claim: Pure | Added,
    source: Source,
    person: Sequence[str] = (),
) -> None:
    """Fit a new estimator to one column and the label of a table in memory."""
    estimator = make(import_module("tacit.estimators"), claim)
    groups = {"groups": source[person[0]]} if person else {}
    estimator.fit(_features(source, column), source[LABEL], **groups)


def _features(source: Source, column: str) -> Any:
    """Return a table of one column: a frame, an array or a list of rows."""
    if not isinstance(source, Mapping):
        return source[[column]] if hasattr(source, "loc") else source.select([column])
    cells = source[column]
    return cells[:, None] if isinstance(cells, np.ndarray) else [[cell] for cell in cells]


def _cases(writer: Writer) -> Iterator[Case]:
    """Fit by bounds and by a schema whatever is stored, and the others on the messiest cells.

    Those that are measured are fitted on numbers, some of which are labels.
    """
    for name, (make, column) in ESTIMATORS.items():
        few = writer.storages[:1] if name in MEASURED else writer.storages[-1:]
        storages = writer.storages if name in ("threshold", "point") else few
        for storage in storages:
            target, fit = f"table-fit-{writer.name}", partial(_fit, make, column)
            most = 3 if name in MEASURED else 4
            yield case_of(target, f"fit {name}", writer, storage, fit, Pure(1), most=most)
        if name == "chosen" and writer.name != "lists":  # a list of no rows has no columns
            added = partial(_fit, partial(_by_a_bit, "PrivateClassifier", ADDED), column)
            yield case_of(target, "fit added", writer, storage, added, Added(Pure(1)), most=3)
        if name in OF_PERSONS:
            yield person_case(target, f"fit {name}", writer, fit, Pure(1))


CASES = tuple(case for writer in WRITERS if writer.name in CONTAINERS for case in _cases(writer))
