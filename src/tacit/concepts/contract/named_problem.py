"""Evaluation problems with a name: what is known of c(x) when one party holds c and another x.

A family says by `ConceptClass.problem` that its c(x) is one of these; then every closed form that
the theory has for the problem is the family's own: messages of protocols, representations, lower
bounds, symmetries. What a problem says is checked for every family by the concept contract.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
"""Numbers of concepts in their canonical order, or of points in the order of the domain."""


@dataclass(frozen=True, slots=True)
class Equality:
    """Is x = c?  `size` concepts on as many points.

    >>> Equality(3)(np.arange(3)[:, None], np.arange(3)).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """

    size: int

    def __call__(self, concept: Numbers, point: Numbers, /) -> NDArray[np.bool_]:
        return np.asarray(concept == point, dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class AtLeast:
    """Is x >= c?  `size` concepts on as many points.

    >>> AtLeast(3)(np.arange(3)[:, None], np.arange(3)).astype(int).tolist()
    [[1, 1, 1], [0, 1, 1], [0, 0, 1]]
    """

    size: int

    def __call__(self, concept: Numbers, point: Numbers, /) -> NDArray[np.bool_]:
        return np.asarray(point >= concept, dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class OnTheLine:
    """Is y = a x + c modulo p?  Line a p + c, point x p + y.

    >>> bool(OnTheLine(7)(3 * 7 + 5, 2 * 7 + 4))
    True
    """

    p: int

    def __call__(self, concept: Numbers, point: Numbers, /) -> NDArray[np.bool_]:
        (a, c), (x, y) = np.divmod(concept, self.p), np.divmod(point, self.p)
        return np.asarray((a * x + c - y) % self.p == 0, dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class InnerProduct:
    """Is the inner product of c and x odd?  Both are numbers of `dims` binary digits.

    >>> InnerProduct(2)(np.arange(4)[:, None], np.arange(4)).astype(int).tolist()
    [[0, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 1, 0]]
    """

    dims: int

    def __call__(self, concept: Numbers, point: Numbers, /) -> NDArray[np.bool_]:
        shared = concept & point
        return np.asarray(sum(shared >> i & 1 for i in range(self.dims)) % 2 == 1, dtype=np.bool_)


Problem = Equality | AtLeast | OnTheLine | InnerProduct
