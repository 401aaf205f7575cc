"""Who each row belongs to, as `fit` is given it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument
from tacit.data.persons.identity import Identity
from tacit.data.reading.codes import codes_of
from tacit.data.reading.source import open_source
from tacit.interfaces.estimators.given.handed import handed

GROUP = "groups"


def persons_of(groups: Any, n: int, taken: Iterable[str]) -> Mapping[str, NDArray[np.int64]]:
    """Return columns that tell the persons of n rows apart, under names that are not taken.

    Cells are read as `--person` reads them; a person is then called by a number, which says no more
    than which rows are the same one's.

    >>> persons_of(["a7", " A7", 9], 3, ["age"])["groups"].tolist()
    [1, 1, 0]
    """
    if groups is None:
        return {}
    held, used = handed(groups, GROUP), set(taken)
    if held.n != n:
        raise InvalidArgument(
            "Found input variables with inconsistent numbers of samples: X and groups must be of "
            "the same rows"
        )
    if not held.width:
        raise InvalidArgument(f"{GROUP} must be a column that tells persons apart, or several")
    own = held.names or (None,) * held.width
    found: dict[str, NDArray[np.int64]] = {}
    for place, said in enumerate(own):
        name = said if isinstance(said, str) and said else GROUP
        while name in used:
            name += "_"
        used.add(name)
        read = open_source(held.called({place: name})).batches([name])
        none = np.empty(0, dtype=np.int64)
        codes = np.concatenate([none, *(codes_of(Identity(), cells) for (cells,) in read)])
        found[name] = np.unique(codes, return_inverse=True)[1]
    return found
