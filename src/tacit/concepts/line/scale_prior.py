"""A public prior over the places of a threshold, for columns whose scale nobody knows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import integers
from tacit.core import check
from tacit.core.numbers.least import greatest

SMALL = 50  # up to so many bits all sums of weights are below 2^62, and floats hold all places


@dataclass(frozen=True, slots=True)
class ScalePrior:
    """Integer weights of 0, ..., values - 1: a third even, a third by scale from either end.

    With B bits and l(z) the bit length of z, the weight of z is
    (B + 2) + 2^(B + 1 - l(z)) + 2^(B + 1 - l(values - 1 - z)). The first part is the same
    everywhere; the second gives 0 twice as much as each octave [2^k, 2^(k + 1)) and shares an
    octave out evenly, as Elias' code for integers does; the third is its mirror image.

    >>> prior = ScalePrior(8)
    >>> [prior.weight(z) for z in range(8)], prior.total
    ([23, 15, 11, 11, 11, 11, 15, 23], 120)
    """

    values: int

    def __post_init__(self) -> None:
        check.count(values=self.values, least=1)

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return self.below(self.values)

    @property
    def candidates(self) -> int:
        """The total over the least weight, rounded up: so many equal ones would be as hard.

        The least weight is B + 8: z and values - 1 - z cannot both have B bits.

        >>> ScalePrior(1 << 32).candidates / 2**32
        2.55...
        """
        return -(-self.total // min(self._bits + 8, self.total))

    def weight(self, z: int) -> int:
        """Return the weight of one place."""
        return self.below(z + 1) - self.below(z)

    def share(self, z: int) -> Fraction:
        """Return the prior probability of one place.

        >>> float(ScalePrior(1 << 32).share(1000) * 2**32)
        82241...
        """
        return Fraction(self.weight(z), self.total)

    def below(self, place: int) -> int:
        """Return the sum of the weights of all z < place."""
        rest = self._scaled(self.values) - self._scaled(self.values - place)
        return (self._bits + 2) * place + self._scaled(place) + rest

    def all_below(self, places: NDArray[Any]) -> NDArray[Any]:
        """Return `below` of many places."""
        if self._bits > SMALL:
            return integers([self.below(int(place)) for place in places])
        places = places.astype(np.int64)
        rest = self._scaled(self.values) - self._all_scaled(self.values - places)
        sums: NDArray[Any] = (self._bits + 2) * places + self._all_scaled(places) + rest
        return sums

    def find(self, weight: int) -> int:
        """Return the z with below(z) <= weight < below(z + 1)."""
        return greatest(lambda z: self.below(z) <= weight, 0, self.values - 1)

    @property
    def _bits(self) -> int:
        return (self.values - 1).bit_length()

    def _scaled(self, place: int) -> int:
        """Return the sum of 2^(B + 1 - l(z)) over z < place: octaves of 2^B, one begun."""
        if place == 0:
            return 0
        octaves = place.bit_length() - 1
        begun = (place << self._bits >> octaves) - (1 << self._bits)
        return (octaves + 2 << self._bits) + begun

    def _all_scaled(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        octaves = np.maximum(np.frexp(places.astype(np.float64))[1].astype(np.int64) - 1, 0)
        begun = (places - (1 << octaves)) << (self._bits - octaves)
        sums = (octaves + 2 << self._bits) + begun
        return np.where(places == 0, 0, sums)
