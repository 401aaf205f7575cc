"""Halfspaces: a weighted sum that is large enough."""

from __future__ import annotations

from tacit.interfaces.estimators.classifiers.classifier import BasePrivateClassifier
from tacit.interfaces.estimators.given.tables import GivenTable

PARTS = {1: 256, 2: 32, 3: 4, 4: 2, 5: 2}
"""On grids so coarse all halfspaces can be scored."""
LISTED = 32
"""Up to so many values in each of two columns, all halfspaces are scored within seconds."""


class PrivateHalfspaceClassifier(BasePrivateClassifier):
    """Yes where a weighted sum of the columns is large enough.

    Guarantee:
        Each `fit` is (epsilon, delta)-DP for replaced rows. In one or two columns all halfspaces of
        the grid are scored, and an error is promised. In more, give a delta: `margin` takes noisy
        gradient steps in integers, and promises none.

    >>> import numpy as np
    >>> grid = np.stack(np.meshgrid(range(16), range(16)), axis=-1).reshape(-1, 2).repeat(9, axis=0)
    >>> above = grid[:, 0] + 2 * grid[:, 1] >= 20
    >>> classifier = PrivateHalfspaceClassifier(bounds=(0, 15), step=1, random_state=1)
    >>> classifier.fit(grid, above).rule_
    'x0 + 2*x1 is at least 20'
    """

    def concept_class(self, sizes: tuple[int, ...]) -> str:
        """Return halfspaces where they can be scored, else scorecards."""
        return "halfspaces" if self._scored(sizes) else "scorecards"

    def learner_for(self, table: GivenTable) -> str:
        """Return the generic learner where all halfspaces can be scored, else margins."""
        return "generic" if self._scored(table.sizes) else "margin"

    def resolution(self, columns: int) -> int:
        """Return into how many equal parts a range is cut where no step is declared."""
        return 256 if self.delta and columns > 2 else PARTS.get(columns, 256)

    def _scored(self, sizes: tuple[int, ...]) -> bool:
        if self.learner == "margin":
            return False
        small = len(sizes) == 1 or (len(sizes) == 2 and max(sizes) <= LISTED)
        return small or not self.delta or self.learner is not None
