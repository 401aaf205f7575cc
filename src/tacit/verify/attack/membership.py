"""Telling from published shares of many attributes whether a person is among those counted.

Each attribute says next to nothing; a thousand of them, published as they are, say it all
[HSRDTMPSNC08; DSSUV15].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.core import Random, check
from tacit.verify.attack.reconstruction import Answer


@dataclass(frozen=True, slots=True)
class Membership:
    """The scores of those in the table, and of as many from the same population who are not."""

    members: NDArray[np.float64]
    others: NDArray[np.float64]

    def found(self, level: float = 0.01) -> float:
        """Return the share of members who score above all but this share of the others."""
        bar = np.quantile(self.others, 1 - level)
        return float(np.mean(self.members > bar))


def membership(people: int, attributes: int, answer: Answer, *, rng: Random) -> Membership:
    """Publish how many have each attribute, and score people by how they lean the same way.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.verify.attack.reconstruction import exact, together_with
    >>> membership(100, 3000, exact, rng=Seeded(0)).found() > 0.95
    True
    >>> membership(100, 3000, together_with(1), rng=Seeded(0)).found() < 0.1
    True
    """
    check.count(people=people, least=1)
    check.count(attributes=attributes, least=1)
    shares = 0.1 + 0.8 * _uniform((attributes,), rng)
    members, others = (_uniform((people, attributes), rng) < shares for _ in range(2))
    released = answer(members.sum(axis=0), rng) / people
    lean = (released - shares) / np.sqrt(shares * (1 - shares))
    return Membership((members - shares) @ lean, (others - shares) @ lean)


def _uniform(shape: tuple[int, ...], rng: Random) -> NDArray[np.float64]:
    words = rng.words(int(np.prod(shape)))
    return (words.astype(np.float64) * 2.0**-64).reshape(shape)
