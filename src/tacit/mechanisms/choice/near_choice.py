"""Choose a candidate of a small penalty, where only few can be near: many others cost their log."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from tacit.core import Decay, Exact, InvalidArgument, PureCost, Random, TooLarge, check, hold, least
from tacit.core.chance.law import Law, collect
from tacit.core.numbers.enclosures import log_upper, real, round_down, round_up, upper

ENUMERABLE = 100_000
"""Candidates that a law lists, in about a second."""
SIGNIFICANT = 64
FINE = 8
"""Bits of the weight of None."""
STEP = Fraction(9, 8)
"""The scale is sought, and its conditions are looked at, in steps of this factor."""


@dataclass(frozen=True, slots=True)
class Penalties:
    """Penalties of some of the candidates 0, 1, ...; all others have the greatest there is.

    Whoever makes it from rows sees to it that one replaced row changes each penalty by 1 at most,
    and that the penalties of no database are more crowded than a `NearChoice` is told.
    """

    table: Mapping[int, int]
    candidates: int


@dataclass(frozen=True, slots=True)
class NearChoice(PureCost):
    """Tell a candidate of a small penalty, or None if there is none.

    Penalties are 0, ..., reach, and on no database have more than `crowd[d]` candidates a penalty
    of d < reach or less. With q = e^-(epsilon / 2), a candidate of penalty d is told with
    probability scale * q^2d or q^d / s, whichever is less; None, with x the least of all penalties,
    with `none` / (q^x s), x being cut where that is about q^x / s. s is what makes the sum 1.

    Guarantee:
        epsilon-DP for all penalties that one row changes by 1 at most and that are nowhere more
        crowded. If some penalty is 0, None is told with probability none / (1 + none) at most, and
        a candidate with `told(d)` at most: of many that are far each falls by e^-epsilon for one
        row, not by e^-(epsilon / 2) as in the exponential mechanism. Their number is not asked for.

    Exactness:
        q is a rational just above e^-(epsilon / 2), `scale` an integer: the law is rational, and
        two uniform integers decide.

    Cost:
        `Pure(epsilon)`; time linear in the candidates that have not the greatest penalty.

    >>> from tacit.core.chance.randomness import Seeded
    >>> choice = NearChoice(1, crowd=[2] * 6 + [4] * 4 + [8] * 8, none="1/20")
    >>> choice.scale, choice(Penalties({5: 0, 6: 7}, 10**4), rng=Seeded(1))
    (37, 5)

    Proof: docs/proofs/near_choice.md
    """

    epsilon: Fraction
    crowd: tuple[int, ...] = field(repr=False)
    none: Fraction
    scale: int
    decay: Decay = field(repr=False)
    """The factor q, one half of what one row changes a probability by at most."""
    cut: int
    """The least penalty from which on None weighs the same."""

    def __init__(self, epsilon: Exact, *, crowd: Sequence[int], none: Exact) -> None:
        hold(self).positive(epsilon=epsilon)
        weight = round_down(check.probability(none=none), FINE)
        if not crowd or crowd[0] < 1 or any(a > b for a, b in pairwise(crowd)):
            raise InvalidArgument("crowd must list numbers that do not fall, from 1 on")
        hold(self, none=weight, crowd=tuple(crowd), decay=Decay.of(self.epsilon / 2))
        hold(self, cut=min(int(-(-log_upper(1 / weight) // self.epsilon)), len(crowd)))
        hold(self, scale=_least_scale(self.decay.ratio, self.crowd, weight, self.cut))

    @property
    def reach(self) -> int:
        """The greatest penalty: all that is worse counts as this."""
        return len(self.crowd)

    @property
    def untold(self) -> Fraction:
        """The most likely that None is told where some penalty is 0."""
        return self.none / (1 + self.none)

    def told(self, penalty: int) -> Fraction:
        """Bound the chance of one candidate where some penalty is 0."""
        near = upper(lambda: self.decay.real(penalty))
        return min(near, upper(lambda: real(self.scale) * self.decay.real(2 * penalty)))

    def __call__(self, penalties: Penalties, *, rng: Random) -> int | None:
        """Tell a candidate, a number below their number, or None."""
        weighed = self._weighed(penalties)
        left = rng.below(1 << weighed.bits)
        for d, each in weighed.far.items():
            if left < each * weighed.groups[d]:
                return self._member(penalties, d, left // each)
            left -= each * weighed.groups[d]
        left = rng.below(weighed.total)
        for d, each in weighed.near.items():
            if left < each * weighed.groups[d]:
                return self._member(penalties, d, left // each)
            left -= each * weighed.groups[d]
        return None

    def law(self, penalties: Penalties) -> Law[int | None]:
        """Return the exact law; for candidates few enough to list."""
        if penalties.candidates > ENUMERABLE:
            raise TooLarge(f"more than {ENUMERABLE} candidates are too many to list")
        weighed = self._weighed(penalties)
        chances = {d: Fraction(each, 1 << weighed.bits) for d, each in weighed.far.items()}
        rest = 1 - sum((p * weighed.groups[d] for d, p in chances.items()), Fraction(0))
        unit = rest / weighed.total
        chances |= {d: unit * each for d, each in weighed.near.items()}
        listed = (self._penalty(penalties, c) for c in range(penalties.candidates))
        return collect(
            [*((c, chances[d]) for c, d in enumerate(listed)), (None, unit * weighed.none)]
        )

    def _penalty(self, penalties: Penalties, candidate: int) -> int:
        return max(0, min(self.reach, penalties.table.get(candidate, self.reach)))

    def _member(self, penalties: Penalties, penalty: int, rank: int) -> int:
        """Return the candidate of this rank among those of this penalty."""
        if penalty < self.reach:
            named = (c for c in penalties.table if self._penalty(penalties, c) == penalty)
            return sorted(named)[rank]
        for candidate in sorted(penalties.table):
            if self._penalty(penalties, candidate) < self.reach:
                if candidate > rank:
                    break
                rank += 1
        return rank

    def _weighed(self, penalties: Penalties) -> _Weighed:
        """Return what a candidate of each penalty weighs, those who are far by the scale alone.

        With u candidates more counted as near, from the least penalty on, s falls until a candidate
        of the next penalty is told by the scale.
        """
        found = Counter(self._penalty(penalties, c) for c in penalties.table)
        found[self.reach] += penalties.candidates - len(penalties.table)
        groups = {d: found[d] for d in sorted(found) if found[d]}
        top, step = self.decay.ratio.numerator, self.decay.ratio.denominator.bit_length() - 1
        low, fine = min(*groups, self.cut), self.none.denominator.bit_length() - 1
        powers = {d: top**d << step * (self.reach - d) for d in groups}
        far = {d: self.scale * power * power for d, power in powers.items()}
        bits, near, common = 2 * step * self.reach, dict[int, int](), top**self.cut << fine
        none = self.none.numerator * top ** (self.cut - low) << step * (self.reach + low)
        total, rest = none, (1 << bits) - sum(groups[d] * far[d] for d in groups)
        for d, many in groups.items():
            if rest > 0 and self.scale * total * powers[d] < rest * common:
                break
            near[d] = powers[d] * common
            total, rest = total + near[d] * many, rest + far.pop(d) * many
        return _Weighed(groups, far, near, none, total, bits)


@dataclass(frozen=True, slots=True, repr=False)
class _Weighed:
    """How many candidates have each penalty, and what each of them weighs.

    Those who are far weigh so much of 2^bits, those who are near, and None, of what these leave in
    proportion.
    """

    groups: Mapping[int, int]
    far: Mapping[int, int]
    near: Mapping[int, int]
    none: int
    total: int
    bits: int


def _least_scale(q: Fraction, crowd: tuple[int, ...], none: Fraction, cut: int) -> int:
    """Return the least scale, of those that are looked at, for which the proof's condition holds.

    While s is at most y / scale, one row can add at most (few + many y^2) / (scale s^2) to the sum
    that is 1, for the nearer and the farther candidates, and takes away `slack` / s.
    """
    growth = round_up(1 / (q * q), SIGNIFICANT)
    most = Fraction(1, 4) if growth >= 2 else round_up((growth - 1) * q**4, SIGNIFICANT)
    added = [b - a for a, b in zip((0, *crowd), crowd, strict=False)]
    powers = list(accumulate(crowd, lambda p, _: round_up(p * q * q, SIGNIFICANT), initial=q * q))
    tails = list(
        accumulate(
            (powers[d] * added[d] for d in reversed(range(len(crowd)))),
            lambda a, b: round_up(a + b, SIGNIFICANT),
            initial=Fraction(0),
        )
    )[::-1]
    floors = [(q**x + none / q**x, _slack(q, none, x, cut)) for x in range(cut + 1)]
    floors.append((none / q**cut, none / q**cut * (1 - q)))
    floors = [(round_down(a, SIGNIFICANT), round_down(b, SIGNIFICANT)) for a, b in floors]
    floors.sort()
    starts, slacks = [s for s, _ in floors], list(accumulate((b for _, b in floors), min))
    exact = _Condition(growth - 1, most, crowd, powers, tails, starts, slacks)
    lists: Any = {each: list(map(float, getattr(exact, each))) for each in _LISTS}
    near = replace(exact, growth=float(growth - 1), most=float(most), **lists)
    start = -(-1 // none)  # so that the best candidate is near, whatever its penalty
    proposed = least(lambda k: near.holds(int(start * STEP**k), float))
    first = proposed if exact.holds(int(start * STEP**proposed), _rounded) else 0
    return int(start * STEP ** least(lambda k: exact.holds(int(start * STEP**k), _rounded), first))


_LISTS = ("powers", "tails", "starts", "slacks")


def _rounded(number: Fraction) -> Fraction:
    return round_down(number, SIGNIFICANT)


@dataclass(frozen=True, slots=True)
class _Condition:
    """The proof's condition, in fractions, which decide, or in floats, which propose."""

    growth: Any
    most: Any
    crowd: Sequence[int]
    powers: Sequence[Any]
    tails: Sequence[Any]
    starts: Sequence[Any]
    slacks: Sequence[Any]

    def holds(self, scale: int, rounded: Callable[[Any], Any]) -> bool:
        """Whether nothing that one row can add is more than it takes away, for any s."""
        low, ends, near = scale * self.starts[0], self.most * self.crowd[-1] / self.slacks[-1], 0
        while low < ends:
            high = rounded(low * STEP.numerator / STEP.denominator)
            while near < len(self.crowd) and self.growth * self.powers[near] * high**2 > self.most:
                near += 1
            few = self.most * (self.crowd[near - 1] if near else 0)
            many = self.growth * self.tails[near]
            slack = self.slacks[bisect_right(self.starts, high / scale) - 1]
            if any(few + many * y * y > y * slack for y in (low, high)):
                return False
            low = high
        return True


def _slack(q: Fraction, none: Fraction, x: int, cut: int) -> Fraction:
    """Return the least by which the terms of the best, and of None, fall if s grows by 1 / q."""
    weight = [none / q ** min(max(y, 0), cut) for y in (x - 1, x, x + 1)]
    falls = weight[1] - q * weight[0]
    stays = (q**x + weight[1]) * (1 - q)
    rises = q**x * (1 - q * q) + weight[1] - q * weight[2]
    return min(stays, rises, falls) if x else min(stays, rises)
