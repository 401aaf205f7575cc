"""Wrong ways to learn a parity."""

from __future__ import annotations

from fractions import Fraction

from tacit.core.chance.law import Law
from tacit.core.cost import Pure
from tacit.core.numbers.exact import Exact
from tacit.learners.algebra.parity_odds import ParityOdds
from tacit.verify.cases.algebra import NullableRow, cube
from tacit.verify.enumeration import Case

HALF = Fraction(1, 2)


def _case(target: str, setting: str, odds: ParityOdds, epsilon: Exact, dims: int, n: int) -> Case:
    def law(database: tuple[NullableRow, ...]) -> Law[int | None]:
        codes = [
            (sum(bit << i for i, bit in enumerate(row[0])), bool(row[1][0]), 1)
            for row in database
            if row is not None
        ]
        return odds.outcomes(codes, dims)

    return Case(target, setting, "broken", Pure(epsilon), cube(dims), n, law)


def _timid(attempts: int) -> ParityOdds:
    """Give up a tenth less often than privacy asks for."""
    honest = ParityOdds.of(Fraction(3, 2), attempts)
    return ParityOdds(honest.keep, honest.bottom * Fraction(9, 10), attempts)


CASES = (
    # Keep a row with probability epsilon: printed as 2 epsilon-DP [Vad17 Claim 8.6]; the truth is
    # ln((1 + epsilon) / (1 - epsilon)), which at epsilon = 1/2 is 1.0986.
    _case(
        "printed-parity-learner",
        "as in the paper, epsilon=1/2, dims=2",
        ParityOdds(HALF, HALF, 1),
        1,
        2,
        3,
    ),
    _case(
        "parity-learner-gives-up-too-rarely",
        "9/10 of the probability of no answer, dims=1",
        _timid(1),
        "3/2",
        1,
        3,
    ),
    # Several attempts on the same rows with the odds of a single one.
    _case(
        "parity-learner-tries-again",
        "4 attempts at the price of one, dims=1",
        ParityOdds(ParityOdds.of(Fraction(1), 1).keep, ParityOdds.of(Fraction(1), 1).bottom, 4),
        1,
        1,
        4,
    ),
)
