"""Class and learner chosen: the classifier to begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tacit.core.errors import InvalidArgument
from tacit.core.unit import Neighbours
from tacit.interfaces.estimators.classifiers.classifier import BasePrivateClassifier
from tacit.interfaces.estimators.given.labelled import LabelledTable
from tacit.interfaces.estimators.given.tables import secret_number
from tacit.workflows.learned.question import AUTO


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateClassifier(BasePrivateClassifier):
    """Two or more classes, learned by what public numbers say is best, and measured.

    Of more than two, one rule a class is learned, all from one budget; what is predicted is the
    most likely class. With a delta above 0 there are scorecards to choose from too.

    Parameters:
        concepts: a class as `tacit learn --class` names it, `"auto"` to have it chosen.
        classes: two or more; else as for all private classifiers.
        weight: of two classes, how many false alarms a miss of the second one costs; a public
            number that has no say in what is private, and that nothing is promised with.
        hold_out: a fifth, unless something else is said.
        neighbours: "replaced", or "added": then one row (or person) more or less is protected, how
            many there are is secret, and `classes` must be declared. Errors are measured, and no
            probabilities (docs/proofs/added.md).
        rows: where they are "added", how many there are, if that is public; else it is told with
            noise.

    Guarantee:
        Each `fit` is (epsilon, delta)-DP for replaced rows, or added ones, with what was measured,
        `measured_`: a row is either learned from or held out.

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
    weight: Any = 1
    hold_out: Any = 0.2
    neighbours: str = Neighbours.REPLACED.value
    rows: int | None = None

    def given(self, X: Any, y: Any) -> LabelledTable:
        """Read a table and its labels as they are declared; nothing is drawn or charged."""
        if secret_number(self) and self.classes is None:
            raise InvalidArgument(
                "classes are read off y, which tells how many rows there are: declare them "
                "(classes=), or leave neighbours as it was"
            )
        return super().given(X, y)

    def weights_for(self, given: LabelledTable) -> dict[str, Any]:
        """Return the weight of the label, where there are two classes."""
        if self.weight == 1:
            return {}
        if len(given.classes[0]) > 2:
            raise InvalidArgument("weight is for two classes, and there are more: leave it 1")
        return dict.fromkeys(given.marks, self.weight)
