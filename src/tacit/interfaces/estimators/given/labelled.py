"""From what `fit` is given to a table with columns of labels: the one way, for everything."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import validate_data

from tacit.core.errors import InvalidArgument
from tacit.data import Column
from tacit.interfaces.estimators.given.declaring import from_bounds
from tacit.interfaces.estimators.given.handed import Handed, handed
from tacit.interfaces.estimators.given.labels import (
    class_column,
    classes_of_labels,
    declared_classes,
    found_classes,
    label_names,
    marks,
    spellings,
)
from tacit.interfaces.estimators.given.persons import persons_of
from tacit.interfaces.estimators.given.tables import YES_NO, GivenTable, table_of, table_to_fit

TRUTH = (False, True)
"""The classes of labels that are of yes and no by their type."""
SHOWING = ("could not convert string to float", "Complex data not supported")
"""How scikit-learn's refusals begin that go on with a label, or with all of them."""
PARTS = 1000
"""Into how many the range of a number is cut that is to be predicted, if no step is declared."""


@dataclass(frozen=True, slots=True)
class LabelledTable:
    """A table, which of its rows say yes to each label, and the two classes of each label.

    Of several classes, or of numbers, `marks` are codes of a `column`. `flat` is a y of one
    dimension; `read_off` says that the classes were read off it; `persons` whose rows they are.
    """

    table: GivenTable
    marks: Mapping[str, NDArray[Any]]
    classes: list[NDArray[Any]]
    flat: bool
    read_off: bool
    column: Column = YES_NO
    persons: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)

    def of(self, groups: Any) -> LabelledTable:
        """Return the same with who each row belongs to, if that is said."""
        taken = (*self.table.schema.names, *self.marks)
        return replace(self, persons=persons_of(groups, self.table.n, taken))


def labelled_table(
    estimator: Any, X: Any, y: Any, *, many: bool = False, several: bool = False
) -> LabelledTable:
    """Read a table and its labels as an estimator declares them; nothing is drawn or charged.

    With declared classes, or labels that are yes and no by their type, this is a pure function of
    each row: no cell is a reason to stop, to warn, or to read another cell otherwise. Without, the
    classes are read off the labels, and what is refused depends on them.
    """
    labels = _of_labels(estimator, y)
    known = known_classes(estimator, labels, several=several)
    if known is None:
        wide = many and not labels.flat
        target = _validated(estimator, y, multi_output=wide)
        classes = classes_of_labels(target) if wide else [found_classes(target, several=several)]
        held = target.reshape(labels.n, -1)
        said = [held == np.array(each) for each in zip(*classes, strict=True)]
    else:
        labels = labels if many else one_label(labels)
        classes = [known] * labels.width
        said = [marks(labels, [value] * labels.width) for value in known]
    table, names = _beside(estimator, X, labels)
    column: Column = YES_NO
    codes = said[1]
    if len(said) > 2:  # what is none of several classes has the code after theirs
        column = class_column(classes[0])
        codes = np.argmax([*said, np.ones_like(codes)], axis=0)
    by_name = {name: codes[:, place] for place, name in enumerate(names)}
    off = known is None
    return LabelledTable(table, by_name, classes, flat=labels.flat, read_off=off, column=column)


def numbered_table(estimator: Any, X: Any, y: Any) -> LabelledTable:
    """Read a table and the numbers beside it; a pure function of each row, as with classes."""
    column, codes = numbers(estimator, y)
    table, (name,) = _beside(estimator, X, handed(y, "y"))
    return LabelledTable(table, {name: codes}, [], flat=True, read_off=False, column=column)


def numbers(estimator: Any, y: Any) -> tuple[Column, NDArray[np.int64]]:
    """Return the column that an estimator declares for y, and the codes of y in it."""
    labels = one_label(_of_labels(estimator, y))
    if estimator.y_bounds is None:
        raise InvalidArgument(
            "y_bounds must be declared, from public knowledge and not from the data, such as "
            "y_bounds=(0, 100)"
        )
    schema = from_bounds(estimator.y_bounds, estimator.y_step, ["y"], [0], parts=PARTS)
    return schema["y"], table_of(labels, ["y"], schema).points()


def _of_labels(estimator: Any, y: Any) -> Handed:
    if y is None:
        raise InvalidArgument(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None"
        )
    return handed(y, "y")


def _beside(estimator: Any, X: Any, labels: Handed) -> tuple[GivenTable, list[str]]:
    """Read the table that labels are of, and say what they are called in it."""
    table = table_to_fit(estimator, X)  # after the labels: it keeps the names of the columns
    if table.n != labels.n:
        raise InvalidArgument(
            "Found input variables with inconsistent numbers of samples: X and y must be of the "
            "same rows"
        )
    return table, label_names(labels, table.schema.names)


def known_classes(estimator: Any, labels: Handed, *, several: bool = False) -> NDArray[Any] | None:
    """Return the classes that are declared, or known by the type of the labels."""
    if estimator.classes is not None:
        return declared_classes(estimator.classes, several=several)
    return np.array(TRUTH) if labels.yes_or_no else None


def one_label(labels: Handed) -> Handed:
    """Return a single column of labels, whose form is public."""
    if labels.width != 1:
        raise InvalidArgument(
            f"y should be a 1d array, got an array of shape (n, {labels.width}) instead; "
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

    A label that is none of its classes is never as said.
    """
    if not all(spellings(value) for two in classes for value in two):
        return None
    labels, said = handed(y, "y"), said.reshape(len(said), -1)
    if (labels.n, labels.width) != said.shape:
        raise InvalidArgument(
            f"y must have {said.shape[0]} rows and {said.shape[1]} label(s), as X and the fitted "
            f"labels have; it has {labels.n} and {labels.width}"
        )
    held = np.stack([marks(labels, list(each)) for each in zip(*classes, strict=True)])
    right = np.take_along_axis(held, said[None].astype(np.intp), axis=0)[0].all(axis=1)
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
