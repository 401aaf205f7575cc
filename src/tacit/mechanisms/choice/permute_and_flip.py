"""Permute-and-flip over a score profile.

A hypothesis of gap g arrives at a uniform time in [0, 1] and is let in with probability w = q^g;
the first one let in wins. In a group of m equals nobody has been let in by time t with probability
(1 - w t)^m, so the group's first time is (1 - V^(1/m)) / w for one uniform V (a time above 1 means
never). Only as many bits of V are drawn as the comparison needs [docs/proofs/permute_and_flip.md].
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TypeVar

import numpy as np
from flint import arb, fmpq, fmpq_poly

from tacit.core import Decay, Exact, PureCost, Random, TooLarge, check, hold, least
from tacit.core.chance.law import Law, collect
from tacit.core.chance.uniform import Uniform
from tacit.core.numbers.enclosures import Enclosure, precision, real, upper
from tacit.mechanisms.choice.exponential import Exponential
from tacit.statistics import ScoreProfile

H = TypeVar("H", bound=Hashable)
ENUMERABLE = 256
"""Hypotheses up to which a law is listed: it multiplies as many polynomials."""
LARGEST_GAP = 1000
"""Gaps of score up to which a law is exact: powers of the ratio have 64 bits a step."""
WORD = 64
"""Bits of a uniform that are drawn at first, and twice as many each time they do not decide."""


@dataclass(frozen=True, slots=True)
class PermuteAndFlip(PureCost):
    """Visit the hypotheses in random order; stop at each with probability e^(-epsilon * gap / 2).

    The gap of a hypothesis is the best score minus its own, in units of the sensitivity. For one
    choice under pure privacy it is at least as good as `Exponential`, and better for few
    hypotheses; it has no bounded range, so for several choices `Exponential` is the cheaper one.

    Guarantee:
        epsilon-DP for every profile [MS20]. The choice falls g or more below the best with at most
        the probability that the exponential mechanism gives this, and at most `failure(g)`, which
        is attained when one hypothesis is optimal.

    Exactness:
        The coin of gap g has bias q^g, q a rational >= e^(-epsilon / (2 sensitivity)) within 2^-63
        of it; the law with that q is sampled without error, and it is the one that is private.

    Cost:
        `Pure(epsilon)`; time linear in the number of cells, with one uniform for each distinct
        score, whatever the number of hypotheses.

    >>> from tacit.core.chance.randomness import Seeded
    >>> PermuteAndFlip(20)(ScoreProfile.of([0, 9, 3]), rng=Seeded(1))
    1
    >>> PermuteAndFlip(1).law(ScoreProfile.of([0, 4]))[0] == Decay.of(Fraction(1, 2)).power(4) / 2
    True

    Proof: docs/proofs/permute_and_flip.md
    """

    epsilon: Fraction

    def __init__(self, epsilon: Exact) -> None:
        hold(self).positive(epsilon=epsilon)

    def __call__(self, profile: ScoreProfile[H], *, rng: Random) -> H:
        cells = _cells(profile)
        groups = _groups(profile, cells)
        place = earliest(groups, self._decay(profile.sensitivity), rng=rng)
        rank = rng.below(groups[place].size)
        ends = list(accumulate(int(profile.multiplicities[cell]) for cell in cells[place]))
        at = bisect_right(ends, rank)
        return profile.member(cells[place][at], rank - (ends[at - 1] if at else 0))

    def law(self, profile: ScoreProfile[H]) -> Law[H]:
        """Return the exact law of the choice; for classes small enough to list.

        A hypothesis of weight w wins with probability w * integral over t in [0, 1] of the product
        of (1 - w' t) over all others: a polynomial, integrated term by term.
        """
        if profile.size > ENUMERABLE:
            raise TooLarge(f"the law of {profile.size} hypotheses is exact up to {ENUMERABLE}")
        cells = _cells(profile)
        groups = _groups(profile, cells)
        if groups[-1].gap > LARGEST_GAP:
            raise TooLarge(f"the exact law needs scores within {LARGEST_GAP} of each other")
        decay = self._decay(profile.sensitivity)
        weights = [fmpq(w.numerator, w.denominator) for w in (decay.power(g.gap) for g in groups)]
        everyone = fmpq_poly([1])
        for weight, group in zip(weights, groups, strict=True):
            everyone *= fmpq_poly([1, -weight]) ** group.size
        shares = [w * _integral(everyone // fmpq_poly([1, -w])) for w in weights]
        return collect(
            (profile.member(cell, rank), Fraction(int(share.p), int(share.q)))
            for share, members in zip(shares, cells, strict=True)
            for cell in members
            for rank in range(int(profile.multiplicities[cell]))
        )

    def failure(
        self, shortfall: int, *, size: int, optimal: int = 1, sensitivity: int = 1
    ) -> Fraction:
        """Bound the probability that the choice falls `shortfall` or more below the best score.

        >>> float(PermuteAndFlip(1).failure(20, size=1000))
        0.0223...
        """
        check.count(optimal=optimal, least=1)
        others = check.count(size=size, least=optimal) - optimal
        check.count(shortfall=shortfall, least=1)
        if not others:
            return Fraction(0)
        decay = self._decay(sensitivity)

        def exponential() -> Enclosure:
            odds = decay.real(shortfall) * others / optimal
            return odds / (1 + odds)

        def one_optimal() -> Enclosure:
            weight = decay.real(shortfall)
            return 1 + (size * (-weight).log1p()).expm1() / (weight * size)

        def several_optimal() -> Enclosure:
            return -(others * (-decay.real(shortfall) / (optimal + 1)).log1p()).expm1()

        least_bits = int(shortfall * -upper(lambda: real(decay.ratio).log()) * 2) + 256
        flip = one_optimal if optimal == 1 else several_optimal
        return min(upper(exponential), upper(flip, least_bits))

    def shortfall(self, beta: Exact, *, size: int, optimal: int = 1, sensitivity: int = 1) -> int:
        """Return the least g for which `failure(g)` is at most beta.

        >>> PermuteAndFlip(1).shortfall(0.05, size=1000)
        19
        """
        beta = check.probability(beta=beta)
        public = {"size": size, "optimal": optimal, "sensitivity": sensitivity}
        return least(lambda g: self.failure(g, **public) <= beta, low=1)

    def _decay(self, sensitivity: int) -> Decay:
        return Decay.of(self.epsilon / (2 * check.count(sensitivity=sensitivity, least=1)))


def single_choice(epsilon: Exact, *, alone: bool) -> Exponential | PermuteAndFlip:
    """Return permute-and-flip for a choice that stands alone, else the exponential mechanism.

    Alone, or with a total delta of 0, both cost epsilon and permute-and-flip errs less; several
    choices cost less by the exponential mechanism, whose range is bounded.
    """
    return PermuteAndFlip(epsilon) if alone else Exponential(epsilon)


def _cells(profile: ScoreProfile[H]) -> list[list[int]]:
    """List the cells that are not empty, those of equal score together, best score first."""
    held = np.flatnonzero(profile.multiplicities > 0)
    order = held[np.argsort(-profile.scores[held], kind="stable")]
    starts = np.flatnonzero(np.diff(profile.scores[order])) + 1
    return [part.tolist() for part in np.split(order, starts)]


def _groups(profile: ScoreProfile[H], cells: list[list[int]]) -> list[Group]:
    best = int(profile.scores[cells[0][0]])
    return [
        Group(
            best - int(profile.scores[members[0]]),
            sum(int(profile.multiplicities[cell]) for cell in members),
        )
        for members in cells
    ]


def _integral(polynomial: fmpq_poly) -> fmpq:
    """Integrate a polynomial over [0, 1]."""
    return polynomial.integral()(1)


@dataclass(frozen=True, slots=True, repr=False)
class Group:
    """`size` >= 1 hypotheses whose score is `gap` >= 0 below the best."""

    gap: int
    size: int


def earliest(groups: Sequence[Group], decay: Decay, *, rng: Random) -> int:
    """Return the place of the group whose first time is the least.

    Exactness:
        Each first time is enclosed by balls; a group leaves the contest when its whole enclosure
        lies above the end of another's, and the rest go on with more bits of the same uniforms.
        Two first times are equal with probability 0, so one group is left with probability 1.
    """
    uniforms = [Uniform(rng) for _ in groups]
    contenders = list(range(len(groups)))
    width = WORD
    while len(contenders) > 1:
        for place in contenders:
            uniforms[place].refine(width)
        with precision(2 * width + 128):
            times = {p: first_time(groups[p], decay, uniforms[p]) for p in contenders}
        soonest = min(high for _, high in times.values())
        contenders = [place for place, (low, _) in times.items() if low <= soonest]
        width *= 2
    return contenders[0]


def first_time(group: Group, decay: Decay, uniform: Uniform) -> tuple[Enclosure, Enclosure]:
    """Enclose (1 - V^(1/size)) / q^gap, which falls in V, from the bits of V that are known."""
    weight = decay.real(group.gap)

    def at(value: int) -> Enclosure:
        logarithm = arb((value, -uniform.width)).log() if value else arb.neg_inf()
        return -(logarithm / group.size).expm1() / weight

    return at(uniform.value + 1).lower(), at(uniform.value).upper()
