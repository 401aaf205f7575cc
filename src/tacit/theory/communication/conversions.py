"""Protocols are representations and back: with public coins drawn, with private coins fixed.

Of the papers: FX14 Thm 1, FX14 Thm 7, FX14 Thm 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from tacit.core.errors import InvalidArgument
from tacit.theory.communication.one_way import PrivateCoins, PublicCoins, Rows
from tacit.theory.representations.representation import (
    ProbabilisticRepresentation,
    representation_value,
)

HALF = Fraction(1, 2)  # from this chance on, yes is what Bob is inclined to answer
DENOMINATORS = (12, 60, 10**3, 10**6, 10**9)  # from what people would write to near floats


def drawn_representation(protocol: PublicCoins) -> ProbabilisticRepresentation:
    """Return Bob's answers, a set for each outcome of the coins [FX14 Thm 7].

    A protocol of error e becomes an (alpha, e / alpha)-representation for every alpha at once, with
    as many hypotheses as there are messages: Markov's inequality.
    """
    return ProbabilisticRepresentation(
        tuple(answers for _, _, answers in protocol.mixture),
        tuple(chance for chance, _, _ in protocol.mixture),
    )


def public_protocol(representation: ProbabilisticRepresentation, concepts: Rows) -> PublicCoins:
    """Return a protocol from a representation: the coins draw the set, Alice names a hypothesis.

    She draws it from the best mixture for her concept. From an (alpha, beta)-representation its
    error is at most alpha + beta - alpha beta, and often less: ask the protocol
    [FX14 Thm 7, with the product instead of the sum; docs/proofs/communication.md].

    Exactness:
        The mixtures are proposed by a linear program in floats and rounded to rationals, of which
        the best are kept; the protocol's own `error` is exact.
    """
    choices = [_best_choices(representation, concept) for concept in concepts]
    mixture: list[tuple[Fraction, tuple[int, ...], NDArray[np.bool_]]] = []
    for i, (among, chance) in enumerate(
        zip(representation.sets, representation.probabilities, strict=True)
    ):
        lines = [chosen[i] for chosen in choices]
        for length, cells in _together(lines):
            mixture.append((chance * length, cells, among))
    return PublicCoins(tuple(mixture))


def fixed_representation(protocol: PrivateCoins) -> Rows:
    """Return what Bob is inclined to answer to each message [FX14 Thm 8].

    It represents within twice the protocol's error; within the error itself if Bob throws no coins.
    """
    return np.array([[p >= HALF for p in line] for line in protocol.bob], dtype=np.bool_)


def private_protocol(hypotheses: Rows, concepts: Rows) -> PrivateCoins:
    """Return the protocol in which Alice names a hypothesis, drawn for her concept [FX14 Thm 8].

    Its error is the least alpha with which the hypotheses represent the class.

    >>> everything = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> private_protocol(everything[[0, 3]], everything).error(everything)
    Fraction(1, 2)
    """
    alice = tuple(representation_value(hypotheses, concept).paying for concept in concepts)
    bob = tuple(tuple(Fraction(int(v)) for v in line) for line in hypotheses)
    return PrivateCoins(alice, bob)


def _best_choices(
    representation: ProbabilisticRepresentation, concept: NDArray[np.bool_]
) -> list[tuple[Fraction, ...]]:
    """Return, for each set, probabilities of its members with which the concept is best met."""
    wrong = [among != concept for among in representation.sets]
    chances = representation.probabilities
    proposed = _proposed(wrong, [float(p) for p in chances])
    tried = [[_rounded(part, d) for part in proposed] for d in DENOMINATORS]
    return min(tried, key=lambda parts: _worst(parts, wrong, chances))


def _proposed(
    wrong: Sequence[NDArray[np.bool_]], chances: Sequence[float]
) -> list[NDArray[np.float64]]:
    """Solve for the mixtures that make the worst point best."""
    sizes = [len(each) for each in wrong]
    weighted = np.concatenate([p * each for p, each in zip(chances, wrong, strict=True)])
    points, total = weighted.shape[1], sum(sizes)
    each_set = np.zeros((len(sizes), total + 1))
    start = np.cumsum([0, *sizes])
    for i, size in enumerate(sizes):
        each_set[i, start[i] : start[i] + size] = 1
    solved = linprog(
        np.append(np.zeros(total), 1.0),
        A_ub=np.hstack((weighted.T, -np.ones((points, 1)))),
        b_ub=np.zeros(points),
        A_eq=each_set,
        b_eq=np.ones(len(sizes)),
        bounds=[*[(0, None)] * total, (None, None)],
        method="highs-ds",
    )
    found = np.maximum(solved.x[:-1], 0)
    return [found[start[i] : start[i + 1]] for i in range(len(sizes))]


def _rounded(weights: NDArray[np.float64], denominator: int) -> tuple[Fraction, ...]:
    near = [Fraction(float(w)).limit_denominator(denominator) for w in weights]
    total = sum(near, Fraction(0))
    if not total:
        raise InvalidArgument("a set of hypotheses must not be empty")
    return tuple(w / total for w in near)


def _worst(
    parts: Sequence[tuple[Fraction, ...]],
    wrong: Sequence[NDArray[np.bool_]],
    chances: Sequence[Fraction],
) -> Fraction:
    total = sum(
        chance * (np.array(part, dtype=object) @ each.astype(np.int64).astype(object))
        for part, each, chance in zip(parts, wrong, chances, strict=True)
    )
    return Fraction(max(np.atleast_1d(total)))


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
