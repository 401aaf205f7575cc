"""Split the weight of each person over that person's rows, in integers.

How it works. The m rows of a person lie on a line, each as long as the weight W, and W marks are
put on it, m apart, the first at one of the first m places: as many marks as lie on a row are its
share. So rows have W / m each, rounded down or up, and all shares of a person are W together. With
W = 1 one row has the one mark: that at the first place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiled import compiled

Ints = NDArray[np.int64]


def shares(starts: Ints, cells: Ints, times: Ints, firsts: Ints, weight: int, many: int) -> Ints:
    """Add up by cell what all persons give: person i has entries starts[i] to starts[i + 1].

    An entry is `times` equal rows of one of `many` cells.

    >>> two, one = np.array([0, 2, 3]), np.ones(3, dtype=np.int64)
    >>> shares(two, np.array([0, 1, 1]), one, np.array([0, 0]), 60, 2).tolist()
    [30, 90]
    >>> shares(two, np.array([0, 1, 1]), one, np.array([1, 0]), 1, 2).tolist()
    [0, 2]
    """
    total = np.zeros(many, dtype=np.int64)
    _add(starts, cells, times, firsts, weight, total)
    return total


@compiled
def _add(starts: Any, cells: Any, times: Any, firsts: Any, weight: int, total: Any) -> None:
    for person in range(len(starts) - 1):
        rows = 0
        for entry in range(starts[person], starts[person + 1]):
            rows += times[entry]
        if rows == 0:
            continue
        ended, laid = 0, 0
        for entry in range(starts[person], starts[person + 1]):
            ended += times[entry]
            marks = (ended * weight - firsts[person] + rows - 1) // rows
            total[cells[entry]] += marks - laid
            laid = marks
