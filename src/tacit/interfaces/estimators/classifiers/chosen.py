"""Class and learner chosen: the classifier to begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tacit.interfaces.estimators.classifiers.classifier import BasePrivateClassifier
from tacit.workflows.learning import AUTO


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateClassifier(BasePrivateClassifier):
    """Two or more classes, learned by what public numbers say is best, and measured.

    Of more than two, one rule a class is learned, all from one budget; what is predicted is the
    most likely class. With a delta above 0 there are scorecards to choose from too.

    Parameters:
        concepts: a class as `tacit learn --class` names it, `"auto"` to have it chosen.
        classes: two or more; else as for all private classifiers.
        hold_out: a fifth, unless something else is said.

    Guarantee:
        Each `fit` is (epsilon, delta)-DP for replaced rows, with what was measured, `measured_`:
        a row is either learned from or held out.

    >>> import numpy as np
    >>> grid = np.stack(np.meshgrid(range(16), range(16)), axis=-1).reshape(-1, 2).repeat(9, axis=0)
    >>> dose = np.select([grid[:, 0] < 5, grid[:, 1] < 8], ["none", "low"], "high")
    >>> classifier = PrivateClassifier(epsilon=4, bounds=(0, 15), step=1, random_state=1)
    >>> classifier.fit(grid, dose).predict([[0, 0], [9, 3], [9, 9]]).tolist()
    ['none', 'low', 'high']
    >>> classifier.classes_.tolist(), (classifier.predict_proba([[0, 0]]) > 0.5).tolist()
    (['high', 'low', 'none'], [[False, False, True]])
    """

    several: ClassVar[bool] = True
    concepts: str = AUTO
    hold_out: Any = 0.2
