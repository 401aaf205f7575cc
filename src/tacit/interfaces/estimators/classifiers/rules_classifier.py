"""What classifiers made of rules share: how long a rule is, and where columns are cut."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.core import check
from tacit.interfaces.estimators.classifiers.classifier import PrivateClassifier


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateRulesClassifier(PrivateClassifier):
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
