"""The standard optimal algorithm: every mistake lowers the Littlestone dimension."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import TooLarge
from tacit.kernels.deadline import Deadline

LARGEST = 4096  # entries of a table: version spaces are searched one by one, in seconds


class OptimalPredictor:
    """Littlestone's algorithm for a small class, given as a table: rows concepts, columns points.

    A version space is an integer, bit i for concept i. On each point the prediction is the label
    that leaves the version space of greater dimension, and no where both are equal; so a wrong
    prediction lowers the dimension, and there are at most as many as it is [Lit88].

    >>> thresholds = np.arange(8)[None, :] >= np.arange(8)[:, None]
    >>> optimal = OptimalPredictor(thresholds)
    >>> optimal.dimension(optimal.everything)
    3
    >>> space = optimal.learned([(2, False), (6, True)])
    >>> optimal.predictions(space).astype(int).tolist()
    [0, 0, 0, 0, 1, 1, 1, 1]
    """

    __slots__ = ("_columns", "_deadline", "_known", "everything")

    def __init__(self, table: NDArray[np.bool_], *, time_limit: float | None = None) -> None:
        if table.size > LARGEST:
            raise TooLarge(
                f"a table of {table.size} entries is too large for the optimal algorithm; "
                f"at most {LARGEST}"
            )
        self.everything = (1 << len(table)) - 1
        self._columns = [sum(1 << int(i) for i in np.flatnonzero(column)) for column in table.T]
        self._known: dict[int, int] = {}
        self._deadline = Deadline(time_limit)

    def dimension(self, space: int) -> int:
        """Return the Littlestone dimension of a version space, -1 if it is empty.

        With a time limit, in seconds from when this was made, a longer search is TooLarge.
        """
        if space & (space - 1) == 0:
            return 0 if space else -1
        if space not in self._known:
            self._known[space] = self._deepest(space)
        return self._known[space]

    def predictions(self, space: int) -> NDArray[np.bool_]:
        """Return the prediction on each point."""
        return np.array([self._says(space, column) for column in self._columns], dtype=np.bool_)

    def learned(self, rows: Iterable[tuple[int, bool]]) -> int:
        """Go through rows (point, label) until none is predicted wrongly; return what is left.

        Only mistakes change the version space; it is empty where no concept explains them.
        """
        rows = list(rows)
        space, again = self.everything, True
        while again and space:
            again = False
            for point, label in rows:
                column = self._columns[point]
                if space and self._says(space, column) != label:
                    space &= column if label else ~column
                    again = True
        return space

    def _says(self, space: int, column: int) -> bool:
        return self.dimension(space & column) > self.dimension(space & ~column)

    def _deepest(self, space: int) -> int:
        """Return 1 + the greatest lesser dimension of two parts; too small parts are skipped."""
        if self._deadline.over:
            raise TooLarge(f"the optimal algorithm {self._deadline.why}: take fewer concepts")
        best = 0
        for column in self._columns:
            yes = space & column
            lesser = min(yes.bit_count(), (space & ~column).bit_count())
            if lesser.bit_length() > best:
                best = max(best, 1 + min(self.dimension(yes), self.dimension(space & ~column)))
        return best
