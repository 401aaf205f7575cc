"""Rules about one column: at least a value, between two, or exactly one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacit.interfaces.estimators.classifiers.classifier import BasePrivateClassifier


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateColumnClassifier(BasePrivateClassifier):
    """A private classifier whose rule is about one column, `feature`: its place or its name.

    The other columns are ignored, and need no bounds.
    """

    feature: int | str = 0


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

    poor_score: ClassVar[bool] = True
    """No single value separates two clouds of points."""

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return points."""
        return "points"
