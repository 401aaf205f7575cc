"""How much each hypothesis of a listed class agrees with each label, already added up."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, check
from tacit.statistics.many_rows import check_many
from tacit.statistics.private import PUBLIC, Private


@dataclass(frozen=True, slots=True, repr=False)
class LabelGains(Private):
    """Each hypothesis' rows labelled 1 minus those labelled 0 where it says yes, label by label.

    Where `LabelCounts` keeps the points, here the class has been scored where the rows are.

    Guarantee:
        Replacing one row moves the agreements of each hypothesis with each label, which are its
        gain plus the rows labelled 0, by at most 1.

    >>> LabelGains(3, 1, np.array([[1, -1]]), np.array([1]))
    LabelGains(n=3, labels=1, gains=<private>, zeros=<private>)
    """

    n: int = field(metadata=PUBLIC)
    labels: int = field(metadata=PUBLIC)
    gains: NDArray[np.int64]
    zeros: NDArray[np.int64]

    def __post_init__(self) -> None:
        check_many(self.n)
        check.count(labels=self.labels, least=1)
        if len(self.gains) != self.labels or self.zeros.shape != (self.labels,):
            raise InvalidArgument(f"gains and zeros must have one line for each of {self.labels}")
