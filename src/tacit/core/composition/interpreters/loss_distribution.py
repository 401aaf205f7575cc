"""The distribution of the total privacy loss, on a grid, in integers: nothing is left to floats.

Each kind of leaf has one worst pair of laws (P, Q), whatever was released before, and the worst of
all releases is the product of the pairs [ZDW22, Thm. 10]: its loss is a sum of independent losses.

The mass between two grid points is moved to them so that its P-mass and its Q-mass stay what they
are: a pair that tells more apart, and little more [DGKKM22]. Masses are integers over 2^128,
rounded up; products of integer polynomials are exact, and are rounded up to 2^-128 again. What lies
above the grid counts as an infinite loss, what lies below as its lowest point. So delta is an upper
bound (docs/proofs/composition.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

import numpy as np
from flint import arb, fmpz_poly

from tacit.core.composition.certified import decimal_up, least_epsilon, number, probability
from tacit.core.composition.interpreters import loss_tails, responses
from tacit.core.composition.interpreters.near_gaussian import APART, FARTHEST
from tacit.core.composition.interpreters.optimal import MOST_OUTCOMES
from tacit.core.cost import BoundedRange, Gaussian, NearGaussian, Pure
from tacit.core.numbers.enclosures import Enclosure, precision, real, round_down

if TYPE_CHECKING:
    from tacit.core.composition.worlds import RepeatedLeaf, Simple

BITS = 128
ONE = 1 << BITS
SPREAD = 1e-5
"""The part that moving mass to the grid may add to the variance of the loss."""
NARROWEST, WIDEST = 1 << 13, 1 << 17
"""Between so many grid points in the end."""
GREATEST_LOSS = 600
"""Beyond it floats, which choose the candidate, would overflow."""
MOST_TIMES, MOST_KINDS = 100_000, 256
"""More releases than this, or more kinds of them, would take seconds."""

Counted = tuple[loss_tails.Known, int]


def epsilon(releases: tuple[RepeatedLeaf[Simple], ...], delta: Fraction) -> Fraction | None:
    """Return an epsilon of the total loss; None where a leaf is known by its rate alone.

    One kind of pure or bounded-range release is left to the interpreters that are optimal there.
    """
    near = [(r.leaf.mu_squared, r.times) for r in releases if isinstance(r.leaf, NearGaussian)]
    known: list[Counted] = [(r.leaf, r.times) for r in releases if _listable(r.leaf)]
    if delta == 0 or len(known) + len(near) < len(releases):
        return None
    if near and not any(isinstance(leaf, BoundedRange) for leaf, _ in known):
        pure = [(leaf.epsilon, times) for leaf, times in known if isinstance(leaf, Pure)]
        if responses.count(pure) <= MOST_OUTCOMES:
            return (
                None  # `near_gaussian` loses nothing, or next to nothing, in a fraction of the time
            )
    if near:
        known.append((loss_tails.Normal(sum((mu * k for mu, k in near), Fraction(0))), 1))
    apart = 2 * APART * sum(times for _, times in near)
    if not _worthwhile(known) or apart > FARTHEST:
        return None
    with precision(2 * BITS):
        grid = _Grid.of(known, number(delta))
        if grid.bounds(known)[1] * grid.step > GREATEST_LOSS:
            return None
        found = _least(grid, _total(grid, known), delta / (1 + apart))
        return decimal_up(found + apart) if found is not None and near else found


def _worthwhile(known: list[Counted]) -> bool:
    if len(known) == 1 and not isinstance(known[0][0], Gaussian):
        return False
    return 0 < len(known) <= MOST_KINDS and sum(times for _, times in known) <= MOST_TIMES


def _listable(leaf: Simple) -> TypeGuard[loss_tails.Known]:
    if isinstance(leaf, Gaussian):
        return loss_tails.reach(leaf) <= loss_tails.MOST_INTEGERS
    return isinstance(leaf, Pure | BoundedRange)


class _Shape(NamedTuple):
    """One loss in floats, to place the grid with: mean, variance, scale of the tails, greatest."""

    mean: float
    variance: float
    scale: float
    greatest: float

    @classmethod
    def of(cls, leaf: loss_tails.Known) -> _Shape:
        match leaf:
            case Pure(loss):
                e = number(loss)
                return cls(e * math.tanh(e / 2), (e / math.cosh(min(e, 700.0) / 2)) ** 2, e, e)
            case BoundedRange(width):
                w = number(width)
                return cls(w * math.tanh(w / 6), w**2 / 3, w, w)
            case Gaussian(sigma_squared, sensitivity):
                v = sensitivity**2 / number(sigma_squared)
                return cls(v / 2, v, math.sqrt(v), math.inf)
            case loss_tails.Normal(mu_squared):
                v = number(mu_squared)
                return cls(v / 2, v, math.sqrt(v), math.inf)


@dataclass(frozen=True, slots=True)
class _Grid:
    """The step between two losses, and how many scales from the mean the losses are listed."""

    step: Fraction
    reach: float

    @classmethod
    def of(cls, known: list[Counted], delta: float) -> _Grid:
        shapes = [(_Shape.of(leaf), times) for leaf, times in known]
        times = sum(times for _, times in shapes)
        variance = sum(shape.variance * times for shape, times in shapes)
        scale = math.sqrt(sum(shape.scale**2 * times for shape, times in shapes))
        reach = math.sqrt(2 * (20 + math.log(times / delta)))
        step = min(math.sqrt(4 * SPREAD * variance / times), 2 * reach * scale / NARROWEST)
        return cls(round_down(Fraction(max(step, 2 * reach * scale / WIDEST)), 8), reach)

    def bounds(self, known: list[Counted]) -> tuple[int, int]:
        """Return the least and the greatest grid point at which the sum of these is listed."""
        shapes = [(_Shape.of(leaf), times) for leaf, times in known]
        mean = sum(shape.mean * times for shape, times in shapes)
        far = self.reach * math.sqrt(sum(shape.scale**2 * times for shape, times in shapes))
        most = sum((shape.greatest + float(self.step)) * times for shape, times in shapes)
        low, high = max(mean - far, -most), min(mean + far, most)
        return math.floor(low / self.step) - 1, math.ceil(high / self.step) + 1


@dataclass(frozen=True, slots=True)
class _Losses:
    """Masses of the losses (offset + j) * step, and of an infinite loss, all over 2^128."""

    masses: fmpz_poly
    offset: int
    infinite: int

    def then(self, other: _Losses, bounds: tuple[int, int]) -> _Losses:
        """Return the sum of two independent losses, cut to the grid points within the bounds."""
        exact = self.masses * other.masses
        masses = exact // ONE + fmpz_poly([1] * exact.length())
        offset, infinite = self.offset + other.offset, self.infinite + other.infinite
        least, greatest = bounds
        if (kept := greatest - offset + 1) < masses.length():
            infinite += int(masses.right_shift(kept)(1))
            masses = masses.truncate(kept)
        if (lack := least - offset) > 0:
            below = masses.truncate(lack)(1)
            masses, offset = masses.right_shift(lack) + below, least
        return _Losses(masses, offset, infinite)


def _total(grid: _Grid, known: list[Counted]) -> _Losses:
    """Return the loss of all releases: of one half, then of the other."""
    if len(known) == 1:
        return _repeated(grid, *known[0])
    half = len(known) // 2
    return _total(grid, known[:half]).then(_total(grid, known[half:]), grid.bounds(known))


def _repeated(grid: _Grid, leaf: loss_tails.Known, times: int) -> _Losses:
    one = _one(grid, leaf)
    power, count = one, 1
    for bit in bin(times)[3:]:
        count *= 2
        power = power.then(power, grid.bounds([(leaf, count)]))
        if bit == "1":
            count += 1
            power = power.then(one, grid.bounds([(leaf, count)]))
    return power


def _one(grid: _Grid, leaf: loss_tails.Known) -> _Losses:
    """Move the mass of every cell to its two ends; both masses of the cell stay what they are."""
    least, greatest = grid.bounds([(leaf, 1)])
    tails = loss_tails.tails(leaf)
    at = [tails(j * grid.step) for j in range(least, greatest + 1)]
    shrink = (-real(grid.step)).exp()
    growth = real(least * grid.step).exp()
    masses = [1 - at[0][0]] + [arb(0)] * (greatest - least)
    for j, ((p, q), (p_next, q_next)) in enumerate(pairwise(at)):
        inside = p - p_next
        raised = (inside - growth * (q - q_next)) / (1 - shrink)
        masses[j] += inside - raised
        masses[j + 1] += raised
        growth /= shrink
    return _Losses(fmpz_poly([_scaled(mass) for mass in masses]), least, _scaled(at[-1][0]))


def _scaled(mass: Enclosure) -> int:
    """Return the least integer at least mass * 2^128, and at least 0."""
    return int((mass.upper().max(0) * ONE).ceil().unique_fmpz())


def _least(grid: _Grid, losses: _Losses, delta: Fraction) -> Fraction | None:
    """Return the least epsilon at which the listed losses have at most delta."""
    step, count = float(grid.step), losses.masses.length()
    values = (losses.offset + np.arange(count)) * step
    masses = np.array([float(mass) for mass in losses.masses.coeffs()]) / ONE
    heavy = np.cumsum(masses[::-1])[::-1]
    light = np.cumsum((masses * np.exp(-values))[::-1])[::-1]
    infinite = losses.infinite / ONE

    def estimate(x: float) -> float:
        first = max(0, math.floor(x / step) + 1 - losses.offset)
        if first >= count:
            return infinite
        return float(heavy[first] - math.exp(x) * light[first]) + infinite

    def bound(x: Fraction) -> Fraction:
        first = max(0, x // grid.step + 1 - losses.offset)
        above = losses.masses.right_shift(first)
        lowest = (losses.offset + first) * grid.step

        def enclosed() -> Enclosure:
            shared = above((-real(grid.step)).exp()) * real(x - lowest).exp()
            return (arb(above(1)) - shared + losses.infinite) / ONE

        return probability(enclosed)

    ceiling = (losses.offset + count) * grid.step
    return least_epsilon(estimate, bound, delta=delta, ceiling=ceiling)
