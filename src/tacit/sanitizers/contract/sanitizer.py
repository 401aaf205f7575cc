"""What every sanitizer is: a frozen value that makes synthetic rows, at a known cost.

Of the papers: BNS16 Def 2.17.
"""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import Any, Protocol

from tacit.core import Exact, Law, Random
from tacit.core.cost import Cost
from tacit.sanitizers.contract.synthetic import Synthetic
from tacit.statistics import Counts


class Sanitizer(Protocol):
    """From counts to as many synthetic rows; public things are fields, the counts an argument."""

    @property
    def cost(self) -> Cost:
        """What one table of synthetic rows costs."""

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Synthetic:
        """Make synthetic rows."""

    def law(self, counts: Counts[Any], /) -> Law[Synthetic]:
        """Return the exact law of the synthetic rows, on domains small enough to enumerate."""


class ErrorPromise:
    """What is promised for synthetic rows depends on their number only, and is known beforehand."""

    __slots__ = ()

    @abstractmethod
    def error(self, n: int, beta: Exact) -> Fraction:
        """Return the error that is promised for n rows, as a share of them."""

    def promised(self, synthetic: Synthetic, beta: Exact) -> Fraction:
        """Return the error that is promised for these rows."""
        return self.error(synthetic.n, beta)
