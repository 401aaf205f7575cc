"""Protocols are representations and back: with public coins drawn, with private coins fixed.

Of the papers: FX14 Thm 1, FX14 Thm 7, FX14 Thm 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from tacit.concepts.contract.hypothesis_set import answers
from tacit.concepts.outputs.point_sets import Tables, listed_functions
from tacit.core import Exact, InvalidArgument
from tacit.theory.communication.one_way import PrivateCoins, PublicCoins
from tacit.theory.communication.protocols import OfProtocol, PublicCoinProtocol
from tacit.theory.representations.drawn import Fixed, Representation, written_out
from tacit.theory.representations.representation import ProbabilisticRepresentation
from tacit.theory.solving.incidence import Table, class_of, rows_of
from tacit.theory.solving.matrix_game import game_value, solved

HALF = Fraction(1, 2)  # from this chance on, yes is what Bob is inclined to answer
DENOMINATORS = (12, 60, 10**3, 10**6, 10**9)  # from what people would write to near floats
TINY = 1e-9  # weights and gaps of floats below it count as zero
ROOTS = 1 << 32  # square roots are rounded up to multiples of its reciprocal


def drawn_representation(
    protocol: PublicCoinProtocol, approximation: Exact | None = None
) -> OfProtocol:
    """Return Bob's answers, a set for each outcome of the coins [FX14 Thm 7].

    A protocol of error e becomes an (alpha, e / alpha)-representation for every alpha, with as many
    hypotheses as there are messages: Markov's inequality. Where no alpha is said it is the root of
    e, rounded up, so that distance and failure are alike.

    >>> from tacit.theory.communication.greater_than import block_protocol
    >>> drawn = drawn_representation(block_protocol(8, 2))
    >>> drawn.size, drawn.approximation, drawn.failure
    (5, Fraction(1, 2), Fraction(1, 2))
    """
    if approximation is None:
        square = -(-protocol.error.numerator * ROOTS**2 // protocol.error.denominator)
        approximation = Fraction(isqrt(square - 1) + 1 if square else 0, ROOTS)
    return OfProtocol(protocol, approximation)


def public_protocol(
    representation: Representation | ProbabilisticRepresentation, concepts: Table
) -> PublicCoins:
    """Return a protocol from a representation: the coins draw the set, Alice names a hypothesis.

    She draws it from the best mixture for her concept. From an (alpha, beta)-representation its
    error is at most alpha + beta - alpha beta, and often less: ask the protocol
    [FX14 Thm 7, with the product instead of the sum; docs/proofs/communication.md]. It is written
    out, so the class must be small; for any other there is `OfRepresentation`.

    Exactness:
        The mixtures are proposed by a linear program in floats and solved for in rationals; the
        protocol's own `error` is exact.
    """
    of = class_of(concepts)
    table = (
        representation
        if isinstance(representation, ProbabilisticRepresentation)
        else written_out(representation.lottery(), of)
    )
    choices = [_best_choices(table, concept) for concept in rows_of(of)]
    mixture: list[tuple[Fraction, tuple[int, ...], NDArray[np.bool_]]] = []
    for i, (among, chance) in enumerate(zip(table.sets, table.probabilities, strict=True)):
        lines = [chosen[i] for chosen in choices]
        for length, cells in _together(lines):
            mixture.append((chance * length, cells, among))
    return PublicCoins(tuple(mixture), of)


def fixed_representation(protocol: PrivateCoins) -> Fixed:
    """Return what Bob is inclined to answer to each message [FX14 Thm 8].

    It represents within twice the protocol's error; within the error itself if Bob throws no coins.
    """
    of = protocol.concepts
    inclined = np.array([[p >= HALF for p in line] for line in protocol.bob], dtype=np.bool_)
    near = protocol.error * (1 if protocol.bob_throws_no_coins else 2)
    return Fixed(listed_functions(inclined, of.domain()), Tables(of), near)


def private_protocol(hypotheses: Fixed | NDArray[Any], concepts: Table) -> PrivateCoins:
    """Return the protocol in which Alice names a hypothesis, drawn for her concept [FX14 Thm 8].

    Its error is the least alpha with which they represent the class. Fractions are Bob's chances.

    >>> everything = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> private_protocol(everything[[0, 3]], everything).error
    Fraction(1, 2)
    """
    of = class_of(concepts)
    rows = answers(hypotheses.among, of.domain()) if isinstance(hypotheses, Fixed) else hypotheses
    if rows.ndim != 2 or rows.shape[1] != of.domain_size:
        raise InvalidArgument(f"hypotheses must have a column for each of {of.domain_size} points")
    alice = [game_value(abs(rows * 1 - concept)).paying for concept in rows_of(of)]
    return PrivateCoins(alice, [tuple(map(Fraction, line)) for line in rows.tolist()], of)


def _best_choices(
    table: ProbabilisticRepresentation, concept: NDArray[np.bool_]
) -> list[tuple[Fraction, ...]]:
    """Return, for each set, probabilities of its members with which the concept is best met."""
    wrong = [(among != concept).astype(np.int64) for among in table.sets]
    chances = table.probabilities
    proposed = _proposed(wrong, [float(p) for p in chances])
    tried = [[_rounded(part, d) for part in proposed] for d in DENOMINATORS]
    tried += _corner(proposed, wrong, chances)
    return min(tried, key=lambda parts: max(_errors(parts, wrong, chances)))


def _proposed(
    wrong: Sequence[NDArray[np.int64]], chances: Sequence[float]
) -> list[NDArray[np.float64]]:
    """Solve for the mixtures that make the worst point best."""
    sizes = [len(each) for each in wrong]
    weighted = np.concatenate([p * each for p, each in zip(chances, wrong, strict=True)])
    points, total = weighted.shape[1], sum(sizes)
    each_set = np.zeros((len(sizes), total + 1))
    start = np.cumsum([0, *sizes])
    for i, size in enumerate(sizes):
        each_set[i, start[i] : start[i] + size] = 1
    solution = linprog(
        np.append(np.zeros(total), 1.0),
        A_ub=np.hstack((weighted.T, -np.ones((points, 1)))),
        b_ub=np.zeros(points),
        A_eq=each_set,
        b_eq=np.ones(len(sizes)),
        bounds=[*[(0, None)] * total, (None, None)],
        method="highs-ds",
    )
    found = np.maximum(solution.x[:-1], 0)
    return [found[start[i] : start[i + 1]] for i in range(len(sizes))]


def _rounded(weights: NDArray[np.float64], denominator: int) -> tuple[Fraction, ...]:
    near = [Fraction(float(w)).limit_denominator(denominator) for w in weights]
    total = sum(near, Fraction(0))
    if not total:
        raise InvalidArgument("a set of hypotheses must not be empty")
    return tuple(w / total for w in near)


def _corner(
    proposed: Sequence[NDArray[np.float64]],
    wrong: Sequence[NDArray[np.int64]],
    chances: Sequence[Fraction],
) -> list[list[tuple[Fraction, ...]]]:
    """Solve in rationals for the members in use to err alike at the worst points, if they can.

    Most sets have one member in use, which is certain; only the others are unknowns.
    """
    used = [np.flatnonzero(part > TINY).tolist() for part in proposed]
    parts = [
        [Fraction(int([m] == alone)) for m in range(len(each))]
        for alone, each in zip(used, wrong, strict=True)
    ]
    certain = _errors(parts, wrong, chances)
    floats = sum(float(p) * (q @ w) for p, q, w in zip(chances, proposed, wrong, strict=True))
    tight = np.flatnonzero(floats > np.max(floats) - TINY).tolist()
    several = [i for i, each in enumerate(used) if len(each) > 1]
    unknown = [(i, m) for i in several for m in used[i]]
    lines = [
        [*(chances[i] * int(wrong[i][m, x]) for i, m in unknown), Fraction(-1), -certain[x]]
        for x in tight
    ]
    lines += [
        [*(Fraction(int(i == j)) for j, _ in unknown), Fraction(0), Fraction(1)] for i in several
    ]
    for (i, m), weight in zip(unknown, solved(lines), strict=False):
        parts[i][m] = weight
    valid = all(sum(part) == 1 and min(part) >= 0 for part in parts)
    return [[tuple(part) for part in parts]] if valid else []


def _errors(
    parts: Sequence[Sequence[Fraction]],
    wrong: Sequence[NDArray[np.int64]],
    chances: Sequence[Fraction],
) -> list[Fraction]:
    """Return how often Bob errs at each point."""
    total = sum(
        chance * (np.array(part, dtype=object) @ each.astype(object))
        for part, each, chance in zip(parts, wrong, chances, strict=True)
    )
    return [Fraction(e) for e in np.atleast_1d(total)]


def _together(lines: Sequence[tuple[Fraction, ...]]) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Let one uniform number draw from all of the distributions: pieces, and what each draws."""
    ends = sorted({end for line in lines for end in accumulate(line)} - {Fraction(0)})
    pieces, before = [], Fraction(0)
    for end in ends:
        middle = (before + end) / 2
        cells = tuple(
            next(i for i, top in enumerate(accumulate(line)) if top > middle) for line in lines
        )
        pieces.append((end - before, cells))
        before = end
    return pieces
