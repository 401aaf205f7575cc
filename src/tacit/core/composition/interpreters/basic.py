"""Losses add up.

Of the papers: BNS16 Thm 2.16.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tacit.core.cost import BoundedRange, Pure

if TYPE_CHECKING:
    from tacit.core.composition.worlds import RepeatedLeaf, Simple


def epsilon(releases: tuple[RepeatedLeaf[Simple], ...], delta: Fraction) -> Fraction | None:  # noqa: ARG001
    """Return the sum of all epsilons, whatever delta is; None where a release is not pure.

    Guarantee:
        Adaptive composition of pure releases [DMNS06]. Exact for delta = 0.
    """
    return total(releases)


def total(releases: tuple[RepeatedLeaf[Simple], ...]) -> Fraction | None:
    """Return the sum of all epsilons, and None where a release is not pure."""
    losses = [pure(release.leaf) for release in releases]
    if None in losses:
        return None
    return sum(
        (r.times * loss for r, loss in zip(releases, losses, strict=True) if loss), Fraction(0)
    )


def pure(leaf: Simple) -> Fraction | None:
    """Return the greatest loss of one release, and None where there is none."""
    return leaf.epsilon if isinstance(leaf, Pure | BoundedRange) else None
