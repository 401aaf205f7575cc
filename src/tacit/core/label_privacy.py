"""The weaker promise, where the points are public and only the labels are secret."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core.frozen import hold
from tacit.core.numbers.exact import Exact

SAID = "labels are protected, features are not"
"""What every interface says of it."""


@dataclass(frozen=True, slots=True)
class LabelPrivacy:
    """epsilon-DP between databases that differ in one *label*, all points being the same.

    It says nothing about who is in the table, or with which features. It is no `Cost`: it can never
    be priced, composed or passed where full privacy is asked for.

    >>> LabelPrivacy(1)
    LabelPrivacy(epsilon=Fraction(1, 1))
    """

    epsilon: Fraction

    def __init__(self, epsilon: Exact) -> None:
        hold(self).positive(epsilon=epsilon)
