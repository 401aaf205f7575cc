"""One-way communication of a class: bits that every public-coin protocol needs, and that do.

Of the papers: FX14 Thm 2, FX14 Cor 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import ceil, floor, isqrt
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.named_problem import AtLeast, Equality, OnTheLine
from tacit.core import Exact, check
from tacit.core.numbers.least import least, least_near
from tacit.theory.communication.augmented_index import index_bits, index_messages
from tacit.theory.solving.class_table import at_most
from tacit.theory.solving.logarithms import log2_lower, log2_upper


def line_bound(p: int, error: Exact) -> Fraction:
    """Return a number such that no public-coin protocol of this error has fewer messages.

    Two independent points of lines that share a message seldom collide, so the points on them look
    uniform: N >= 4 (1 - 2 error)^2 (p - 1)^2 / p (docs/proofs/communication.md).

    >>> from math import log2
    >>> [round(log2(line_bound(p, "1/3")), 3) for p in (101, 10007, 2**31 - 1)]
    [5.46, 12.119, 29.83]
    """
    check.count(p=p, least=2)
    error = check.small_probability(error=error)
    if 2 * error >= 1:
        return Fraction(1)
    return max(Fraction(1), 4 * (1 - 2 * error) ** 2 * Fraction((p - 1) ** 2, p))


def line_messages_upper(p: int, error: Exact) -> int:
    """Return a number of messages with which a public-coin protocol of this error exists.

    Alice sends the bucket of her line under a random function; Bob says yes if it holds one of the
    p lines through his point. `LineHashing` runs this with a hash that is cheap to draw.

    >>> from math import log2
    >>> [round(log2(line_messages_upper(p, "1/3")), 3) for p in (101, 10007, 2**31 - 1)]
    [8.243, 14.874, 32.585]
    """
    error = check.small_probability(error=error)
    if 2 * error >= 1:
        return 1
    return min(p * p, ceil(p / error)) if error else p * p


@dataclass(frozen=True, slots=True)
class LeastError:
    """`lower <= least error of a public-coin protocol with so many messages <= upper`."""

    messages: int
    lower: Fraction
    upper: Fraction


def monotone(curve: Sequence[LeastError], concepts: int) -> tuple[LeastError, ...]:
    """Let what is known with more or fewer messages, and of a random part, serve everywhere.

    >>> two = LeastError(2, Fraction(0), Fraction(1))
    >>> three = LeastError(3, Fraction(1, 8), Fraction(1))
    >>> [(str(each.lower), str(each.upper)) for each in monotone((two, three), 4)]
    [('1/8', '3/8'), ('1/8', '1/4')]
    """
    uppers = accumulate(
        (min(each.upper, Fraction(concepts - each.messages + 1, 2 * concepts)) for each in curve),
        min,
    )
    lowers = reversed(list(accumulate((each.lower for each in reversed(curve)), max)))
    return tuple(
        LeastError(each.messages, lower, upper)
        for each, lower, upper in zip(curve, lowers, uppers, strict=True)
    )


@dataclass(frozen=True, slots=True)
class MessageBits:
    """`lower <= log2 of the least number of messages <= upper`, and what shows either."""

    error: Fraction
    lower: Fraction
    upper: Fraction
    why_lower: str
    why_upper: str


def communication(
    concepts: ConceptClass[Any], error: Exact, *, depth: int, curve: Sequence[LeastError] = ()
) -> MessageBits:
    """Bound the bits of a public-coin protocol for c(x) that errs at most so often, for all c, x.

    `depth` is a mistake tree's, `curve` what is known of the least errors with 1, 2, ... messages.

    >>> from tacit.concepts.line.points import Points
    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> found = communication(Thresholds(64), "1/4", depth=64)
    >>> float(found.lower), float(found.upper)
    (12.07..., 63.0)
    >>> communication(Points(64), "1/4", depth=1).why_lower
    'closed form for equality'
    """
    error = check.small_probability(error=error)
    lower, why_lower = max(_lower_bounds(concepts, error, depth, curve))
    upper, why_upper = min(_upper_bounds(concepts, error, curve))
    return MessageBits(error, lower, upper, why_lower, why_upper)


def _lower_bounds(
    concepts: ConceptClass[Any], error: Fraction, depth: int, curve: Sequence[LeastError]
) -> Iterator[tuple[Fraction, str]]:
    yield Fraction(0), "no message is less than one"
    yield index_bits(depth, error), f"augmented index on a mistake tree of depth {depth}"
    leaves = log2_lower(index_messages(depth, error))
    yield leaves, f"mistakes on the 2^{depth} leaves of a mistake tree, counted"
    least = max((found.messages + 1 for found in curve if found.lower > error), default=1)
    yield log2_lower(least), "a prior that no protocol with fewer messages can meet"
    match concepts.problem:
        case Equality(size):
            yield log2_lower(equality_messages(size, error)), "closed form for equality"
        case OnTheLine(p):
            needed = ceil(line_bound(p, error))
            yield log2_lower(needed), "points of lines that share a message look uniform"


def _upper_bounds(
    concepts: ConceptClass[Any], error: Fraction, curve: Sequence[LeastError]
) -> Iterator[tuple[Fraction, str]]:
    if 2 * error >= 1:
        yield Fraction(0), "a coin"
        return
    yield log2_upper(at_most(concepts)), "the concept itself"
    part = 1 + ceil((1 - 2 * error) * at_most(concepts))
    yield log2_upper(part), "some concepts, drawn at random, or else a coin"
    most = min((found.messages for found in curve if found.upper <= error), default=None)
    if most is not None:
        yield log2_upper(most), "a mixture of protocols"
    match concepts.problem:
        case Equality(size):
            yield log2_upper(equality_messages(size, error)), "closed form for equality"
        case OnTheLine(p):
            yield log2_upper(line_messages_upper(p, error)), "a hash of the line"
        case AtLeast(size):
            block = max(1, floor(1 / (1 - 2 * error)))
            runs = -(-(size + block - 1) // block)
            yield log2_upper(runs), f"runs of {block} thresholds, and a coin inside a run"


def equality_value(points: int, messages: int) -> Fraction:
    """Return the least error of a public-coin protocol that tells whether two points are equal.

    By symmetry only two errors count: where the points are equal and where they differ. Once the
    coins have fallen, s concepts share the message at which Bob says no, and the others are spread
    evenly over the other messages; the least error of a mixture is where the lower hull of these
    pairs of errors meets the diagonal (docs/proofs/communication.md).

    >>> [str(equality_value(16, s)) for s in (1, 2, 3, 4, 16)]
    ['1/2', '77/257', '175/832', '7/45', '0']
    >>> float(equality_value(2**64, 2))  # (3 + 2^(1/2)) / 14 in the limit
    0.3153...
    """
    m, n = check.count(points=points, least=2), check.count(messages=messages, least=1)
    if n >= m:
        return Fraction(0)

    if n == 1:
        return Fraction(1, 2)

    def missed(s: int) -> int:
        """Return the error on equal points with s concepts answered no, times m (m - 1)."""
        return s * (m - 1)

    def confused(s: int) -> int:
        """Return the error on different points, times m (m - 1)."""
        return _pairs(m - s, n - 1 if s else n)

    def touches(s: int) -> bool:
        """Whether the line from s = 0 is not above what comes after s."""
        return s == m or (confused(s + 1) - confused(s)) * s >= confused(s) - start

    start = confused(0)
    about = ((n + 1) * m - isqrt((n - 1) * (n + 3) * m * m)) // 2
    crossing = least_near(lambda s: missed(s) >= confused(s), about, low=1)
    touching = least_near(touches, isqrt(m * m // n), low=1)
    first, last = (0, touching) if touching >= crossing else (crossing - 1, crossing)
    a, b, c, d = missed(first), confused(first), missed(last), confused(last)
    return (a + Fraction((b - a) * (c - a), b - a + c - d)) / (m * (m - 1))


@lru_cache(maxsize=256)
def equality_messages(points: int, error: Exact) -> int:
    """Return the least number of messages with which equality has a protocol of this error.

    >>> [equality_messages(2**b, "1/4") for b in (2, 3, 4, 64)]
    [2, 3, 3, 3]
    """
    error = check.small_probability(error=error)
    return least(lambda messages: equality_value(points, messages) <= error, low=1)


def _pairs(count: int, cells: int) -> int:
    """Return how many ordered pairs share a cell when so many things are spread evenly."""
    each, more = divmod(count, cells)
    return more * (each + 1) * each + (cells - more) * each * (each - 1)
