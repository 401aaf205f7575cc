"""Witnesses against statements about learning several concepts at once [BNS16]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from tacit.core.chance.divergence import hockey_stick
from tacit.core.chance.law import Law
from tacit.core.numbers.enclosures import exp_lower, exp_upper, log_lower, log_upper
from tacit.theory.papers.witness import Witness, Witnesses, said
from tacit.theory.solving.class_table import sauer

F = Fraction
FACTOR = 4
"""e^epsilon: a square, so that half a gap has a rational odds too."""
DELTA = F(1, 100)


def told(rising: Fraction) -> Fraction:
    """Return P[Lap(1/epsilon) >= s] for e^(-epsilon s) = `rising`."""
    return rising / 2 if rising <= 1 else 1 - 1 / (2 * rising)


def selection_delta(chance: Callable[[int], Fraction], most: int = 12) -> Fraction:
    """Return the exact delta at e^epsilon = 4 of telling the winner with a chance by its gap.

    Replacing a row moves the gap by up to 2; where it changes the winner, from one gap to another,
    the two gaps have a sum of at most 2. All pairs of gaps up to `most` are compared.

    >>> selection_delta(lambda gap: told(DELTA * 2**gap))
    Fraction(1, 50)
    """

    def law(winner: str, gap: int) -> Law[str | None]:
        return Law({winner: chance(gap), None: 1 - chance(gap)})

    gaps = list(product(range(most), repeat=2))
    pairs = [(law("a", g), law("a", h)) for g, h in gaps if abs(g - h) <= 2]
    pairs += [(law("a", g), law("b", h)) for g, h in gaps if g + h <= 2]
    return max(hockey_stick(p, q, F(FACTOR)).lower for p, q in pairs)


def _selection() -> Witness:
    """The printed rule, and half the gap against 1 + ln(1/(2 delta)) / epsilon."""
    printed = selection_delta(lambda gap: told(DELTA * FACTOR**gap))
    ours = selection_delta(lambda gap: told(2 * DELTA * F(2) ** (gap - 2)))
    return Witness(said(printed, DELTA), said(ours, DELTA))


def _point_learner() -> Witness:
    """P[the output is x] - e P[the same before], for Algorithm 5 at (1, 10^-6), one row moved.

    x gains a row, with which it has just as many as make it heavy; the runner-up, at z, loses one:
    the gap of A_dist goes from 27 to 29. z has so many rows that it is light with e^-250 only.
    """
    delta = F(1, 10**6)

    def chances(gap: int, exp: Callable[[Fraction], Fraction]) -> Fraction:
        return told(exp(F(gap, 2)) * delta / 2)

    light = exp_upper(F(-250))
    after = F(1, 2) * chances(29, exp_lower) * (1 - light)
    before = exp_upper(F(-1, 4)) / 2 * chances(27, exp_upper) + light
    return Witness(said(after - exp_upper(F(1)) * before, delta))


def _points() -> Witness:
    """A point of 2 rows among 20, alpha = 1/5, is told if its noise is not negative."""
    return Witness(said(told(F(1)), DELTA / 2))


def _drawn() -> Witness:
    """The epsilon of Lemma 2.25 at m = 9n, as Theorem 2.24 uses it, and 4 e^(2/3) / 9."""
    price = 4 * exp_upper(F(2, 3)) / 9
    return Witness(said(6 * 9, 1), said(max(F(6, 9), price), 1))


def _word_of_ones() -> Witness:
    """Somebody is accused with 1 - xi, and each of 8 users with at most xi = 1/1000."""
    return Witness(said(1 - F(1, 1000), 8 * F(1, 1000)))


def _agnostic() -> Witness:
    """Two hypotheses, each 1/10 from its error on the rows, where the worse is 1/10 behind."""
    alpha, best, other = F(1, 10), F(3, 10), F(6, 10)
    assert (other - alpha) - (best + alpha) <= alpha
    return Witness(said(other - best, 2 * alpha), said(other - best, 3 * alpha))


def _parities() -> Witness:
    """Rows up to constants: 32 bits, epsilon = 1, beta = 1/20, delta = 10^-6."""
    bits, odds = 32, F(20 * 10**6)
    return Witness(said(bits * log_lower(odds), bits * log_upper(F(20)) + log_upper(odds)))


def _dichotomies() -> Witness:
    """Labels that thresholds give to 3 points, of VC dimension 1."""
    labels = {tuple(x <= cut for x in range(3)) for cut in range(-1, 3)}
    return Witness(said(len(labels), 2**1), said(len(labels), sauer(1, 3)))


def _smaller_table() -> Witness:
    """How near a table of up to 100 rows comes to answers 1/10 above 33, 34 and 34 of 101."""
    alpha, counts = F(1, 10), (33, 34, 34)
    shares = [F(count, 101) for count in counts]

    def furthest(rows: Sequence[int]) -> Fraction:
        return max(
            abs(share + alpha - F(r, sum(rows))) for share, r in zip(shares, rows, strict=True)
        )

    nearest = min(
        furthest((a, b, size - a - b))
        for size in range(1, 101)
        for a, b in product(*[range(int(size * s), int(size * s) + 2) for s in shares[:2]])
        if a + b <= size
    )
    return Witness(said(nearest, alpha), said(furthest(counts), alpha))


def _zero_parity() -> Witness:
    """The largest error of a parity of 2 bits on labels that are all 1."""
    cube = list(product((0, 1), repeat=2))
    errors = [F(sum((a * x + b * y) % 2 == 0 for x, y in cube), 4) for a, b in cube]
    return Witness(said(max(errors), F(1, 2)), said(min(errors), F(1, 2)))


WITNESSES: Witnesses = {
    "C1": _selection,
    "C3": _point_learner,
    "C4": _points,
    "C6": _drawn,
    "C7": _word_of_ones,
    "C8": _agnostic,
    "C9": _parities,
    "C10": _dichotomies,
    "C13": _smaller_table,
    "C18": _zero_parity,
    "C22": lambda: Witness(said(told(exp_lower(F(-6))), F(1, 10**6))),
}
