"""The error of private-coin one-way protocols whose Bob throws coins, too.

Of the papers: FX14 Thm 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from tacit.core import Exact, InvalidArgument, TooLarge, check
from tacit.kernels.deadline import Deadline
from tacit.theory.communication.conversions import DENOMINATORS, private_protocol
from tacit.theory.communication.one_way import PrivateCoins
from tacit.theory.solving.incidence import Table, class_of, rows_of

MOST = 500  # products of probabilities: a linear program of so many takes a tenth of a second
UNIT = 1 << 20  # ends of boxes are multiples of its reciprocal: products are exact in floats
GRID = 1 << 30  # so are weights of rows
Floats = NDArray[np.float64]
Box = tuple[Floats, Floats]  # the least and greatest of Alice's probabilities, and then of Bob's
Proof = tuple[tuple[int, int], ...]  # rows of a program, with weights in units of 1 / GRID
Tree = Mapping[str, int | Proof]  # parts, named by the halves taken: a side to halve, or a proof


@dataclass(frozen=True, slots=True, eq=False)
class PrivateCoinValue:
    """`lower <= least error with so many messages <= upper`: shown by `tree` and `protocol`."""

    lower: Fraction
    upper: Fraction
    protocol: PrivateCoins
    tree: Tree


def private_coin_value(
    table: Table, messages: int, *, gap: Exact = "1/100", time_limit: float = 60.0
) -> PrivateCoinValue:
    """Bracket the least error of a private-coin protocol for c(x), which need not be rational.

    Exactness:
        Both ends are, `gap` apart or, when time is up, more [docs/proofs/communication.md].

    >>> private_coin_value("thresholds(values=3)", 2).upper
    Fraction(1, 3)
    """
    gap, deadline = max(check.exact(gap=gap), Fraction(1, 10**6)), Deadline(time_limit)
    truth = rows_of(class_of(table))
    (n, m), k = truth.shape, min(check.count(messages=messages, least=1), len(truth))
    if n * m * k > MOST:
        raise TooLarge(f"concepts x points x messages must be at most {MOST}")
    boxes, named = _Boxes(truth, k), np.eye(k)[np.minimum(np.arange(n), k - 1)]
    best = min(np.append(named, np.full(k * m, 0.5)), np.append(named, truth[:k]), key=boxes.error)
    lower, proof, point = boxes.bounded(boxes.whole)
    tree: dict[str, int | Proof] = {"": proof}
    left = [(lower, "", boxes.whole, point)]
    while left[0][0] < boxes.error(best) - gap and not deadline.over:
        _, path, box, point = heappop(left)
        tree[path] = side = boxes.side(box, point)
        for half, part in zip("01", boxes.halves(box, side), strict=True):
            lower, tree[path + half], point = boxes.bounded(part)
            best = min(best, point, key=boxes.error)
            heappush(left, (lower, path + half, part, point))
    bob = boxes.parts(best)[1].tolist()
    near = ([[Fraction(p).limit_denominator(d) for p in b] for b in bob] for d in DENOMINATORS)
    protocol = min((private_protocol(np.array(b), table) for b in near), key=lambda p: p.error)
    return PrivateCoinValue(left[0][0], protocol.error, protocol, tree)


def check_tree(table: Table, messages: int, tree: Tree) -> Fraction:
    """Return the least error that boxes, halved and bounded, leave possible: a lower bound."""
    messages = check.count(messages=messages, least=1)
    boxes = _Boxes(truth := rows_of(class_of(table)), min(messages, len(truth)))
    least, parts = Fraction(1), [("", boxes.whole)]
    while parts:
        path, box = parts.pop()
        if isinstance(step := tree.get(path, ()), int):  # what is missing proves nothing
            parts += zip((path + "0", path + "1"), boxes.halves(box, step), strict=True)
        else:
            least = min(least, boxes.proved(box, step))
    return least


@dataclass(frozen=True, slots=True, eq=False)
class _Boxes:
    """Boxes of protocols, and for each a linear program with a variable for each product."""

    truth: NDArray[np.bool_]
    messages: int

    @property
    def whole(self) -> Box:
        """All protocols; the first message is the one that the first concept sends most often."""
        highs = np.ones(sum(self.truth.shape) * self.messages)
        highs[1 : self.messages] = 0.5
        return np.zeros(len(highs)), highs

    def parts(self, point: Floats) -> tuple[Floats, Floats]:
        (n, m), k = self.truth.shape, self.messages
        return point[: n * k].reshape(n, k), point[n * k : (n + m) * k].reshape(k, m)

    def error(self, point: Floats) -> float:
        return float(np.abs(np.matmul(*self.parts(point)) - self.truth).max())

    def halves(self, box: Box, side: int) -> tuple[Box, Box]:
        (lows, highs), upto, since = box, box[1].copy(), box[0].copy()
        if not 0 <= side < len(lows) or highs[side] - lows[side] < 2 / UNIT:
            raise InvalidArgument(f"side {side} cannot be halved")
        upto[side] = since[side] = (lows[side] + highs[side]) / 2
        return (lows, upto), (since, highs)

    def side(self, box: Box, point: Floats) -> int:
        """Return the side whose products are missed most to the good of the protocol."""
        (alice, bob), width = self.parts(point), box[1] - box[0]
        missed = point[len(width) : -1].reshape(*alice.shape, -1) - alice[:, :, None] * bob
        missed = np.where(self.truth[:, None], missed, -missed).clip(min=0)
        by_side = np.append(missed.sum(axis=2), missed.sum(axis=0)) + width / UNIT
        return int(np.where(width < 2 / UNIT, -1, by_side).argmax())

    def bounded(self, box: Box) -> tuple[Fraction, Proof, Floats]:
        """Return what the protocols of a box err at least, a proof, and the program's solution."""
        rows, right = self._program(box)
        ends = np.tile([0.0, 1.0], (rows.shape[1], 1))
        ends[: len(box[0])] = np.transpose(box)
        found = linprog(np.eye(len(ends))[-1], rows, right, bounds=ends, method="highs-ds")
        if found.status != 0:
            return self.proved(box, ()), (), np.ones(len(ends))
        weights = np.rint(-found.ineqlin.marginals * GRID).astype(np.int64).tolist()
        proof = tuple((i, weight) for i, weight in enumerate(weights) if weight > 0)
        return self.proved(box, proof), proof, np.clip(found.x, *ends.T)

    def proved(self, box: Box, proof: Proof) -> Fraction:
        """Return the least of t + y(Gz - h) over the box: no more than the error t if Gz <= h."""
        least, most = (self.parts(end)[0].sum(axis=1) for end in box)
        if least.max() > 1 or most.min() < 1:
            return Fraction(1)  # no protocol is there
        rows, right = self._program(box)
        if any(not 0 <= i < len(rows) or weight < 0 for i, weight in proof):
            raise InvalidArgument("weights are at least 0, each of a row")
        whole = (np.c_[rows, right] * UNIT**2).astype(np.int64).astype(object)
        *slopes, paid = sum((w * whole[i] for i, w in proof), 0 * whole[0])
        slopes[-1] += GRID * UNIT**2
        ends = np.c_[np.array(box) * UNIT, np.outer((0, UNIT), np.ones(len(slopes) - len(box[0])))]
        low, high = ends.astype(np.int64).tolist()
        total = sum(min(s * a, s * b) for s, a, b in zip(slopes, low, high, strict=True))
        return max(Fraction(int(total - paid * UNIT), GRID * UNIT**3), Fraction(0))

    def _program(self, box: Box) -> tuple[Floats, Floats]:
        """Write rows, at most right sides; products are above planes where c(x) is no, or below."""
        (n, m), k = self.truth.shape, self.messages
        c, j, x = (index.ravel() for index in np.indices((n, k, m)))
        yes, each, sign = self.truth[c, x], np.arange(len(c)), np.where(self.truth[c, x], 1.0, -1.0)
        alice, bob, product = c * k + j, n * k + j * m + x, (n + m) * k + each
        planes, right = np.zeros((2, len(c), (n + m) * k + len(c) + 1)), np.zeros((2, len(c)))
        for i in (0, 1):
            a, b = np.where(yes, box[1 - i][alice], box[i][alice]), box[i][bob]
            planes[i, each, product], planes[i, each, bob] = sign, -sign * a
            planes[i, each, alice], right[i] = -sign * b, -sign * a * b
        wrong, law = (np.zeros((size, planes.shape[2])) for size in (n * m, n))
        wrong[c * m + x, product], wrong[:, -1], law[c, alice] = -sign, -1, 1
        ends = (*right, -self.truth.ravel().astype(np.float64), np.ones(n), -np.ones(n))
        return np.vstack((*planes, wrong, law, -law)), np.concatenate(ends)
