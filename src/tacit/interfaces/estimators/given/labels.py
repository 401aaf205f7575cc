"""What there is to predict: the classes of a label, and what a label is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from tacit.core.errors import InvalidArgument
from tacit.data import Category, Schema, read_points
from tacit.data.schema.cell import BLANKS, number, text
from tacit.interfaces.estimators.given.handed import Handed

INDICATOR = "multilabel-indicator"
_TRUTH = {"0": ("false", "False"), "1": ("true", "True")}


def declared_classes(declared: Any, *, several: bool = False) -> NDArray[Any]:
    """Return the two classes that are declared, no before yes; or several.

    >>> declared_classes(("well", "ill")).tolist()
    ['well', 'ill']
    """
    given = list(declared)
    known = [text for value in given for text in spellings(value)]
    plain = all(map(spellings, given)) and len(set(known)) == len(known)
    if not plain or not 2 <= len(given) <= (len(given) if several else 2):
        raise InvalidArgument(
            f"classes must be two {'or more ' * several}different values, no before yes, got "
            f"{declared!r}; a class is a text, a number, or True or False"
        )
    return np.asarray(given)


def marks(labels: Handed, yes: Sequence[Any]) -> NDArray[np.bool_]:
    """Return which cells are of a class, one class for each column of labels.

    Labels are read as every column of categories is, cell by cell: what is neither of two declared
    classes is not yes, and is never a reason to stop.

    >>> from tacit.interfaces.estimators.given.handed import handed
    >>> marks(handed([1, 0, True, "1", 1.0, None, [1], "ill"], "y"), [1])[:, 0].tolist()
    [True, False, True, True, True, False, False, False]
    """
    names = [str(place) for place in range(labels.width)]
    rows = labels.called(dict(enumerate(names)))
    texts = [spellings(value) for value in yes]
    domains = [Category(spelled, outside="null") for spelled in texts]
    codes = read_points(rows, Schema(dict(zip(names, domains, strict=True))), names)
    return codes.reshape(labels.n, labels.width) < np.array([len(spelled) for spelled in texts])


def spellings(value: Any) -> tuple[str, ...]:
    """Return all texts of a class, none if it has no plain text.

    >>> spellings(1.0), spellings(False), spellings(" ill "), spellings(None)
    (('1', 'true', 'True'), ('0', 'false', 'False'), ('ill',), ())
    """
    value = int(value) if isinstance(value, bool | np.bool_) else value
    read = value if isinstance(value, str | bytes) else number(value)
    if isinstance(read, float) and read.is_integer():
        read = int(read)
    said = (text(read) or "").strip(BLANKS)
    return (said, *_TRUTH.get(said, ())) if said and said.isprintable() else ()


def found_classes(y: NDArray[Any], *, several: bool = False) -> NDArray[Any]:
    """Return the two classes that occur; they are taken to be public, and so is every refusal here.

    With `several` there may be more.

    >>> found_classes(np.array(["ill", "well", "ill"])).tolist()
    ['ill', 'well']
    """
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y", raise_unknown=True)
    if kind != "binary" and not (several and kind == "multiclass"):
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


def classes_of_labels(y: NDArray[Any]) -> list[NDArray[Any]]:
    """Return the two classes of each label; 0 and 1 where a matrix says so by its type."""
    if type_of_target(y, input_name="y", raise_unknown=True) == INDICATOR:
        return [np.array([0, 1], dtype=y.dtype)] * y.shape[1]
    return [found_classes(y[:, place]) for place in range(y.shape[1])]


def label_names(labels: Handed, taken: Sequence[str]) -> list[str]:
    """Return what labels are called: as the series or frame says, else label, or label0, ...

    >>> from tacit.interfaces.estimators.given.handed import handed
    >>> label_names(handed([0, 1], "y"), ["age"]), label_names(handed([[0, 1]], "y"), ["label0"])
    (['label'], ['label_0', 'label_1'])
    """
    named, many = labels.names or (), labels.width
    usable = all(isinstance(name, str) and name and name not in taken for name in named)
    if len(named) == many and usable and len(set(named)) == many:
        return [str(name) for name in named]
    stem = "label"
    while any(name.startswith(stem) for name in taken):
        stem += "_"
    return [stem] if many == 1 else [f"{stem}{place}" for place in range(many)]


def class_column(classes: NDArray[Any]) -> Category:
    """Return several classes as a column, by their texts, or by their places if some have none.

    >>> class_column(np.array([1.0, 2.5, 3.0])).values
    ('1', '2.5', '3')
    """
    texts = [(*spellings(value), "")[0] for value in classes]
    told = all(texts) and len(set(texts)) == len(texts)
    return Category(texts if told else [str(place) for place in range(len(texts))], outside="null")
