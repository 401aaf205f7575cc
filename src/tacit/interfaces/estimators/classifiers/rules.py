"""Rules about one column, comparisons in columns of any type, and parities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacit.core import check
from tacit.interfaces.estimators.classifiers.classifier import BasePrivateClassifier
from tacit.interfaces.estimators.given.tables import GivenTable


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateColumnClassifier(BasePrivateClassifier):
    """A private classifier whose rule is about one column, `feature`: its place or its name.

    The other columns are ignored, and need no bounds.
    """

    feature: int | str = 0


class PrivateThresholdClassifier(PrivateColumnClassifier):
    """Yes where a column is at least some value, or where it is below.

    Guarantee:
        Each `fit` is (epsilon, delta)-DP for replaced rows; with the usual learner it is of bounded
        range epsilon, whatever delta is. `certificate_` says what is promised of the error.

    >>> import numpy as np
    >>> ages = np.arange(20, 100).repeat(9).reshape(-1, 1)
    >>> sick = ages.ravel() >= 65
    >>> classifier = PrivateThresholdClassifier(bounds=(0, 120), step=1, random_state=1)
    >>> classifier.fit(ages, sick).rule_
    'x0 is at least 65'
    >>> classifier.predict([[64], [65]]), classifier.private_
    (array([False,  True]), False)
    """

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return thresholds in both directions."""
        return "thresholds"


class PrivateIntervalClassifier(PrivateColumnClassifier):
    """Yes where a column lies between two values.

    Guarantee:
        As `PrivateThresholdClassifier`.

    >>> import numpy as np
    >>> dose = np.arange(100).repeat(9).reshape(-1, 1)
    >>> works = (30 <= dose.ravel()) & (dose.ravel() < 60)
    >>> classifier = PrivateIntervalClassifier(bounds=(0, 99), step=1, random_state=2)
    >>> classifier.fit(dose, works).rule_
    'x0 is between 30 and 59'
    """

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return intervals."""
        return "intervals"


class PrivatePointClassifier(PrivateColumnClassifier):
    """Yes where a column has one value, and nowhere else: which code, which ward, which item.

    Guarantee:
        As `PrivateThresholdClassifier`. For a huge range, `learner="hashed-point"` needs no more
        rows than for a small one, and `learner="stable-point"` does with a delta.

    >>> import numpy as np
    >>> ward = np.arange(20).repeat(30).reshape(-1, 1)
    >>> classifier = PrivatePointClassifier(bounds=(0, 19), step=1, random_state=3)
    >>> classifier.fit(ward, ward.ravel() == 7).rule_
    'x0 is 7'
    """

    poor_score: ClassVar[bool] = True
    """No single value separates two clouds of points."""

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return points."""
        return "points"


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


SCORED = 16
"""Up to so many columns all parities are scored."""


class PrivateParityClassifier(BasePrivateClassifier):
    """Yes where an odd number of the right columns are one; columns are cut into two halves.

    Guarantee:
        Each `fit` is epsilon-DP for replaced rows. Up to 16 columns the best parity is looked for
        whatever the labels are; in more, `parity` finds one that explains them all, by linear
        algebra [KLNRS11].

    >>> import numpy as np
    >>> bits = np.stack(np.meshgrid(*[[0, 1]] * 4), axis=-1).reshape(-1, 4).repeat(20, axis=0)
    >>> classifier = PrivateParityClassifier(bounds=(0, 1), step=1, random_state=1)
    >>> classifier.fit(bits, bits[:, 0] ^ bits[:, 2]).rule_
    'the number of ones among x0 and x2 is odd'
    """

    poor_score: ClassVar[bool] = True
    """No parity of halves separates two clouds of points."""

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return parities."""
        return "parities"

    def learner_for(self, table: GivenTable) -> str:
        """Return the generic learner for few columns, else linear algebra."""
        return "generic" if len(table.sizes) <= SCORED else "parity"

    def resolution(self, columns: int) -> int:  # noqa: ARG002
        """Return into how many equal parts a range is cut where no step is declared."""
        return 2
