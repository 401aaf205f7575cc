"""Parities: an odd number of ones."""

from __future__ import annotations

from typing import ClassVar

from tacit.interfaces.estimators.classifiers.classifier import BasePrivateClassifier
from tacit.interfaces.estimators.given.tables import GivenTable

SCORED = 16
"""Up to so many columns all parities are scored."""


class PrivateParityClassifier(BasePrivateClassifier):
    """Yes where an odd number of the right columns are one; columns are cut into two halves.

    Guarantee:
        Each `fit` is epsilon-DP for replaced rows. Up to 16 columns the best parity is looked for
        whatever the labels are; in more, `parity` finds one that explains them all, by linear
        algebra [KLNRS11].

    >>> import numpy as np
    >>> bits = np.stack(np.meshgrid(*[[0, 1]] * 4), axis=-1).reshape(-1, 4).repeat(20, axis=0)
    >>> classifier = PrivateParityClassifier(bounds=(0, 1), step=1, random_state=1)
    >>> classifier.fit(bits, bits[:, 0] ^ bits[:, 2]).rule_
    'the number of ones among x0 and x2 is odd'
    """

    poor_score: ClassVar[bool] = True
    """No parity of halves separates two clouds of points."""

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return parities."""
        return "parities"

    def learner_for(self, table: GivenTable) -> str:
        """Return the generic learner for few columns, else linear algebra."""
        return "generic" if len(table.sizes) <= SCORED else "parity"

    def resolution(self, columns: int) -> int:  # noqa: ARG002
        """Return into how many equal parts a range is cut where no step is declared."""
        return 2
