"""The exact law of the first level, with noise, that reaches a noisy zero.

Level i is above if level_i + N_i >= R, for independent two-sided geometric N_i (one ratio q) and R
(another, r). Given R the levels are independent. Where R lies beyond all levels, each chance is
linear in y = q^|R - end|, so an outcome's is a polynomial in y, and its sum against the weights of
R is a geometric series a term: the law is rational.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq, fmpq_poly

from tacit.core import Decay, TooLarge
from tacit.mechanisms.noise.geometric import tail

WIDEST = 1000
LONGEST = 64


def first_above(levels: Sequence[int], *, noise: Decay, zero: Decay) -> list[Fraction]:
    """Return the probability of each level to be the first above, and last that none is.

    >>> fair = Decay(Fraction(1, 2))
    >>> first_above([0], noise=fair, zero=fair)
    [Fraction(16, 27), Fraction(11, 27)]
    """
    top, bottom = max(0, *levels, 0), min(-1, *levels, -1)
    if top - bottom > WIDEST or len(levels) > LONGEST:
        raise TooLarge(
            f"the exact law is for up to {LONGEST} queries within {WIDEST} of the threshold"
        )
    scale = (1 - zero.ratio) / (1 + zero.ratio)
    inside = [
        _outcomes([fmpq_poly([_rational(tail(noise, at - level))]) for level in levels])
        for at in range(bottom + 1, top)
    ]
    masses = [scale * zero.power(abs(at)) for at in range(bottom + 1, top)]
    parts = [[_rational(m) * p(0) for p in row] for m, row in zip(masses, inside, strict=True)]
    above = [fmpq_poly([0, _rational(tail(noise, top - level))]) for level in levels]
    below = [fmpq_poly([1, -_rational(1 - tail(noise, bottom - level))]) for level in levels]
    for end, side in ((top, above), (bottom, below)):
        start = _rational(scale * zero.power(abs(end)))
        parts.append([start * _series(p, noise, zero) for p in _outcomes(side)])
    totals = [sum(column, fmpq(0)) for column in zip(*parts, strict=True)]
    return [Fraction(int(total.p), int(total.q)) for total in totals]


def _outcomes(chances: list[fmpq_poly]) -> list[fmpq_poly]:
    """Return, for chances of being above, those of being the first above, and of none."""
    none = fmpq_poly([1])
    outcomes = []
    for chance in chances:
        outcomes.append(none * chance)
        none *= 1 - chance
    return [*outcomes, none]


def _series(polynomial: fmpq_poly, noise: Decay, zero: Decay) -> fmpq:
    """Sum r^s * polynomial(q^s) over s >= 0."""
    return sum(
        (
            coefficient / _rational(1 - zero.ratio * noise.power(degree))
            for degree, coefficient in enumerate(polynomial.coeffs())
        ),
        fmpq(0),
    )


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)
