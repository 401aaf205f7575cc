"""Rules of comparisons in columns of any type."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.core import check
from tacit.interfaces.estimators.classifiers.classifier import BasePrivateClassifier


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateRulesClassifier(BasePrivateClassifier):
    """A private classifier whose rules speak of up to `width` columns of any type.

    A column of numbers is cut at up to `cuts` round numbers of its declared range, or of its grid
    where that is coarser.
    """

    width: int = 2
    cuts: int = 16

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return rules of this width."""
        width, cuts = check.count(width=self.width, least=1), check.count(cuts=self.cuts, least=1)
        return f"rules(width={width}, cuts={cuts})"


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
