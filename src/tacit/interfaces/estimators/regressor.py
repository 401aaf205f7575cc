"""A number as outcome: its distribution, by rules for whether it is at least each cut point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score

from tacit.core.unit import Neighbours
from tacit.data.schema.outcome import SHARE, Spread, combine_number
from tacit.interfaces.estimators.given.labelled import LabelledTable, numbered_table, numbers
from tacit.interfaces.estimators.given.tables import decoded
from tacit.interfaces.estimators.predictor import PrivatePredictor
from tacit.workflows.learned.question import AUTO
from tacit.workflows.predicting import outcomes_of


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateRegressor(RegressorMixin, PrivatePredictor):  # type: ignore[misc]
    """A number between declared bounds: its median, and an interval, row by row.

    Whether the number is at least each of some cut points is learned from one budget; the risks of
    these are made descending, so that they are a distribution and no interval crosses another.

    Parameters:
        y_bounds, y_step: the public range of y and the grid on it, a thousandth of the range if it
            is not said; values outside count as the nearest end, what is no number as the lower.
        cuts: the cut points; else up to seven round numbers of the range.
        concepts: a class as `tacit learn --class` names it, `"auto"` to have it chosen.
        hold_out: a fifth, unless something else is said; with 0 the rules' answers are taken for
            certain, and intervals are too short.
        neighbours, rows: as for `PrivateClassifier`; with "added" ones the rules' answers are taken
            for certain, too.

    Guarantee:
        Each `fit` is (epsilon, delta)-DP for replaced rows, or added ones, with what was measured,
        `measured_`.

    >>> import numpy as np
    >>> ages = np.arange(20, 100).repeat(99).reshape(-1, 1)
    >>> pay = ages.ravel() / 2
    >>> regressor = PrivateRegressor(epsilon=4, bounds=(0, 120), step=1, y_bounds=(0, 60),
    ...                              random_state=1)
    >>> (abs(regressor.fit(ages, pay).predict([[30], [50], [90]]) - [15, 25, 45]) < 3).all()
    np.True_
    >>> low, high = regressor.predict_interval([[50]], share=0.5)[0]
    >>> low < 25 < high < low + 20
    np.True_
    """

    y_bounds: Any = None
    y_step: Any = None
    cuts: Any = None
    concepts: str = AUTO
    hold_out: Any = 0.2
    neighbours: str = Neighbours.REPLACED.value
    rows: int | None = None

    def given(self, X: Any, y: Any) -> LabelledTable:
        """Read a table and its numbers as they are declared; nothing is drawn or charged."""
        return numbered_table(self, X, y)

    def question(self, given: LabelledTable) -> dict[str, Any]:
        """Return what `tacit.data.learn` is asked."""
        cuts = None if self.cuts is None else {name: list(self.cuts) for name in given.marks}
        return super().question(given) | {"cuts": cuts}

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the median of what each row's number may be."""
        return self._told(X, SHARE).median

    def predict_interval(self, X: Any, share: float = SHARE) -> NDArray[np.float64]:
        """Return for each row between what its number lies with a probability of `share`."""
        _, low, high = self._told(X, share)
        return np.column_stack([low, high])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R², y read as it is declared; it is not private."""
        said, (column, codes) = self.predict(X), numbers(self, y)
        return float(r2_score(decoded(column, codes), said, sample_weight=sample_weight))

    def _told(self, X: Any, share: float) -> Spread:
        points = self._points(X)
        (outcome,), model = outcomes_of(self.model_), self.model_
        told = model.risks(points) if model.measured else model.predict(points).astype(np.float64)
        return combine_number(outcome, told, share=share)
