"""Decision lists: if, else if, else."""

from __future__ import annotations

from tacit.interfaces.estimators.classifiers.rules_classifier import PrivateRulesClassifier
from tacit.interfaces.estimators.given.tables import GivenTable


class PrivateDecisionListClassifier(PrivateRulesClassifier):
    """Several rules, one after the other, each for the rows that the earlier ones left.

    Guarantee:
        Each `fit` is epsilon-DP for replaced rows, epsilon being shared by the rules of the list.
        Nothing is promised about the error.

    >>> import numpy as np
    >>> grid = np.stack(np.meshgrid(range(16), range(16)), axis=-1).reshape(-1, 2).repeat(9, axis=0)
    >>> either = (grid[:, 0] >= 8) ^ (grid[:, 1] < 4)
    >>> lists = PrivateDecisionListClassifier(epsilon=4, bounds=(0, 15), step=1, random_state=1)
    >>> lists.fit(grid, either).score(grid, either)
    1.0
    """

    def learner_for(self, table: GivenTable) -> str:  # noqa: ARG002
        """Return the learner that makes lists."""
        return "decision-list"
