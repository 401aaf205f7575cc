"""Thresholds: at least, or below."""

from __future__ import annotations

from tacit.interfaces.estimators.classifiers.column_classifier import PrivateColumnClassifier


class PrivateThresholdClassifier(PrivateColumnClassifier):
    """Yes where a column is at least some value, or where it is below.

    Guarantee:
        Each `fit` is (epsilon, delta)-DP for replaced rows; with the usual learner it is of bounded
        range epsilon, whatever delta is. `certificate_` says what is promised of the error.

    >>> import numpy as np
    >>> ages = np.arange(20, 100).repeat(9).reshape(-1, 1)
    >>> sick = ages.ravel() >= 65
    >>> classifier = PrivateThresholdClassifier(bounds=(0, 120), step=1, random_state=1)
    >>> classifier.fit(ages, sick).rule_
    'x0 is at least 65'
    >>> classifier.predict([[64], [65]]), classifier.private_
    (array([False,  True]), False)
    """

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return thresholds in both directions."""
        return "thresholds"
