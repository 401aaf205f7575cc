"""One-way communication of a class: bits that every public-coin protocol needs, and that do.

Of the papers: FX14 Cor 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.named_problem import AtLeast, Equality, OnTheLine
from tacit.core import check
from tacit.core.numbers.exact import Exact
from tacit.theory.communication.augmented_index import index_bits, index_messages
from tacit.theory.communication.equality import equality_messages
from tacit.theory.communication.lines import line_bound, line_messages_upper
from tacit.theory.solving.class_size import at_most
from tacit.theory.solving.logarithms import log2_lower, log2_upper


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
    concepts: ConceptClass[Any],
    error: Exact,
    *,
    depth: int,
    curve: Sequence[LeastError] = (),
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
