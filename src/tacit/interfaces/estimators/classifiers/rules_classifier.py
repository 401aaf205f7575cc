"""What classifiers made of rules share: how long a rule is, and where columns are cut."""

from __future__ import annotations

from typing import Any

from tacit.core import check
from tacit.data import Schema
from tacit.interfaces.estimators.classifiers.classifier import PrivateClassifier


class PrivateRulesClassifier(PrivateClassifier):
    """A private classifier whose rules speak of up to `width` columns of any type.

    A column of numbers is cut at up to `cuts` round numbers of its declared range, or of its grid
    where that is coarser.
    """

    def __init__(
        self,
        *,
        epsilon: Any = 1.0,
        delta: Any = 0.0,
        bounds: Any = None,
        step: Any = None,
        schema: Schema | None = None,
        width: int = 2,
        cuts: int = 16,
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
        self.width = width
        self.cuts = cuts

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return rules of this width."""
        width, cuts = check.count(width=self.width, least=1), check.count(cuts=self.cuts, least=1)
        return f"rules(width={width}, cuts={cuts})"
