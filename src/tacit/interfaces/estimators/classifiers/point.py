"""Points: exactly one value."""

from __future__ import annotations

from tacit.interfaces.estimators.classifiers.column_classifier import PrivateColumnClassifier


class PrivatePointClassifier(PrivateColumnClassifier):
    """Yes where a column has one value, and nowhere else: which code, which ward, which item.

    Guarantee:
        As `PrivateThresholdClassifier`. For a huge range, `learner="hashed-point"` needs no more
        rows than for a small one, and `learner="stable-point"` does with a delta.

    >>> import numpy as np
    >>> ward = np.arange(20).repeat(30).reshape(-1, 1)
    >>> classifier = PrivatePointClassifier(bounds=(0, 19), step=1, random_state=3)
    >>> classifier.fit(ward, ward.ravel() == 7).rule_
    'x0 is 7'
    """

    poor_score = True
    """No single value separates two clouds of points."""

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return points."""
        return "points"
