"""Witnesses against statements about representations and pure private learning [BNS19]."""

from __future__ import annotations

from fractions import Fraction
from itertools import count, product
from math import ceil, comb, floor

from tacit.core.numbers.enclosures import exp_lower, exp_upper, log_lower, log_upper
from tacit.theory.papers.witness import Witness, Witnesses, said

F = Fraction


def _chernoff() -> Witness:
    """P[Bin(100, 1/100) > (1 + delta)] at delta = 9, and at delta = 1."""

    def above(most: int) -> Fraction:
        return 1 - F(sum(comb(100, i) * 99 ** (100 - i) for i in range(most + 1)), 100**100)

    return Witness(said(above(10), exp_upper(F(-27))), said(above(2), exp_lower(F(-1, 3))))


def _missed(candidates: int, gap: int) -> tuple[Fraction, Fraction]:
    """Bound the chance that the best candidate is passed over for others `gap` behind it."""
    weights = [(candidates - 1) * e for e in (exp_lower(F(-gap, 2)), exp_upper(F(-gap, 2)))]
    return weights[0] / (1 + weights[0]), weights[1] / (1 + weights[1])


def _chosen() -> Witness:
    """Event E3 with 100 hypotheses, alpha = 1/100 and epsilon = 1, on 18 and on 1,798 rows."""
    few, many = 18, 1798
    printed = said(_missed(100, few // 100 + 1)[0], 100 * exp_upper(F(-few, 2)))
    return Witness(printed, said(_missed(100, many // 100 + 1)[1], 100 * exp_lower(F(-many, 200))))


def _generalises() -> Witness:
    """Event E2 at the printed number of rows, with the printed exponent and with the true one."""
    rows, beta = ceil(F(400, 3) * log_upper(F(8000))), F(1, 80)
    printed = said(100 * exp_lower(F(-rows, 400)), beta)
    return Witness(printed, said(100 * exp_upper(F(-3 * rows, 400)), beta))


def _four_rows() -> Witness:
    """Errors 1/10 and 61/100, disjoint, epsilon = 50: the chance that the second is chosen."""
    rows = ceil(F(3, 5) * (log_upper(F(2)) + log_upper(F(100))))
    rates = F(1, 10), F(61, 100), F(29, 100)
    failure = sum(
        comb(rows, i) * comb(rows - i, j) * rates[0] ** i * rates[1] ** j
        * rates[2] ** (rows - i - j) / (1 + exp_upper(F(25 * (j - i))))
        for i in range(rows + 1)
        for j in range(rows + 1 - i)
    )  # fmt: skip
    return Witness(said(failure, F(4, 100)))


def _runs() -> Witness:
    """Runs that each hit with probability e^(-0.075) / 2: rounded down, and up."""
    loss = F(3, 40)
    runs = 2 * log_upper(F(4)) * exp_upper(loss)
    hit = exp_lower(-loss) / 2, exp_upper(-loss) / 2
    return Witness(
        said((1 - hit[1]) ** floor(runs), F(1, 4)), said((1 - hit[0]) ** ceil(runs), F(1, 4))
    )


def _enlarged() -> Witness:
    """8 alpha epsilon m for the enlarged m, and for m = 1: alpha = 1/100, epsilon = 1."""
    alpha = F(1, 100)
    return Witness(said(8 * alpha * 3 * log_lower(F(4)) / (4 * alpha), 8 * alpha))


def _without_privacy() -> Witness:
    """Rows until a point of mass 2/100 is missed with at most 1/10, against ln 2 / (alpha eps)."""
    rows = next(m for m in count() if F(98, 100) ** m <= F(1, 10))
    return Witness(said(rows, log_upper(F(2)) / (F(1, 100) * 10**4)))


def _no_repetition() -> Witness:
    """A size is at least 0: for two constants and beta = 9/10 it is said to be less."""
    size = log_upper(F(2))
    return Witness(said(0, size + log_upper(log_upper(F(10, 9)))), said(0, size))


def _boosted() -> Witness:
    """One round errs on 1/4: the squares of that and of the printed bound, and our bound."""
    return Witness(said(F(1, 16), F(1, 64) * F(3, 4)), said(F(1, 4), F(3, 4)))


def _solutions() -> Witness:
    """Event E2 with a million solutions on 145 rows, and on 369, alpha = 1/10, epsilon = 1."""
    many, few, enough = 10**6, 145, 369
    printed = said(_missed(many, few // 10 + 1)[0], log_upper(F(many)) * exp_upper(F(-few, 20)))
    return Witness(
        printed, said(_missed(many, enough // 10 + 1)[1], many * exp_lower(F(-enough, 20)))
    )


def _solution_runs() -> Witness:
    """Runs that each hit with probability 1/(2e): for the failure 1/2, and for 1/100."""
    printed = ceil(2 * log_upper(F(2)) * exp_upper(F(1)))
    enough = ceil(2 * log_upper(F(100)) * exp_upper(F(1)))
    hit = exp_lower(F(-1)) / 2, exp_upper(F(-1)) / 2
    goal = F(1, 100)
    return Witness(said((1 - hit[1]) ** printed, goal), said((1 - hit[0]) ** enough, goal))


def _assignments() -> Witness:
    """All clauses on 3 variables but one: an assignment that fails misses more than 27/200."""
    alpha = beta = F(1, 100)
    forbidden = list(product((0, 1), repeat=3))[:7]
    missed = [F(forbidden.count(a), 7) for a in product((0, 1), repeat=3)]
    failed = F(sum(share > F(1, 8) + alpha for share in missed), 8)
    return Witness(said(failed**2, beta), said((1 / (1 + 8 * alpha)) ** 60, beta))


def _fewer_than_one() -> Witness:
    """A size is at least 0: alpha = 1/2, beta = 9/10."""
    return Witness(said(0, log_upper(F(8)) + log_upper(log_upper(F(10, 9)))), said(0, 0))


def _failing_delta() -> Witness:
    """The printed delta and the largest that serves, epsilon = ln 2, 40 steps, by 2^-40 / 8."""
    steps = 40
    unit = F(1, 8 * 2**steps)
    most = unit / (1 - F(1, 2**steps))
    value = F(1, 4)
    for _ in range(steps):
        value = (value - most) / 2
    return Witness(said((1 - F(1, 2)), most / unit if value >= unit else 0))


def _corners() -> Witness:
    """A third of the corners of a square, against the depth of the deepest of them."""
    corners = list(product((0, 1), repeat=2))

    def depth(x: int, y: int) -> int:
        around = [(a - x, b - y) for a, b in corners]
        return min(
            sum(u * a + v * b >= 0 for a, b in around) for u, v in product((-1, 1), repeat=2)
        )

    return Witness(said(F(4, 3), max(depth(*corner) for corner in corners)))


WITNESSES: Witnesses = {
    "B1": _chernoff,
    "B2": lambda: Witness(said(3, log_upper(F(8)))),
    "B3": _chosen,
    "B4": _generalises,
    "B5": _four_rows,
    "B6": _runs,
    "B7": lambda: Witness(said(2 * F(3, 4), 1)),
    "B8": _enlarged,
    "B9": _without_privacy,
    "B10": _no_repetition,
    "B11": _boosted,
    "B12": _solutions,
    "B14": _solution_runs,
    "B15": _assignments,
    "B17": _fewer_than_one,
    "B19": _failing_delta,
    "B23": _corners,
}
