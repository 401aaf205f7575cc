"""What classifiers of a single column share: which one it is."""

from __future__ import annotations

from typing import Any

from tacit.data import Schema
from tacit.interfaces.estimators.classifiers.classifier import PrivateClassifier


class PrivateColumnClassifier(PrivateClassifier):
    """A private classifier whose rule is about one column, `feature`: its place or its name.

    The other columns are ignored, and need no bounds.
    """

    def __init__(
        self,
        *,
        epsilon: Any = 1.0,
        delta: Any = 0.0,
        bounds: Any = None,
        step: Any = None,
        schema: Schema | None = None,
        feature: int | str = 0,
        classes: Any = None,
        learner: str | None = None,
        ledger: Any = None,
        dataset: str | None = None,
        analyst: str = "",
        random_state: Any = None,
    ) -> None:
        super().__init__(
            epsilon=epsilon,
            delta=delta,
            bounds=bounds,
            step=step,
            schema=schema,
            classes=classes,
            learner=learner,
            ledger=ledger,
            dataset=dataset,
            analyst=analyst,
            random_state=random_state,
        )
        self.feature = feature
