"""Rules: conjunctions of comparisons."""

from __future__ import annotations

from tacit.interfaces.estimators.classifiers.rules_classifier import PrivateRulesClassifier


class PrivateRuleClassifier(PrivateRulesClassifier):
    """Yes where up to `width` comparisons hold together: "age is at least 60 and bmi is below 20".

    Guarantee:
        Each `fit` is epsilon-DP, of bounded range, for replaced rows; an error is promised.

    >>> import numpy as np
    >>> grid = np.stack(np.meshgrid(range(16), range(16)), axis=-1).reshape(-1, 2).repeat(9, axis=0)
    >>> corner = (grid[:, 0] >= 8) & (grid[:, 1] < 4)
    >>> classifier = PrivateRuleClassifier(bounds=(0, 15), step=1, random_state=1)
    >>> classifier.fit(grid, corner).rule_
    'x0 is at least 8 and x1 is below 4'
    """
