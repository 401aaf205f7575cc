"""Boxes: between two values in each column."""

from __future__ import annotations

from math import prod

from tacit.concepts.grid.boxes import Boxes
from tacit.interfaces.estimators.classifiers.classifier import BasePrivateClassifier
from tacit.interfaces.estimators.given.tables import GivenTable

PARTS = {1: 256, 2: 64, 3: 16}
"""On grids so coarse all boxes can be scored, for any number of rows."""
SCORED = 1 << 14
"""Up to so many cells all boxes are scored within a second or two."""


class PrivateBoxClassifier(BasePrivateClassifier):
    """Yes inside of a box: each column lies between two values.

    Guarantee:
        Each `fit` is epsilon-DP for replaced rows. Where all boxes of the grid can be scored, an
        error is promised; else `box-ascent` finds a box column by column and promises none.

    >>> import numpy as np
    >>> grid = np.stack(np.meshgrid(range(16), range(16)), axis=-1).reshape(-1, 2).repeat(9, axis=0)
    >>> inside = (3 <= grid[:, 0]) & (grid[:, 0] < 9) & (grid[:, 1] >= 6)
    >>> classifier = PrivateBoxClassifier(bounds=(0, 15), step=1, random_state=1)
    >>> classifier.fit(grid, inside).rule_
    'x0 is between 3 and 8 and x1 is at least 6'
    """

    def concept_class(self, sizes: tuple[int, ...]) -> str:
        """Return boxes; over one column they are intervals."""
        return "boxes" if len(sizes) > 1 else "intervals"

    def learner_for(self, table: GivenTable) -> str:
        """Return the generic learner where all boxes can be scored, else ascent."""
        if len(table.sizes) == 1:
            return "generic"
        if len(table.sizes) > max(PARTS) or prod(table.sizes) > SCORED:
            return "box-ascent"
        most = Boxes(values="x".join(str(max(2, size)) for size in table.sizes)).largest_sample
        return "generic" if most is None or table.n <= most else "box-ascent"

    def resolution(self, columns: int) -> int:
        """Return into how many equal parts a range is cut where no step is declared."""
        return PARTS.get(columns, 256)
