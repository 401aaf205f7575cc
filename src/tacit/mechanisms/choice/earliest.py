"""Which of several groups arrives first: permute-and-flip for groups of any size.

A hypothesis of gap g arrives at a uniform time in [0, 1] and is let in with probability w = q^g;
the first one let in wins. In a group of m equals nobody has been let in by time t with probability
(1 - w t)^m, so the group's first time is (1 - V^(1/m)) / w for one uniform V (a time above 1 means
never). Only as many bits of V are drawn as the comparison needs [docs/proofs/permute_and_flip.md].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb

from tacit.core.chance.randomness import Random
from tacit.core.chance.uniform import Uniform
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import Enclosure, precision

WORD = 64


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
