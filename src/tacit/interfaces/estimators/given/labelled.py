"""From what `fit` is given to a table with yes/no columns: the one way, for every classifier."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import validate_data

from tacit.core.errors import InvalidArgument
from tacit.interfaces.estimators.given.handed import Handed, handed
from tacit.interfaces.estimators.given.labels import (
    classes_of_labels,
    declared_classes,
    found_classes,
    label_names,
    marks,
    spellings,
)
from tacit.interfaces.estimators.given.tables import GivenTable, table_to_fit

TRUTH = (False, True)
"""The classes of labels that are of yes and no by their type."""
SHOWING = ("could not convert string to float", "Complex data not supported")
"""How scikit-learn's refusals begin that go on with a label, or with all of them."""


@dataclass(frozen=True, slots=True)
class LabelledTable:
    """A table, which of its rows say yes to each label, and the two classes of each label.

    `flat` is a y of one dimension; `read_off` says that the classes were read off it.
    """

    table: GivenTable
    marks: Mapping[str, NDArray[np.bool_]]
    classes: list[NDArray[Any]]
    flat: bool
    read_off: bool


def labelled_table(estimator: Any, X: Any, y: Any, *, many: bool = False) -> LabelledTable:
    """Read a table and its labels as an estimator declares them; nothing is drawn or charged.

    With declared classes, or labels that are yes and no by their type, this is a pure function of
    each row: no cell is a reason to stop, to warn, or to read another cell otherwise. Without, the
    classes are read off the labels, and what is refused depends on them.
    """
    if y is None:
        raise InvalidArgument(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None"
        )
    labels = handed(y, "y")
    two = known_classes(estimator, labels)
    if two is None:
        several = many and not labels.flat
        target = _validated(estimator, y, multi_output=several)
        classes = classes_of_labels(target) if several else [found_classes(target)]
        said = target.reshape(labels.n, -1) == np.array([no_yes[1] for no_yes in classes])
    else:
        labels = labels if many else one_label(labels)
        classes = [two] * labels.width
        said = marks(labels, [two[1]] * labels.width)
    table = table_to_fit(estimator, X)  # last: it keeps the names of the columns
    if table.n != labels.n:
        raise InvalidArgument(
            "Found input variables with inconsistent numbers of samples: X has "
            f"{table.n}, y has {labels.n}"
        )
    names = label_names(labels, table.schema.names)
    by_name = {name: said[:, place] for place, name in enumerate(names)}
    return LabelledTable(table, by_name, classes, flat=labels.flat, read_off=two is None)


def known_classes(estimator: Any, labels: Handed) -> NDArray[Any] | None:
    """Return the classes that are declared, or known by the type of the labels."""
    if estimator.classes is not None:
        return declared_classes(estimator.classes)
    return np.array(TRUTH) if labels.yes_or_no else None


def one_label(labels: Handed) -> Handed:
    """Return a single column of labels, whose form is public."""
    if labels.width != 1:
        raise InvalidArgument(
            f"y should be a 1d array, got an array of shape ({labels.n}, {labels.width}) instead; "
            "for several labels there is MultiLabelPrivateClassifier"
        )
    if not labels.flat:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of "
            "y to (n_samples, ), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
    return labels


def share_right(
    said: NDArray[Any], y: Any, classes: Sequence[NDArray[Any]], sample_weight: Any = None
) -> float | None:
    """Return in what share of the rows all labels are as said; None for classes without a text.

    A label that is neither of its two classes is never as said.
    """
    if not all(spellings(value) for two in classes for value in two):
        return None
    labels, said = handed(y, "y"), said.reshape(len(said), -1)
    if (labels.n, labels.width) != said.shape:
        raise InvalidArgument(
            f"y must have {said.shape[0]} rows and {said.shape[1]} label(s), as X and the fitted "
            f"labels have; it has {labels.n} and {labels.width}"
        )
    no, yes = (marks(labels, [two[code] for two in classes]) for code in (0, 1))
    right = np.where(said == 1, yes, no).all(axis=1)
    return float(np.average(right, weights=sample_weight))


def _validated(estimator: Any, y: Any, **checks: Any) -> NDArray[Any]:
    """Check labels as scikit-learn does, but show none of them in a refusal."""
    try:
        found: NDArray[Any] = validate_data(estimator, y=y, **checks)
    except ValueError as error:
        if words := next((words for words in SHOWING if words in str(error)), None):
            raise InvalidArgument(f"{words} in y: declare classes=(no, yes)") from None
        raise
    return found
