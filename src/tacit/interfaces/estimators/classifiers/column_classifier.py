"""What classifiers of a single column share: which one it is."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.interfaces.estimators.classifiers.classifier import PrivateClassifier


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateColumnClassifier(PrivateClassifier):
    """A private classifier whose rule is about one column, `feature`: its place or its name.

    The other columns are ignored, and need no bounds.
    """

    feature: int | str = 0
