"""Intervals: between two values."""

from __future__ import annotations

from tacit.interfaces.estimators.classifiers.column_classifier import PrivateColumnClassifier


class PrivateIntervalClassifier(PrivateColumnClassifier):
    """Yes where a column lies between two values.

    Guarantee:
        As `PrivateThresholdClassifier`.

    >>> import numpy as np
    >>> dose = np.arange(100).repeat(9).reshape(-1, 1)
    >>> works = (30 <= dose.ravel()) & (dose.ravel() < 60)
    >>> classifier = PrivateIntervalClassifier(bounds=(0, 99), step=1, random_state=2)
    >>> classifier.fit(dose, works).rule_
    'x0 is between 30 and 59'
    """

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return intervals."""
        return "intervals"
