"""What there is to predict: two classes a label, and what a label is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from tacit.core.errors import InvalidArgument

INDICATOR = "multilabel-indicator"


def two_classes(y: NDArray[Any], declared: Any) -> NDArray[Any]:
    """Return the two classes, no before yes: those declared, or else those that occur.

    What is neither of two declared classes counts as the first, and is never a reason to stop.
    Classes that are read off the labels are taken to be public.

    >>> two_classes(np.array(["ill", "well", "ill"]), None).tolist()
    ['ill', 'well']
    """
    if declared is not None:
        classes = np.asarray(list(declared))
        if classes.ndim != 1 or len(np.unique(classes)) != 2 or len(classes) != 2:
            raise InvalidArgument(
                f"classes must be two different values, no before yes, got {declared!r}"
            )
        return classes
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y", raise_unknown=True)
    if kind != "binary":
        raise InvalidArgument(
            f"Only binary classification is supported. The type of the target is {kind}."
        )
    found: NDArray[Any] = np.unique(y)
    if len(found) < 2:
        raise InvalidArgument(
            "y has one class only: declare both, as in classes=(0, 1), and a table in which one of "
            "them is missing can be learned from too"
        )
    return found


def classes_of_labels(y: NDArray[Any], declared: Any) -> list[NDArray[Any]]:
    """Return the two classes of each label; 0 and 1 where a matrix says so by its type."""
    if declared is None and type_of_target(y, input_name="y", raise_unknown=True) == INDICATOR:
        return [np.array([0, 1], dtype=y.dtype)] * y.shape[1]
    return [two_classes(y[:, place], declared) for place in range(y.shape[1])]


def label_names(y: Any, taken: Sequence[str], many: int) -> list[str]:
    """Return what labels are called: as the series or frame says, else label, or label0, ...

    >>> label_names([0, 1], ["age"], 1), label_names([[0, 1]], ["label0"], 2)
    (['label'], ['label_0', 'label_1'])
    """
    columns = getattr(y, "columns", None)
    named = [getattr(y, "name", None)] if columns is None else list(columns)
    usable = all(isinstance(name, str) and name and name not in taken for name in named)
    if len(named) == many and usable and len(set(named)) == many:
        return [str(name) for name in named]
    stem = "label"
    while any(name.startswith(stem) for name in taken):
        stem += "_"
    return [stem] if many == 1 else [f"{stem}{place}" for place in range(many)]
